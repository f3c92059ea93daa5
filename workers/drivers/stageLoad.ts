import type { Socket } from 'node:net';
import { MAX_NAMES, OTHERS, truncateName } from '#core/base/foreignNames.ts';
import type { Clock } from '#workers/clock.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import { CACHE_HEADERS, cameFromCache } from '#core/measurement/cache/figures.ts';
import type { WalkReports } from '../journey/scriptedWalk.ts';
import type { ServerNames } from './addresses.ts';
import { HealthyPace } from './loadDriver.ts';

const CACHE_HEADER_NAMES: ReadonlySet<string> = new Set(CACHE_HEADERS);

/** Detects responses from a cache. One instance per target is enough, because each response is judged before the next one is read. */
export class CacheWords {
  private readonly values = new Map<string, string>();
  private readonly headerOf = (name: string): string | null => this.values.get(name) ?? null;

  /** Judges a response by its values of the headers `names` (in lower case). Returns null if the values make no statement. */
  isCachedByHeaders(names: readonly string[], values: readonly (string | undefined)[]): boolean | null {
    this.values.clear();
    for (let at = 0; at < names.length; at += 1) this.keep(names[at] ?? '', values[at]);
    return this.values.size === 0 ? null : cameFromCache(this.headerOf);
  }

  private keep(name: string, value: string | undefined): void {
    if (value !== undefined && CACHE_HEADER_NAMES.has(name)) this.values.set(name, value);
  }
}

export interface StageLoadOptions {
  /** Requests of a journey that never varies; empty if a script creates the requests. */
  readonly steps: readonly DrivenStep[];
  /** Number of steps of a journey; Infinity if the plan has a flow. */
  readonly stepCount: number;
  readonly recorder: StageRecorder;
  readonly now: Clock;
  readonly journeys: number | null;
  readonly cutRequests: number;
  /** Number of requests that the run may still send, shared by all threads; null if there is no budget. */
  readonly budget: Int32Array | null;
  /** Keeps samples of requests; null if none are kept. */
  readonly sampler: Sampler | null;
  /** Identifies the server of a response; null or left out if there is only one server. */
  readonly servers?: ServerNames | null;
  readonly countsCache?: boolean | undefined;
  /** Pace of all stages on this thread; if left out, the stage starts with a new pace. */
  readonly pace?: HealthyPace | undefined;
  readonly reports?: WalkReports | undefined;
  onBudgetSpent(): void;
  /** Called once, at the first complete response. */
  onServer(server: string | null, atUs: number): void;
}

const LINGER_US = 1_000_000;
/** Maximum length of the software name of a server and of a host in a page link. */
const MAX_NAME_LENGTH = 200;

/** State that the connections of one thread for one stage and one target share. */
export class StageLoad {
  readonly recorder: StageRecorder;
  readonly now: Clock;
  readonly sampler: Sampler | null;
  readonly servers: ServerNames | null;
  /** Detects responses from a cache; null if the plan does not count them. */
  readonly cacheWords: CacheWords | null;
  /** One buffer for the sockets of all these connections, because each response is framed before the next read. */
  readonly readBuffer = Buffer.allocUnsafeSlow(65_536);
  readonly farewells: Farewells;
  readonly pace: HealthyPace;
  draining = false;
  /** Whether the run was stopped. Pages that have started are then not completed. */
  stopped = false;
  /** Whether requests in flight are abandoned and waiting requests are not sent. */
  aborted = false;
  inFlight = 0;
  sideInFlight = 0;
  journeysLeft: number;
  serverSeen = false;
  private readonly requestsByAddress = new Map<string, { requests: number }>();
  /** Address of the last request, because most requests of a stage go to one address. */
  private lastAddress: { readonly address: string; readonly count: { requests: number } } | null = null;
  /** Number of connection attempts without a response, by address. */
  readonly silentAddresses = new Map<string, number>();
  /** Number of page links that were left out, by host. */
  readonly leftOut = new Map<string, number>();
  private readonly options: StageLoadOptions;
  private readonly retired = new Map<Socket, number>();

  constructor(options: StageLoadOptions) {
    this.options = options;
    this.recorder = options.recorder;
    this.now = options.now;
    this.farewells = new Farewells(options.now);
    this.pace = options.pace ?? new HealthyPace();
    this.sampler = options.sampler;
    this.servers = options.servers ?? null;
    this.cacheWords = options.countsCache === true ? new CacheWords() : null;
    this.journeysLeft = options.journeys ?? Number.POSITIVE_INFINITY;
  }

  abort(): void {
    this.draining = true;
    this.aborted = true;
  }

