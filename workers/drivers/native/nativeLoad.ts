import type { Plan } from '#core/plan/schema.ts';
import type { Socket } from 'node:net';
import { BODY_HEADERS, KeptAnswer } from '#workers/bodyCheck/keptAnswer.ts';
import { PlainWalk } from '#workers/journey/plainWalk.ts';
import type { Script } from '#workers/journey/script.ts';
import { ScriptedWalk } from '#workers/journey/scriptedWalk.ts';
import type { Walk } from '#workers/journey/walk.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import type { Clock } from '#workers/clock.ts';
import { StageLoad, type StageLoadOptions } from '../stageLoad.ts';
import type { ConnectionShare } from './connection.ts';
import { Addresses } from '../addresses.ts';
import { Endpoint, type EndpointSettings } from './endpoint.ts';
import type { FramerLimits, ResponseFramer } from './framer/framer.ts';
import { type HeaderPlan, planHeaders } from './framer/headerPlan.ts';
import type { TimeLimits } from './timeLimits.ts';

export type ConnectionReuse = Plan['connections']['reuse'];

export interface NativeLoadOptions extends Omit<StageLoadOptions, 'timeoutUs'> {
  readonly endpoint: EndpointSettings;
  readonly reuse: ConnectionReuse;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  /** How journeys are walked that are not always the same; null when they are. */
  readonly script: Script | null;
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
  readonly sampler: Sampler | null;
  private readonly reads: boolean;
  readonly headerPlan: HeaderPlan;
  readonly readBuffer: Buffer;
  readonly reuse: ConnectionReuse;
  private readonly options: NativeLoadOptions;
  private readonly onUserEnded: () => void;

  constructor(options: NativeLoadOptions, onUserEnded: () => void) {
    const endpoint = new Endpoint(options.endpoint);
    this.options = options;
    this.onUserEnded = onUserEnded;
    this.endpoint = endpoint;
    this.addresses = new Addresses(endpoint.host, endpoint.families);
    this.stepCount = options.stepCount;
    const { script } = options;
    this.reads = script !== null || options.steps.some(({ reader }) => reader !== null);
    this.headerPlan = planHeaders(['server', ...(script?.headers ?? (this.reads ? BODY_HEADERS : []))]);
    this.now = options.now;
    this.limits = options.limits;
    this.framerLimits = options.framerLimits;
    this.sampler = options.sampler;
    this.seed = script?.seed ?? 0;
    this.reuse = options.reuse;
    this.stage = new StageLoad(
      { ...options, timeoutUs: options.limits.totalUs },
      { addresses: this.addresses, port: endpoint.port, tlsName: endpoint.isSecure ? endpoint.host : null },
    );
    this.readBuffer = this.stage.readBuffer;
  }

  sawServer(framer: ResponseFramer, atUs: number): void {
    this.stage.serverSeen = true;
    this.options.onServer(framer.wanted[0] ?? null, atUs);
  }

  /** What keeps the answers of one connection for those who look into them; null when nobody does. */
  keptAnswerOf(framer: ResponseFramer): KeptAnswer | null {
    return this.reads ? new KeptAnswer(framer, this.headerPlan.wanted) : null;
  }

  newWalk(): Walk {
    const { script, steps } = this.options;
    return script === null ? new PlainWalk(steps) : new ScriptedWalk(script);
  }

  /** Lets the server close a connection first, as it will when it said so, but not for ever. */
  retire(socket: Socket | null): void {
    if (socket !== null) this.stage.retire(socket);
  }

  userEnded(): void {
    this.onUserEnded();
  }
}
