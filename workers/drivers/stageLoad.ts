import type { Socket } from 'node:net';
import { MOST_NAMES, OTHERS, shortName } from '#core/base/foreignNames.ts';
import type { Clock } from '#workers/clock.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { WalkReports } from '../journey/scriptedWalk.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import { CACHE_HEADERS, cameFromCache } from '#core/measurement/cache/fromCache.ts';
import type { ServerNames } from './addresses.ts';
import { Farewells } from './farewells.ts';
import { HealthyPace } from './healthyPace.ts';

const NAMES: ReadonlySet<string> = new Set(CACHE_HEADERS);

/** Tells which answers came from a cache. One for all connections to a target: an answer is judged before the next one is read. */
export class CacheWords {
  private readonly values = new Map<string, string>();
  private readonly headerOf = (name: string): string | null => this.values.get(name) ?? null;

  /** Of an answer with these values of the headers that are called `names`, in lower case; null where they do not say. */
  ofValues(names: readonly string[], values: readonly (string | undefined)[]): boolean | null {
    this.values.clear();
    for (let at = 0; at < names.length; at += 1) this.keep(names[at] ?? '', values[at]);
    return this.values.size === 0 ? null : cameFromCache(this.headerOf);
  }

  private keep(name: string, value: string | undefined): void {
    if (value !== undefined && NAMES.has(name)) this.values.set(name, value);
  }
}

export interface StageLoadOptions {
  /** Requests that are always the same; none where journeys are walked by a script. */
  readonly steps: readonly DrivenStep[];
  /** Steps of a journey; Infinity where a flow says how many. */
  readonly stepCount: number;
  readonly recorder: StageRecorder;
  readonly now: Clock;
  readonly journeys: number | null;
  readonly cutRequests: number;
  /** Requests that the run may still start, shared by all threads; null without such a limit. */
  readonly budget: Int32Array | null;
  /** Keeps requests for people to look at; null when nobody will. */
  readonly sampler: Sampler | null;
  /** Tells which of several servers an answer is from; null or left out where one does all the work. */
  readonly servers?: ServerNames | null;
  /** Whether it is counted which answers came from a cache. */
  readonly countsCache?: boolean | undefined;
  /** Of all stages on this thread; left out, the stage begins with none. */
  readonly pace?: HealthyPace | undefined;
  readonly reports?: WalkReports | undefined;
  onBudgetSpent(): void;
  /** Told once, of the first complete answer. */
  onServer(server: string | null, atUs: number): void;
}

const LINGER_US = 1_000_000;
/** Of what a server calls itself, and of a host that a page links to. */
const LONGEST_NAME = 200;

/** What the connections of one stage and target have in common on one thread. */
export class StageLoad {
  readonly recorder: StageRecorder;
  readonly now: Clock;
  readonly sampler: Sampler | null;
  readonly servers: ServerNames | null;
  /** Tells which answers came from a cache; null where nobody asks. */
  readonly cacheWords: CacheWords | null;
  /** One buffer for all sockets of the stage: an answer is parsed before the next read. */
  readonly readBuffer = Buffer.allocUnsafeSlow(65_536);
  readonly farewells: Farewells;
  readonly pace: HealthyPace;
  draining = false;
  /** Somebody ended the run: what was begun is not finished either. */
  stopped = false;
  /** Outstanding requests are given up, and what waits to be sent is not sent. */
  aborted = false;
  inFlight = 0;
  /** Side calls that are owed an answer. */
  sideInFlight = 0;
  journeysLeft: number;
  serverSeen = false;
  /** Requests by the address that they were sent to. */
  readonly addressesUsed = new Map<string, number>();
  /** Connection attempts without a response, by address. */
  readonly silentAddresses = new Map<string, number>();
  /** Links of pages to hosts that are not asked, by host. */
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

  /** Whether one more request may start; false ends the connection that asks. */
  mayStart(): boolean {
    return !this.draining && this.mayFetch();
  }

  /** Whether a page that was begun may ask for one thing more that it links to: also when the time of its stage is over. */
  mayFetch(): boolean {
    if (this.stopped) return false;
    const { budget } = this.options;
    if (budget === null || Atomics.sub(budget, 0, 1) > 0) return true;
    this.draining = true;
    this.stopped = true;
    this.options.onBudgetSpent();
    return false;
  }

  /** Takes one journey; its number of requests. */
  takeJourney(): number {
    this.journeysLeft -= 1;
    return this.options.stepCount - (this.journeysLeft === 0 ? this.options.cutRequests : 0);
  }

  /** `header`: what the first complete answer says of the server's software; undefined where it says nothing. */
  sawServer(header: string | undefined, atUs: number): void {
    this.serverSeen = true;
    this.options.onServer(header === undefined ? null : shortName(header, LONGEST_NAME), atUs);
  }

  countLeftOut(host: string): void {
    const called = this.leftOut.has(host) ? host : shortName(host, LONGEST_NAME);
    const name = this.leftOut.has(called) || this.leftOut.size < MOST_NAMES ? called : OTHERS;
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
  }

  countAddress(address: string): void {
    this.addressesUsed.set(address, (this.addressesUsed.get(address) ?? 0) + 1);
  }

  countSilence(address: string): void {
    this.silentAddresses.set(address, (this.silentAddresses.get(address) ?? 0) + 1);
  }

  /**
   * Lets the server close a connection that it said it would: who closes first keeps the port in TIME_WAIT, and that should
   * not be us. A server that does not keep its word is helped after a second.
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
