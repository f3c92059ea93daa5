/** Idle upstream connections that nginx keeps open, as in the configuration that CMS ships. */
const KEPT_CONNECTIONS = 500;

/**
 * Returns the contents of nginx's `http { … }` that proxy one address to several servers of one scheme in turn. Without `keepalive` and HTTP/1.1, nginx would
 * open a connection per request and run out of ports. `origins`: for example `http://10.0.0.7:8888`.
 */
export function nginxBefore(origins: readonly string[]): string {
  const urls = origins.map((origin) => new URL(origin));
  const servers = urls.map(({ hostname, port, protocol }) => `    server ${hostname}:${port || (protocol === 'https:' ? 443 : 80)};`);
  return `upstream servers {
${servers.join('\n')}
    keepalive ${KEPT_CONNECTIONS};
}
server {
    listen 80;
    location / {
        proxy_pass ${urls[0]?.protocol ?? 'http:'}//servers;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        add_header X-Upstream $upstream_addr always;
    }
}`;
}
