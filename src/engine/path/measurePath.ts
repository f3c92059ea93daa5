import { Agent as HttpAgent, type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as getTls } from 'node:https';
import { MAX_HTTP_MEGABITS, PATH_LIMITS, type PathReading } from '#core/machines/checks/path/schema.ts';
import { type Arrival, computeThroughput, type Transfer } from '#core/machines/checks/path/judgePath.ts';

/**
 * Requests one address repeatedly over a few connections until {@link PATH_LIMITS} are reached, and returns the throughput. Does not verify
 * certificates, because nothing secret is sent and nothing received is kept. Never throws for errors of the server or the network.
 */
export async function measurePath(address: string): Promise<PathReading> {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: false, maxSockets: PATH_LIMITS.connections })
    : new HttpAgent({ keepAlive: true, maxSockets: PATH_LIMITS.connections });
  const arrivals: Arrival[] = [];
  const transfers: Transfer[] = [];
  let bytes = 0;
  let respondedBytes = 0;
  let responses = 0;
  let asked = 0;
  let failure: string | null = null;
  const open = new Set<ClientRequest>();
  const limit = new AbortController();
  limit.signal.addEventListener('abort', () => open.forEach((request) => request.destroy()));
  const timer = setTimeout(() => limit.abort(), PATH_LIMITS.seconds * 1_000);

  const take = (chunk: Buffer): void => {
    if (limit.signal.aborted) return;
    arrivals.push({ atMs: performance.now(), bytes: chunk.length });
    bytes += chunk.length;
    if (bytes >= PATH_LIMITS.bytes) limit.abort();
  };
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let fromMs: number | null = null;
      let came = 0;
      let isOver = false;
      const end = (): void => {
        if (fromMs !== null && !isOver) transfers.push({ fromMs, toMs: performance.now() });
        isOver = true;
        resolve();
      };
      const options = { agent, headers: { 'User-Agent': 'holdfast-path-test', Accept: '*/*' } };
      const request = (isSecure ? getTls : getPlain)(url, options, (response: IncomingMessage) => {
        response.on('data', (chunk: Buffer) => {
          fromMs ??= performance.now();
          came += chunk.length;
          take(chunk);
        });
        response.once('end', () => {
          responses += 1;
          respondedBytes += came;
          end();
        });
        // The response was cut off at the limit or by the server. The bytes received so far count.
        response.on('error', end);
      });
      // The request option `signal` is not used, because Node passes it on to the socket, which has no error listener while it is idle.
      open.add(request);
      request.on('close', () => {
        open.delete(request);
        end();
      });
      request.on('error', (error) => (limit.signal.aborted || fromMs !== null ? end() : reject(error)));
    });
  const loop = async (): Promise<void> => {
    while (!limit.signal.aborted && asked < PATH_LIMITS.responses) {
      asked += 1;
      await ask();
    }
  };
  try {
    await Promise.all(Array.from({ length: PATH_LIMITS.connections }, loop));
  } catch (thrown) {
    failure = thrown instanceof Error ? thrown.message : String(thrown);
    limit.abort();
  } finally {
    clearTimeout(timer);
    agent.destroy();
  }
  const reported = computeThroughput(arrivals, transfers, MAX_HTTP_MEGABITS);
  return {
    megabits: reported?.megabits ?? null,
    isFull: reported?.isFull ?? false,
    seconds: reported?.seconds ?? 0,
    bytes,
    respondedBytes,
    responses,
    failure,
  };
}
