import { pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { runPart, type Part } from '#lab/supervisor/part.ts';
import { WorkerPool } from '#lab/workerPool.ts';
import { causeSettingsSchema } from './causeSettings.ts';

const PAGE = `<h1>A page</h1>${'<p>Lorem ipsum dolor sit amet.</p>'.repeat(60)}`;
/**
 * Number of iterations of the password hash, which then takes about 30 ms of one core. With fewer iterations, one core could handle the
 * logins of the loads that are drawn at random.
 */
const HASH_ITERATIONS = 200_000;

/**
 * Starts a small site with one defect; see `causeSettings.ts`. Seconds are counted from the first request. The site is started by
 * `startServer`.
 */
async function startCause(input: unknown): Promise<Part> {
  const { cause, ms, workers, room, fromSecond, toSecond, share } = causeSettingsSchema.parse(input);
  const pool = new WorkerPool(workers ?? Infinity);
  let firstMs: number | null = null;
  let inside = 0;
  let requests = 0;
  const list: string[] = [];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    firstMs ??= performance.now();
    const second = (performance.now() - firstMs) / 1_000;
    requests += 1;
    const isDuring = second >= fromSecond && second < toSecond;
    const body = request.method === 'POST' ? await textOf(request) : '';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (cause === 'freeze' && isDuring) await wait(1_000 * (toSecond - second));
    if (cause === 'outage' && isDuring) return void response.writeHead(503).end('away');
    if (cause === 'redirect') return void response.writeHead(302, { location: '/login' }).end();
    if (cause === 'missing') return void response.writeHead(404).end('No such page.');
    if (cause === 'backlog' && inside >= (room ?? Infinity)) return void response.writeHead(502).end('Bad Gateway');
    inside += 1;
    try {
      await pool.run(async () => {
        const takesMs = cause === 'cold' && isDuring ? 12 * ms : ms;
        if (takesMs > 0) await wait(takesMs);
      });
    } finally {
      inside -= 1;
    }
    if (cause === 'hash' && request.method === 'POST') pbkdf2Sync(body, 'salt', HASH_ITERATIONS, 32, 'sha256');
    if (cause === 'accounts' && request.method === 'POST' && Number(/user=u(\d+)/.exec(body)?.[1] ?? 0) % share === 0)
      return void response.end('<h1>Wrong password</h1>');
    if (cause === 'list')
      return void response.end(PAGE + list.slice(0, list.push(`<li>An entry with its text, ${requests}</li>`)).join(''));
    if (cause === 'cut' && requests % share === 0) return void response.end(PAGE.slice(0, 300));
    if (cause === 'nagle' && requests % 2 === 0) {
      response.write(PAGE.slice(0, 200));
      await wait(1);
      return void response.end(PAGE.slice(200));
    }
    response.end(PAGE);
  }

  const server = createServer({ noDelay: cause !== 'nagle' }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on a port.');
  return {
    facts: { url: `http://127.0.0.1:${address.port}/` },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

await runPart(startCause);
