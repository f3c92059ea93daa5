import { Agent as HttpAgent, type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as getTls } from 'node:https';
import { MAX_HTTP_MEGABITS, PATH_LIMITS, type PathReading } from '#core/machines/checks/path/schema.ts';
import { type Arrival, computeThroughput, type Transfer } from '#core/machines/checks/path/judgePath.ts';

/**
 * Requests one address repeatedly over a few connections until {@link PATH_LIMITS} are reached, and returns the throughput. Does not verify
 * certificates, because nothing secret is sent and nothing received is kept. Never throws for errors of the server or the network.
 */
export async function measurePath(address: string): Promise<PathReading> {
  const measurement = new PathMeasurement(new URL(address));
  const timer = setTimeout(() => measurement.stop(), PATH_LIMITS.seconds * 1_000);
  let failure: string | null = null;
  try {
    await measurement.run();
  } catch (thrown) {
    failure = thrown instanceof Error ? thrown.message : String(thrown);
    measurement.stop();
  } finally {
    clearTimeout(timer);
    measurement.close();
  }
  const reported = computeThroughput(measurement.arrivals, measurement.transfers, MAX_HTTP_MEGABITS);
  return {
    megabits: reported?.megabits ?? null,
    isFull: reported?.isFull ?? false,
    seconds: reported?.seconds ?? 0,
    bytes: measurement.bytes,
    respondedBytes: measurement.respondedBytes,
    responses: measurement.responses,
    failure,
  };
}

class PathMeasurement {
  readonly arrivals: Arrival[] = [];
  readonly transfers: Transfer[] = [];
  bytes = 0;
  /** Number of bytes in complete responses. */
  respondedBytes = 0;
  responses = 0;
  private readonly url: URL;
  private readonly agent: HttpAgent;
  private readonly open = new Set<ClientRequest>();
  private asked = 0;
  private isStopped = false;

  constructor(url: URL) {
    this.url = url;
    const options = { keepAlive: true, maxSockets: PATH_LIMITS.connections };
    this.agent = url.protocol === 'https:' ? new HttpsAgent({ ...options, rejectUnauthorized: false }) : new HttpAgent(options);
  }

  /** Resolves at the limits; rejects if a request gets no response. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: PATH_LIMITS.connections }, () => this.repeatRequests()));
  }

  stop(): void {
    this.isStopped = true;
    this.open.forEach((request) => request.destroy());
  }

  close(): void {
    this.agent.destroy();
  }

  private async repeatRequests(): Promise<void> {
    while (!this.isStopped && this.asked < PATH_LIMITS.responses) {
      this.asked += 1;
      await this.request();
    }
  }

  private request(): Promise<void> {
    return new Promise((resolve, reject) => {
      let fromMs: number | null = null;
      let received = 0;
      let isOver = false;
      const end = (): void => {
        if (fromMs !== null && !isOver) this.transfers.push({ fromMs, toMs: performance.now() });
        isOver = true;
        resolve();
      };
      const options = { agent: this.agent, headers: { 'User-Agent': 'holdfast-path-test', Accept: '*/*' } };
      const get = this.url.protocol === 'https:' ? getTls : getPlain;
      const request = get(this.url, options, (response: IncomingMessage) => {
        response.on('data', (chunk: Buffer) => {
          fromMs ??= performance.now();
          received += chunk.length;
          this.take(chunk);
        });
        response.once('end', () => {
          this.responses += 1;
          this.respondedBytes += received;
          end();
        });
        // The response was cut off at the limit or by the server. The bytes received so far count.
        response.on('error', end);
      });
      // The request option `signal` is not used, because Node passes it on to the socket, which has no error listener while it is idle.
      this.open.add(request);
      request.on('close', () => {
        this.open.delete(request);
        end();
      });
      request.on('error', (error) => (this.isStopped || fromMs !== null ? end() : reject(error)));
    });
  }

  private take(chunk: Buffer): void {
    if (this.isStopped) return;
    this.arrivals.push({ atMs: performance.now(), bytes: chunk.length });
    this.bytes += chunk.length;
    if (this.bytes >= PATH_LIMITS.bytes) this.stop();
  }
}
