import { createServer as createHttpServer, request as ask, Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { runPart, type Part } from '#lab/supervisor/part.ts';
import { LOG_PATH, type ProxiedRequest, proxySettingsSchema } from './proxySettings.ts';

/** Matches the content types of bodies that may contain the site's own address. */
const TEXT = /^(text\/|application\/(javascript|json|xhtml|xml))/i;
/** Hop-by-hop headers, which HTTP/2 forbids. */
const HOP_BY_HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/**
 * Starts a proxy that logs when each request arrived and when its response was sent. It can delay responses, like a more distant server, by
 * a time that depends on their path. The site sees its own address. In responses, that is replaced by the address of the proxy.
 */
async function startProxy(input: unknown): Promise<Part> {
  const settings = proxySettingsSchema.parse(input);
  const upstream = new URL(settings.upstream);
  const agent = new Agent({ keepAlive: true });
  let log: ProxiedRequest[] = [];
  let own = '';

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    if (path === LOG_PATH) {
      const taken = JSON.stringify(log);
      log = [];
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(taken);
    }
    const line: ProxiedRequest = { path, type: '', status: 0, atMs: performance.now(), endMs: null };
    log.push(line);
    const [body] = await Promise.all([fetchFrom(request, path), wait(getDelay(path))]);
    line.status = body.status;
    line.type = body.type.replace(/;.*/s, '');
    response.writeHead(body.status, { ...body.headers, 'content-length': body.content.length });
    response.end(body.content, () => void (line.endMs = performance.now()));
  }

  async function fetchFrom(request: IncomingMessage, path: string) {
    const kept = Object.entries(request.headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP_HEADERS.has(name));
    // Compression is turned off, because an address in a compressed body could not be replaced.
    const headers = { ...Object.fromEntries(kept), host: upstream.host, 'accept-encoding': 'identity' };
    const sentRequest = ask(new URL(path, upstream), { method: request.method ?? 'GET', headers, agent });
    request.pipe(sentRequest);
    const [got] = (await once(sentRequest, 'response')) as [IncomingMessage];
    const content = await buffer(got);
    const { location, 'content-type': type = '' } = got.headers;
    return {
      status: got.statusCode ?? 502,
      type,
      headers: {
        ...Object.fromEntries(Object.entries(got.headers).filter(([name]) => !HOP_BY_HOP_HEADERS.has(name))),
        ...(location === undefined ? {} : { location: replaceHost(location) }),
      },
      content: TEXT.test(type) ? Buffer.from(replaceHost(content.toString('latin1')), 'latin1') : content,
    };
  }

  const replaceHost = (text: string): string => text.replaceAll(upstream.host, own);

  /** Returns a delay between the two limits. Delays are uniformly distributed, and constant for each path. */
  function getDelay(path: string): number {
    if (settings.delayMs === null) return 0;
    const { least, most } = settings.delayMs;
    let drawn = 7;
    for (const letter of path.replace(/\?.*/s, '')) drawn = (Math.imul(drawn, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
    return least + (drawn % (most - least + 1));
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch(() => response.destroy());
  };
  const { tls } = settings;
  const server =
    tls === null
      ? createHttpServer(onRequest)
      : createSecureServer({ key: tls.key, cert: tls.certificate, allowHTTP1: true }, (request, response) =>
          // The parts of node:http2 that are used here have the same interface as in node:http.
          onRequest(request as unknown as IncomingMessage, response as unknown as ServerResponse),
        );
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  own = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    facts: { url: `${tls === null ? 'http' : 'https'}://${own}/` },
    async close() {
      agent.destroy();
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await Promise.resolve();
    },
  };
}

await runPart(startProxy);
