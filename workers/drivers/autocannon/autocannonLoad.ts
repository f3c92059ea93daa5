import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { Addresses } from '../addresses.ts';
import type { DialShare } from '../dialler.ts';
import { Endpoint, type EndpointSettings } from '../endpoint.ts';
import { DEFAULT_LIMITS, ResponseFramer } from '#framer/framer.ts';
import { SeenHeaders } from '../seenHeaders.ts';
import { StageLoad, type StageLoadOptions } from '../stageLoad.ts';

export interface AutocannonOptions extends StageLoadOptions {
  readonly endpoint: EndpointSettings;
  readonly connections: number;
  readonly timeoutUs: number;
}

/** State shared by the clients of one autocannon instance. */
export class AutocannonLoad extends StageLoad implements DialShare {
  readonly steps: readonly DrivenStep[];
  readonly timeoutUs: number;
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly headers: SeenHeaders;

  constructor(options: AutocannonOptions) {
    super(options);
    this.steps = options.steps;
    this.timeoutUs = options.timeoutUs;
    this.endpoint = new Endpoint(options.endpoint);
    this.addresses = this.endpoint.createAddresses(this.now);
    this.headers = new SeenHeaders(this, this.servers);
  }

  silent(address: string): void {
    this.countSilence(address);
  }

  createFramer(): ResponseFramer {
    return new ResponseFramer(this.headers.plan, DEFAULT_LIMITS);
  }
}
