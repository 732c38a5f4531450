# Everything is fetched and built in the first stage; the image that runs holds the program and what it needs, and fetches nothing.
FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/
COPY assets assets
COPY src src
COPY page page
RUN npm run build && npm prune --omit=dev --no-save --no-audit --no-fund
# A container is for servers and workers: it holds the optional packages for PostgreSQL and the providers too, as the lock file pins them.
RUN npm install --no-save --no-audit --no-fund --omit=dev $(node -p "const { packages } = require('./package-lock.json'); Object.keys(require('./package.json').peerDependencies).filter((name) => packages['node_modules/' + name]).map((name) => name + '@' + packages['node_modules/' + name].version).join(' ')")

FROM node:20-bookworm-slim
ENV NODE_ENV=production XDG_DATA_HOME=/data
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/assets assets
COPY --from=build /build/dist dist
# Named volumes take over the owner of the folder they are laid on.
RUN mkdir /data && chown node:node /data && ln -s /app/dist/cli/main.js /usr/local/bin/fabula
USER node
VOLUME /data
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["--help"]