  /** Returns whether one more request may start, and if so, takes it from the budget. If not, the calling connection ends. */
  mayStart(): boolean {
    return !this.draining && this.mayFetch();
  }

  /**
   * Returns whether a started page may fetch another resource, also after the end of its stage. If so, takes the request from the budget.
   */
  mayFetch(): boolean {
    if (this.stopped) return false;
    const { budget } = this.options;
    if (budget === null || Atomics.sub(budget, 0, 1) > 0) return true;
    this.draining = true;
    this.stopped = true;
    this.options.onBudgetSpent();
    return false;
  }

  /** Takes one journey and returns the journey's number of requests. */
  takeJourney(): number {
    this.journeysLeft -= 1;
    return this.options.stepCount - (this.journeysLeft === 0 ? this.options.cutRequests : 0);
  }

  /** `header` is the Server header of the first complete response; undefined if it has none. */
  sawServer(header: string | undefined, atUs: number): void {
    this.serverSeen = true;
    this.options.onServer(header === undefined ? null : truncateName(header, MAX_NAME_LENGTH), atUs);
  }

  countLeftOut(host: string): void {
    const called = this.leftOut.has(host) ? host : truncateName(host, MAX_NAME_LENGTH);
    const name = this.leftOut.has(called) || this.leftOut.size < MAX_NAMES ? called : OTHERS;
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
  }

  countAddress(address: string): void {
    if (this.lastAddress?.address !== address) {
      const count = this.requestsByAddress.get(address) ?? { requests: 0 };
      this.requestsByAddress.set(address, count);
      this.lastAddress = { address, count };
    }
    this.lastAddress.count.requests += 1;
  }

  /** Number of requests by address. */
  get addressesUsed(): ReadonlyMap<string, number> {
    return new Map([...this.requestsByAddress].map(([address, { requests }]) => [address, requests]));
  }

  countSilence(address: string): void {
    this.silentAddresses.set(address, (this.silentAddresses.get(address) ?? 0) + 1);
  }

  /**
   * Lets the server close a connection, as the server announced: the side that closes first keeps the port in TIME_WAIT. After one second,
   * this side closes the connection.
   */
  retire(socket: Socket): void {
    if (socket.destroyed) return;
    this.retired.set(socket, this.now() + LINGER_US);
    socket.once('close', () => this.retired.delete(socket));
  }

  closeRetired(byUs: number): void {
    for (const [socket, deadlineUs] of this.retired) {
      if (deadlineUs > byUs) return;
      this.retired.delete(socket);
      socket.destroy();
    }
  }
}

const BATCH_INTERVAL_MS = 5;
/** Maximum number of sockets that are closed together. Writing to a socket and destroying it take about 10 µs each, which delays reads. */
const MAX_BATCH_SIZE = 200;

/**
 * Closes connections gracefully: sends the last bytes, then discards received data until the server closes, for at most one second.
 * Destroying a socket with unread data would reset the connection, and the server could lose the last bytes. Thousands of connections are
 * closed in batches.
 */
export class Farewells {
  private readonly now: Clock;
  private readonly lastBytesOf = new Map<Socket, Buffer>();
  /** Time until which the server may close each socket, in chronological order. */
  private readonly closing = new Map<Socket, number>();
  private timer: NodeJS.Timeout | null = null;
  private waiting: (() => void)[] = [];

  constructor(now: Clock) {
    this.now = now;
  }

  /** Sends the last bytes to a socket that has no other users, and closes it. */
  closeAfter(socket: Socket, lastBytes: Buffer): void {
    if (socket.destroyed) return;
    this.lastBytesOf.set(socket, lastBytes);
    socket.once('close', () => this.forget(socket));
    this.timer ??= setInterval(() => this.closeBatch(), BATCH_INTERVAL_MS);
  }

  /** Resolves when all connections are closed, at most a little more than one second later. */
  async waitUntilClosed(): Promise<void> {
    if (this.timer !== null) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private closeBatch(): void {
    const nowUs = this.now();
    let left = MAX_BATCH_SIZE;
    for (const [socket, lastBytes] of this.lastBytesOf) {
      if (left === 0) return;
      left -= 1;
      this.lastBytesOf.delete(socket);
      this.closing.set(socket, nowUs + LINGER_US);
      socket.write(lastBytes);
    }
    for (const [socket, untilUs] of this.closing) {
      if (left === 0 || untilUs > nowUs) return;
      left -= 1;
      socket.destroy();
      this.forget(socket);
    }
  }

  private forget(socket: Socket): void {
    this.lastBytesOf.delete(socket);
    this.closing.delete(socket);
    if (this.lastBytesOf.size + this.closing.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
