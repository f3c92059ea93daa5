import type { Socket } from 'node:net';
import type { Plan } from '#core/plan/schema/plan.ts';
import { BODY_HEADERS, KeptAnswer } from '#workers/bodyCheck/keptAnswer.ts';
import { PlainWalk, type Walk } from '#workers/journey/plainWalk.ts';
import type { Script, ScriptedBackground } from '#workers/journey/script.ts';
import { ScriptedWalk } from '#workers/journey/scriptedWalk.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import type { Clock } from '#workers/clock.ts';
import type { FramedAnswer } from '#workers/framer/framedAnswer.ts';
import { type FramerLimits, ResponseFramer } from '#workers/framer/framer.ts';
import { SeenHeaders } from '../seenHeaders.ts';
import { StageLoad, type StageLoadOptions } from '../stageLoad.ts';
import type { Addresses, ServerNames } from '../addresses.ts';
import { LinkCache } from './pages/linkCache.ts';
import { PageStyles } from './pages/pageStyles.ts';
import type { AfterReads } from './afterReads.ts';
import { Connection } from './connection.ts';
import { Endpoint, type EndpointSettings } from '../endpoint.ts';
import { Http2Carrier } from './http2/carrier.ts';
import { Http2Transport } from './http2/stream.ts';
import type { TimeLimits } from './timeLimits.ts';
import type { ConnectionShare, Transport, TransportListener } from './transport.ts';

export type ConnectionReuse = Plan['connections']['reuse'];

export interface NativeLoadOptions extends StageLoadOptions {
  readonly endpoint: EndpointSettings;
  readonly reuse: ConnectionReuse;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  /** How journeys are walked that are not always the same; null when they are. */
  readonly script: Script | null;
  /** Where connections go on when all sockets are read; left out where each goes on when its own time comes. */
  readonly afterReads?: AfterReads;
}

/** What the connections of one stage and target have in common on one thread. */
export class NativeLoad implements ConnectionShare {
  readonly stage: StageLoad;
  readonly stepCount: number;
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly now: Clock;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  readonly seed: number;
  /** Of the plan, where all of it belongs to one. */
  readonly stageIndex: number;
  readonly sampler: Sampler | null;
  private readonly reads: boolean;
  readonly headers: SeenHeaders;
  /** Names the server of a response; null where one does all the work, and for targets beside that of the load. */
  readonly servers: ServerNames | null;
  readonly readBuffer: Buffer;
  readUs = 0;
  readonly reuse: ConnectionReuse;
  /** Whether steps have pages that are fetched as a whole. */
  readonly fetchesPages: boolean;
  /** Whether steps are sent that are part of no figure. */
  readonly makesSideCalls: boolean;
  /** Whether steps or redirects are sent to other targets than that of the load. */
  readonly hasNamedTargets: boolean;
  /** Whether the answers of steps are streams, which stay open. */
  readonly holdsStreams: boolean;
  /** Of the server. */
  readonly origin: string;
  /** What each user sends beside their journeys. */
  readonly background: readonly ScriptedBackground[];
  readonly styles = new PageStyles();
  readonly links = new LinkCache(this.styles);
  readonly afterReads: AfterReads | null;
  private readonly elsewhere = new Map<string, NativeLoad>();
  private readonly options: NativeLoadOptions;
  private readonly onUserEnded: () => void;

  /** `stage`: that of another target, where this one is asked on behalf of it. */
  constructor(options: NativeLoadOptions, onUserEnded: () => void, stage: StageLoad | null = null) {
    const endpoint = new Endpoint(options.endpoint);
    this.options = options;
    this.onUserEnded = onUserEnded;
    this.endpoint = endpoint;
    this.addresses = endpoint.newAddresses(options.now);
    this.stepCount = options.stepCount;
    const { script } = options;
    this.reads = script !== null || options.steps.some(({ reader }) => reader !== null);
    this.stage = stage ?? new StageLoad(options);
    this.servers = stage === null ? this.stage.servers : null;
    this.headers = new SeenHeaders(this.stage, this.servers, script?.headers ?? (this.reads ? BODY_HEADERS : []));
    this.now = options.now;
    this.afterReads = options.afterReads ?? null;
    this.limits = options.limits;
    this.framerLimits = options.framerLimits;
    this.sampler = options.sampler;
    this.seed = script?.seed ?? 0;
    this.stageIndex = script?.stage ?? 0;
    this.reuse = options.reuse;
    this.fetchesPages = script?.steps.some(({ pageRules }) => pageRules !== null) ?? false;
    this.holdsStreams = script?.steps.some(({ stream }) => stream !== null) ?? false;
    this.background = script?.background ?? [];
    this.makesSideCalls = script?.steps.some(({ sideOrigin }) => sideOrigin !== null) ?? false;
    this.hasNamedTargets = (script?.headersByOrigin.size ?? 0) > 1;
    this.origin = new URL(options.endpoint.targetUrl).origin;
    this.readBuffer = this.stage.readBuffer;
  }

  get isAborted(): boolean {
    return this.stage.aborted;
  }

  /** Nobody reads headers of the answers that follow the first. */
  get readsNoMore(): boolean {
    return !this.reads && this.headers.isOver;
  }

  /** Value of a header that is kept, by its name in lower case. */
  headerOf(framed: FramedAnswer, name: string): string | undefined {
    return framed.wanted[this.headers.plan.wanted.indexOf(name)];
  }

  /** What keeps the answers of one connection for those who look into them; null when nobody does. */
  keptAnswerOf(framed: FramedAnswer): KeptAnswer | null {
    return this.reads ? new KeptAnswer(framed, this.headers.plan.wanted) : null;
  }

  /** Connections to another server that belong to the same load. Only targets of the plan see its client certificate. */
  towards(origin: string): NativeLoad {
    let load = this.elsewhere.get(origin);
    if (load === undefined) {
      const { endpoint, script } = this.options;
      const isTarget = script?.headersByOrigin.has(origin) === true;
      const tls = { ...endpoint.tls, serverName: null, ...(isTarget ? {} : { clientCertificate: null }) };
      load = new NativeLoad({ ...this.options, endpoint: { ...endpoint, targetUrl: origin, tls, socketPath: null } }, () => {}, this.stage);
      this.elsewhere.set(origin, load);
    }
    return load;
  }

  /** A connection of HTTP/2 for those who share one; null where each has connections of HTTP/1.1 of its own. */
  newCarrier(): Http2Carrier | null {
    return this.options.endpoint.protocol === 'h2' ? new Http2Carrier(this) : null;
  }

  /** What sends requests one at a time: over a connection of its own, or over that of the carrier. */
  newTransport(carrier: Http2Carrier | null, listener: TransportListener): Transport {
    if (carrier === null) return new Connection(this, new ResponseFramer(this.headers.plan, this.framerLimits), listener);
    return new Http2Transport(carrier, this, { headers: this.headers.plan, limits: this.framerLimits }, listener);
  }

  newWalk(): Walk {
    const { script, steps, reports } = this.options;
    return script === null ? new PlainWalk(steps) : new ScriptedWalk(script, undefined, null, reports ?? null);
  }

  silent(address: string): void {
    this.stage.countSilence(address);
  }

  /** Lets the server close a connection first, as it will when it said so, but not for ever. */
  retire(socket: Socket | null): void {
    if (socket !== null) this.stage.retire(socket);
  }

  /** Ends a connection whose server is told so, and may still be talking. */
  part(socket: Socket | null, lastWords: Buffer): void {
    if (socket !== null) this.stage.farewells.say(socket, lastWords);
  }

  userEnded(): void {
    this.onUserEnded();
  }
}
