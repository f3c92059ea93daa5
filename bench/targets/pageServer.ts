import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { setImmediate as soon, setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { runPart, type Part } from '#lab/supervisor/part.ts';
import { WorkerPool } from '#lab/workerPool.ts';
import { delaySampler, parseDelay } from './delays.ts';
import { pageSettingsSchema } from './pageSettings.ts';

/**
 * Starts a small healthy site. /start has a form whose token POST /order requires; every other path is a page. The site is started by
 * `startServer`, with the settings in `pageSettings.ts`.
 */
async function startPages(input: unknown): Promise<Part> {
  const settings = pageSettingsSchema.parse(input);
  const delay = parseDelay(settings.delay);
  if (delay === null) throw new Error('The settings were checked.');
  const nextDelay = delaySampler(delay, settings.seed);
  const pool = new WorkerPool(settings.workers ?? Infinity);
  const query = settings.queries ? openRows() : () => 0;
  const filler = 'Lorem ipsum dolor sit amet. '.repeat(Math.ceil(settings.bytes / 28)).slice(0, settings.bytes);
  let inside = 0;
  let visits = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (settings.room !== null && inside >= settings.room)
      return void response.writeHead(503, { 'content-type': 'text/plain' }).end('full');
    inside += 1;
    try {
      const body = request.method === 'POST' ? await textOf(request) : '';
      await pool.run(async () => {
        const ms = nextDelay();
        if (ms > 0) await wait(ms);
      });
      visits += 1;
      const path = request.url?.split('?', 1)[0];
      if (settings.closes) response.setHeader('connection', 'close');
      if (path === '/order' && !/^token=t-\d+$/.test(body))
        return void response.writeHead(400, { 'content-type': 'text/plain' }).end('No token.');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      await send(response, `<h1>${path === '/order' ? 'Thank you' : 'A page'}</h1>`, `<p>${query()} rows</p>${filler}`);
    } finally {
      inside -= 1;
    }
  }

  async function send(response: ServerResponse, head: string, rest: string): Promise<void> {
    const token = `<form><input type="hidden" name="token" value="t-${100_000 + (visits % 900_000)}"></form>`;
    if (settings.pieces === 1) return void response.end(`${head}${token}${rest}`);
    response.write(`${head}${token}<p>You are visitor ${visits}.</p>`);
    const length = Math.ceil(rest.length / (settings.pieces - 1));
    for (let from = 0; from < rest.length; from += length) {
      await soon();
      response.write(rest.slice(from, from + length));
    }
    response.end();
  }

  const onRequest: RequestListener = (request, response) => {
    respond(request, response).catch((thrown: unknown) => response.destroy(thrown instanceof Error ? thrown : undefined));
  };
  const { tls } = settings;
  const server = tls === null ? createHttpServer(onRequest) : createHttpsServer({ key: tls.key, cert: tls.certificate }, onRequest);
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    facts: { url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}/` },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Creates a table of measurements. Returns a function that counts another thousandth of the table's rows each time. */
function openRows(): () => number {
  const ROWS = 50_000;
  const database = new Database(':memory:');
  database.exec('CREATE TABLE reading (id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, value REAL NOT NULL) STRICT');
  database.exec(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${ROWS}) INSERT INTO reading SELECT n, n % 1000, n * 0.5 FROM number`,
  );
  database.exec('CREATE INDEX reading_sensor ON reading (sensor)');
  const statement = database.prepare<[number], { readonly many: number }>('SELECT count(value) AS many FROM reading WHERE sensor = ?');
  let next = 0;
  return () => {
    next = (next + 7) % 1_000;
    return statement.get(next)?.many ?? 0;
  };
}

await runPart(startPages);
