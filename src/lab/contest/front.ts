import { startNginx, type RunningNginx } from '../programs/nginx.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

export interface FrontSettings {
  readonly port: number | null;
  /** By the address of the visitor, as CMS ships it, or in turn. */
  readonly choosesBy: 'hash' | 'in-turn';
  readonly timeoutMs: number;
  /** Whether `X-Shard` says what nginx knows as `$upstream_addr`, in place of what the shard says itself. */
  readonly tellsUpstream: boolean;
}

/** nginx as the contest's documentation has it, with connections to the shards that are kept. */
export function startFront(supervisor: Supervisor, settings: FrontSettings, urls: readonly string[]): Promise<RunningNginx> {
  const servers = urls.map((url) => `    server ${new URL(url).host};`).join('\n');
  const { port, choosesBy, timeoutMs, tellsUpstream } = settings;
  return startNginx(supervisor, {
    port,
    descriptors: null,
    keepAliveSeconds: 65,
    http: `  upstream contest {\n${choosesBy === 'hash' ? '    hash $remote_addr;\n' : ''}${servers}\n    keepalive 500;\n  }`,
    server: `    location / {
      proxy_pass http://contest;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_read_timeout ${timeoutMs}ms;
${tellsUpstream ? '      proxy_hide_header X-Shard;\n      add_header X-Shard $upstream_addr always;' : ''}
    }`,
  });
}
