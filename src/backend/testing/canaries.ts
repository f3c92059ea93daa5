import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';

let plantedCount = 0;
const numberedCanary = (number: number): string => `canary${String(number).padStart(3, '0')}x7Qv9Lw2`;
/** Returns a unique secret. Wherever it is found, it has leaked. */
export const canary = (): string => numberedCanary(++plantedCount);
/** Returns a secret in the format of a known kind of key, for plain texts that are not secret fields. */
export const keyCanary = (): string => `ghp_${canary()}`;
export const plantedCanaries = (): number => plantedCount;

/** Returns patterns that find a secret: plain (also percent-encoded), Base64 at each offset, and hexadecimal. */
function encodedForms(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('x'.repeat(shift) + secret)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, Buffer.from(secret).toString('hex'), ...base64];
}

/** The common beginning of all canaries in each encoding. */
const CANARY_PREFIXES = encodedForms(numberedCanary(0)).map((look, index) => {
  const last = encodedForms(numberedCanary(999))[index] ?? '';
  return look.slice(
    0,
    [...look].findIndex((letter, at) => letter !== last[at]),
  );
});

/** Finds all planted canaries in any encoding. Returns them with the text around them. */
export function findCanaries(places: ReadonlyMap<string, Buffer>): string[] {
  const looks = Array.from({ length: plantedCount }, (_, index) => numberedCanary(index + 1)).flatMap(encodedForms);
  return [...places].flatMap(([place, bytes]) =>
    // Most texts contain no canary, so the common beginnings are searched for first.
    (CANARY_PREFIXES.some((beginning) => bytes.includes(beginning)) ? looks : [])
      .filter((look) => bytes.includes(look))
      .map((look) => `${place}: ${bytes.subarray(Math.max(0, bytes.indexOf(look) - 60), bytes.indexOf(look) + 40).toString('latin1')}`),
  );
}

export function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const spawnSchema = z.object({ options: z.object({ args: z.array(z.string()), envPairs: z.array(z.string()) }) });

/** Records argv and environment of every child of this process. */
export function watchChildren(): { readonly argv: string[][]; readonly environ: string[][]; stop(): void } {
  const argv: string[][] = [];
  const environ: string[][] = [];
  const onStart = (message: unknown): void => {
    const { args, envPairs } = spawnSchema.parse(message).options;
    argv.push(args);
    environ.push(envPairs);
  };
  subscribe('tracing:child_process.spawn:start', onStart);
  return { argv, environ, stop: () => void unsubscribe('tracing:child_process.spawn:start', onStart) };
}

/** Starts a server that fails every request and repeats the request in each part of its response that has room. */
export async function startEcho(): Promise<{ server: Server; url: string; received: () => string }> {
  let received = '';
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { authorization = '', cookie = '', ...headers } = request.headers;
      const requestText = `${request.url ?? ''}\n${authorization}\n${cookie}\n${JSON.stringify(headers)}\n${body}`;
      received += requestText;
      if (/^\/(?:count|n)\?/.test(request.url ?? '')) return void response.end('5');
      // A page for the visiting browser. The name of its missing file must not appear in any result.
      if (request.url?.startsWith('/seen?') === true)
        return void response
          .setHeader('Content-Type', 'text/html')
          .end(
            `<h1>seen</h1><img src="/${/canary\d{3}x7Qv9Lw2/.exec(request.url ?? '')?.[0] ?? ''}.png"><form><label>Password <input type=password name=password></label><button>Go</button></form>`,
          );
      const secret = /canary\d{3}x7Qv9Lw2/.exec(requestText)?.[0] ?? 'none';
      response.statusMessage = `No ${secret}`;
      response.writeHead(500, {
        'X-Shard': `shard-${secret}`,
        Server: `echo ${secret}`,
        Location: `/login/${secret}?echo=${secret}`,
        'Set-Cookie': `echo=${secret}`,
      });
      response.end(
        `wrong: ${requestText} ${Buffer.from(requestText).toString('base64')} ${Buffer.from(requestText).toString('hex')} <input name="q" value="${requestText}">`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, received: () => received };
}
