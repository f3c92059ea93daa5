# Holdfast on the command line and in the browser: docs/packages.md#in-a-container
FROM node:26-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm run package

FROM node:26-slim
COPY --from=build /source/holdfast-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/holdfast-*.tgz \
 && rm -r /tmp/holdfast-*.tgz /root/.npm \
 && install --directory --owner=node --mode=700 /data
USER node
ENV HOLDFAST_HOME=/data
VOLUME /data
WORKDIR /home/node
ENTRYPOINT ["holdfast"]
CMD ["serve"]
