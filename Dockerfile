# docs/install.md says how to build and run it. Node's slim image has Debian's glibc, for which libsql has binaries.
FROM docker.io/library/node:22-bookworm-slim AS base

FROM base AS package
WORKDIR /airboard
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run package && npm install --global --prefix /installed ./airboard-*.tgz && mkdir /data

FROM base
COPY --from=package /installed /usr/local
COPY --from=package --chown=node:node /data /data
# Several heaps of malloc would take 3 MB more.
ENV DATABASE_PATH=/data/readings.db MALLOC_ARENA_MAX=1
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=1m --timeout=10s --start-period=5m CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["airboard"]
