import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';

let planted = 0;
const numbered = (number: number): string => `canary${String(number).padStart(3, '0')}x7Qv9Lw2`;
/** A secret like no other text: where it is found, it has leaked. */
export const canary = (): string => numbered(++planted);
/** A key that says itself what it is: for words, where nothing else could tell. */
export const marked = (): string => `ghp_${canary()}`;
export const plantedCanaries = (): number => planted;

/** As it is, percent-encoded letters have none of it; Base64 by what stands before it; hexadecimal. */
function looksOf(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('x'.repeat(shift) + secret)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, Buffer.from(secret).toString('hex'), ...base64];
}

/** What all canaries begin with, in each of their looks. */
const BEGINNINGS = looksOf(numbered(0)).map((look, index) => {
  const last = looksOf(numbered(999))[index] ?? '';
  return look.slice(
    0,
    [...look].findIndex((letter, at) => letter !== last[at]),
  );
});

/** Where any canary that was planted so far stands, in any of its looks, with what is around it. */
export function findCanaries(places: ReadonlyMap<string, Buffer>): string[] {
  const looks = Array.from({ length: planted }, (_, index) => numbered(index + 1)).flatMap(looksOf);
  return [...places].flatMap(([place, bytes]) =>
    // Megabytes for hundreds of looks each: most hold the beginning of none.
    (BEGINNINGS.some((beginning) => bytes.includes(beginning)) ? looks : [])
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

/** What every child of this process is started with: its argv and environ, as the system gets them. */
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

/** Fails every request, and repeats all that it was told wherever an answer has room for it. */
export async function startEcho(): Promise<{ server: Server; url: string; heard: () => string }> {
  let heard = '';
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { authorization = '', cookie = '', ...headers } = request.headers;
      const said = `${request.url ?? ''}\n${authorization}\n${cookie}\n${JSON.stringify(headers)}\n${body}`;
      heard += said;
      if (/^\/(?:count|n)\?/.test(request.url ?? '')) return void response.end('5');
      // A page for a browser, with a file that is missing by a name that should be in no result.
      if (request.url?.startsWith('/seen?') === true)
        return void response
          .setHeader('Content-Type', 'text/html')
          .end(
            `<h1>seen</h1><img src="/${/canary\d{3}x7Qv9Lw2/.exec(request.url ?? '')?.[0] ?? ''}.png"><form><label>Password <input type=password name=password></label><button>Go</button></form>`,
          );
      const secret = /canary\d{3}x7Qv9Lw2/.exec(said)?.[0] ?? 'none';
      response.statusMessage = `No ${secret}`;
      response.writeHead(500, {
        'X-Shard': `shard-${secret}`,
        Server: `echo ${secret}`,
        Location: `/login/${secret}?echo=${secret}`,
        'Set-Cookie': `echo=${secret}`,
      });
      response.end(
        `wrong: ${said} ${Buffer.from(said).toString('base64')} ${Buffer.from(said).toString('hex')} <input name="q" value="${said}">`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, heard: () => heard };
}
