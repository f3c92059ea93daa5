import autocannon, { type Tracker } from 'autocannon';
import type { LoadDriver } from '../loadDriver.ts';
import { Addresses } from '../addresses.ts';
import { ExactClient } from './exactClient.ts';
import { StageLoad, type StageLoadOptions } from '../stageLoad.ts';

export interface AutocannonDriverOptions extends StageLoadOptions {
  readonly targetUrl: string;
  readonly connections: number;
}

/** Longer than any stage, and yet short enough for a timer of 32 bits: autocannon's own clocks must never fire. */
const NEVER_SECONDS = 2_000_000;
const SAMPLE_INTERVAL_MS = 100;

/**
 * One plain autocannon instance against one target. Its own statistics, rate options, worker threads, amounts, durations and
 * timeouts are not used; README.md beside this file says why.
 */
export class AutocannonDriver implements LoadDriver {
  readonly done: Promise<void>;
  private readonly load: StageLoad;
  private readonly clients: ExactClient[] = [];
  private readonly tracker: Tracker;
  private readonly sweep: NodeJS.Timeout;

  constructor(options: AutocannonDriverOptions) {
    const load = new StageLoad(options, endpointOf(options.targetUrl));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.load = load;
    this.done = promise;
    let running = options.connections;
    this.tracker = autocannon(
      {
        url: new URL(options.targetUrl).origin,
        connections: options.connections,
        pipelining: 1,
        duration: NEVER_SECONDS,
        timeout: NEVER_SECONDS,
        sampleInt: SAMPLE_INTERVAL_MS,
        setupClient: (client) => {
          this.clients.push(new ExactClient(client, load));
          client.once('done', () => {
            running -= 1;
            if (running === 0) this.close(resolve);
          });
          // autocannon attaches its own recording after this; it is not used and costs time for each answer.
          setImmediate(() => client.removeAllListeners('response'));
        },
      },
      () => {},
    );
    this.sweep = setInterval(() => this.sweepOnce(), sweepIntervalMs(options.timeoutUs));
  }

  get sideInFlight(): number {
    return 0;
  }

  get inFlight(): number {
    return this.load.inFlight;
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.load.leftOut;
  }

  get addressesUsed(): ReadonlyMap<string, number> {
    return this.load.addressesUsed;
  }

  start(): void {
    for (const client of this.clients) client.start();
  }

  drain(): void {
    this.load.draining = true;
    for (const client of this.clients) client.drain();
  }

  abort(): void {
    this.load.draining = true;
    for (const client of this.clients) client.abort();
  }

  private sweepOnce(): void {
    const nowUs = this.load.now();
    for (const client of this.clients) client.checkTimeout(nowUs);
    this.load.closeRetired(nowUs);
  }

  private close(resolve: () => void): void {
    clearInterval(this.sweep);
    this.load.closeRetired(Number.POSITIVE_INFINITY);
    this.tracker.stop();
    resolve();
  }
}

function sweepIntervalMs(timeoutUs: number): number {
  return Math.min(250, Math.max(10, timeoutUs / 1_000 / 100));
}

function endpointOf(targetUrl: string): ConstructorParameters<typeof StageLoad>[1] {
  const url = new URL(targetUrl);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { addresses: new Addresses(hostname), port, tlsName: isSecure ? hostname : null };
}
