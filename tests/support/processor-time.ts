/** Returns how long this process has been on a processor, in milliseconds: a time that other processes don't change. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
