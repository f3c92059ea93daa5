import type { Socket } from 'node:net';
import type { Plan } from '#core/plan/schema/plan.ts';
import { BODY_HEADERS, KeptResponse } from '#workers/bodyCheck/keptResponse.ts';
import { PlainWalk, type Walk } from '#workers/journey/plainWalk.ts';
import type { Script, ScriptedBackground } from '#workers/journey/script.ts';
import { ScriptedWalk } from '#workers/journey/scriptedWalk.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import type { Clock } from '#workers/clock.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';
import { type FramerLimits, ResponseFramer } from '#framer/framer.ts';
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
import type { TimeLimits, ConnectionShare, Transport, TransportListener } from './transport.ts';

export type ConnectionReuse = Plan['connections']['reuse'];

export interface NativeLoadOptions extends StageLoadOptions {
  readonly endpoint: EndpointSettings;
  readonly reuse: ConnectionReuse;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  /** Script of journeys that differ; null if all journeys send the same requests. */
  readonly script: Script | null;
  /** Sends the next requests in batches after all sockets are read; left out if each request is sent at its own time. */
  readonly afterReads?: AfterReads;
}

/** State that all connections of one thread for one stage and one target share. */
export class NativeLoad implements ConnectionShare {
  readonly stage: StageLoad;
  readonly stepCount: number;
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly now: Clock;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  readonly seed: number;
  /** Index of the plan's stage, if the load belongs to only one stage. */
  readonly stageIndex: number;
  readonly sampler: Sampler | null;
  private readonly readsBodies: boolean;
  readonly headers: SeenHeaders;
  /** Names the server of a response; null if there is only one server, and for loads of other targets than the main target. */
  readonly servers: ServerNames | null;
  readonly readBuffer: Buffer;
  readUs = 0;
  readonly reuse: ConnectionReuse;
  /** Whether steps fetch pages with their resources. */
  readonly fetchesPages: boolean;
  /** Whether steps send side calls, which no figure includes. */
  readonly makesSideCalls: boolean;
  /** Whether steps or redirects use targets other than the main target. */
  readonly hasNamedTargets: boolean;
  /** Whether some responses are streams, which stay open. */
  readonly holdsStreams: boolean;
  readonly origin: string;
  /** Background requests that each user sends beside the journeys. */
  readonly background: readonly ScriptedBackground[];
  readonly styles = new PageStyles();
  readonly links = new LinkCache(this.styles);
  readonly afterReads: AfterReads | null;
  private readonly loadsByOrigin = new Map<string, NativeLoad>();
  private readonly options: NativeLoadOptions;
  private readonly onUserEnded: () => void;

  /** `stage` is the stage of the main target if this load sends the main target's requests to another target. */
  constructor(options: NativeLoadOptions, onUserEnded: () => void, stage: StageLoad | null = null) {
    const endpoint = new Endpoint(options.endpoint);
    this.options = options;
    this.onUserEnded = onUserEnded;
    this.endpoint = endpoint;
    this.addresses = endpoint.createAddresses(options.now);
    this.stepCount = options.stepCount;
    const { script } = options;
    this.readsBodies = script !== null || options.steps.some(({ reader }) => reader !== null);
    this.stage = stage ?? new StageLoad(options);
    this.servers = stage === null ? this.stage.servers : null;
    this.headers = new SeenHeaders(this.stage, this.servers, script?.headers ?? (this.readsBodies ? BODY_HEADERS : []));
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

  /** Whether the headers of later responses need not be read. */
  get needsNoMoreHeaders(): boolean {
    return !this.readsBodies && this.headers.isOver;
  }

  /** Returns the value of a kept header by its name in lower case. */
  headerOf(framed: FramedResponse, name: string): string | undefined {
    return framed.wanted[this.headers.plan.wanted.indexOf(name)];
  }

  /** Returns the buffer that keeps the response bodies of one connection; null if no step reads bodies. */
  keepResponse(framed: FramedResponse): KeptResponse | null {
    return this.readsBodies ? new KeptResponse(framed, this.headers.plan.wanted) : null;
  }

  /** Returns the load for another server of the same plan. The client certificate of the plan is used only for its targets. */
  loadFor(origin: string): NativeLoad {
    let load = this.loadsByOrigin.get(origin);
    if (load === undefined) {
      const { endpoint, script } = this.options;
      const isTarget = script?.headersByOrigin.has(origin) === true;
      const tls = { ...endpoint.tls, serverName: null, ...(isTarget ? {} : { clientCertificate: null }) };
      load = new NativeLoad({ ...this.options, endpoint: { ...endpoint, targetUrl: origin, tls, socketPath: null } }, () => {}, this.stage);
      this.loadsByOrigin.set(origin, load);
    }
    return load;
  }

  /** Returns a new HTTP/2 connection that several users share; null if the protocol is HTTP/1.1. */
  createCarrier(): Http2Carrier | null {
    return this.options.endpoint.protocol === 'h2' ? new Http2Carrier(this) : null;
  }

  /** Returns a transport for one request at a time: over a separate connection, or over the carrier's connection. */
  createTransport(carrier: Http2Carrier | null, listener: TransportListener): Transport {
    if (carrier === null) return new Connection(this, new ResponseFramer(this.headers.plan, this.framerLimits), listener);
    return new Http2Transport(carrier, this, { headers: this.headers.plan, limits: this.framerLimits }, listener);
  }

  createWalk(): Walk {
    const { script, steps, reports } = this.options;
    return script === null ? new PlainWalk(steps) : new ScriptedWalk(script, undefined, null, reports ?? null);
  }

  silent(address: string): void {
    this.stage.countSilence(address);
  }

  /** Waits for a limited time until the server closes the connection, then closes it. */
  retire(socket: Socket | null): void {
    if (socket !== null) this.stage.retire(socket);
  }

  /** Sends the last bytes, then closes the connection even if the server is still sending. */
  closeAfter(socket: Socket | null, lastBytes: Buffer): void {
    if (socket !== null) this.stage.farewells.closeAfter(socket, lastBytes);
  }

  userEnded(): void {
    this.onUserEnded();
  }
}
