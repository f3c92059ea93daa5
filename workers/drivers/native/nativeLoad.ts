import type { Plan } from '#core/plan/schema.ts';
import type { Socket } from 'node:net';
import { AnswerChecks, CHECK_HEADERS } from '#workers/bodyCheck/answerChecks.ts';
import type { Clock } from '#workers/clock.ts';
import { type DrivenStep, StageLoad, type StageLoadOptions } from '../stageLoad.ts';
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
}

/** What the connections of one stage and target have in common on one thread. */
export class NativeLoad implements ConnectionShare {
  readonly stage: StageLoad;
  readonly steps: readonly DrivenStep[];
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly now: Clock;
  readonly limits: TimeLimits;
  readonly framerLimits: FramerLimits;
  readonly hasChecks: boolean;
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
    this.steps = options.steps;
    this.hasChecks = options.steps.some(({ checks }) => checks !== null);
    this.headerPlan = planHeaders(this.hasChecks ? ['server', ...CHECK_HEADERS] : ['server']);
    this.now = options.now;
    this.limits = options.limits;
    this.framerLimits = options.framerLimits;
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

  /** What looks at the answers of one connection; null when no step has checks. */
  checksOf(framer: ResponseFramer): AnswerChecks | null {
    return this.hasChecks ? new AnswerChecks(framer, 1) : null;
  }

  /** Lets the server close a connection first, as it will when it said so, but not for ever. */
  retire(socket: Socket | null): void {
    if (socket !== null) this.stage.retire(socket);
  }

  userEnded(): void {
    this.onUserEnded();
  }
}
