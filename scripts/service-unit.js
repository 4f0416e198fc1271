/**
 * Returns the systemd unit that starts the server at boot, as a user that can write only to `/var/lib/airboard`. docs/install.md
 * shows it.
 *
 * @param {string} node the path of the program
 * @param {string} script the path of the command
 */
export function serviceUnit(node, script) {
  return `[Unit]
Description=airboard, a dashboard for air quality
Wants=network-online.target
After=network-online.target time-sync.target

[Service]
Type=notify
# The server runs systemd-notify once it answers.
NotifyAccess=all
# The first start after an update may take minutes.
TimeoutStartSec=infinity
User=airboard
StateDirectory=airboard
StateDirectoryMode=0750
UMask=0027
# Readings and settings (.env) are in /var/lib/airboard.
Environment=XDG_DATA_HOME=/var/lib
# Several heaps of malloc would take 3 MB more.
Environment=MALLOC_ARENA_MAX=1
ExecStart=${quoted(node)} ${quoted(script)} serve
Restart=on-failure
RestartSec=5
# A flood of requests doesn't fill the disk with lines.
LogRateLimitIntervalSec=30s
LogRateLimitBurst=1000
# A fault or an attack ends the server, not the machine's other programs.
MemoryMax=512M
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
PrivateDevices=yes
PrivateTmp=yes
RemoveIPC=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** Quotes a path for `ExecStart`, and escapes `%` and `$`. @param {string} path */
function quoted(path) {
  const escaped = path.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s\\"';]/.test(path) ? `"${escaped}"` : escaped;
}
