import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { type RunningNginx, startNginx } from '../programs/nginx.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { options } from './options.ts';

/**
 * Starts nginx as in the contest's documentation, with kept-alive connections to the shards; null without a proxy. `locations`: additional
 * locations.
 */
export async function startFront(
  supervisor: Supervisor,
  values: ValuesOf<typeof options>,
  urls: readonly string[],
  locations: string,
): Promise<RunningNginx | null> {
  if (values.front === 'none') return null;
  const servers = urls.map((url) => `    server ${new URL(url).host};`).join('\n');
  // By the visitor's address, like the default of CMS, or in turn.
  const chooses = values.front === 'hash' ? '    hash $remote_addr;\n' : '';
  const tellsUpstream = values['shard-header'] === 'upstream';
  return startNginx(supervisor, {
    port: values.port,
    descriptors: null,
    keepAliveSeconds: 65,
    http: `  upstream contest {\n${chooses}${servers}\n    keepalive 500;\n  }`,
    server: `    location / {
      proxy_pass http://contest;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_read_timeout ${values['proxy-timeout-ms']}ms;
${tellsUpstream ? '      proxy_hide_header X-Shard;\n      add_header X-Shard $upstream_addr always;' : ''}
    }
${locations}`,
  });
}
