import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Addresses } from '../addresses.ts';
import { DEFAULT_LIMITS, ResponseFramer } from '#workers/framer/framer.ts';
import { SeenHeaders } from '../seenHeaders.ts';
import { StageLoad, type StageLoadOptions } from '../stageLoad.ts';

export interface Endpoint {
  readonly addresses: Addresses;
  readonly port: number;
  /** Name for TLS; null for plain HTTP. */
  readonly tlsName: string | null;
}

export interface AutocannonOptions extends StageLoadOptions {
  readonly targetUrl: string;
  readonly connections: number;
  readonly timeoutUs: number;
}

/** What the clients of one autocannon instance have in common. */
export class AutocannonLoad extends StageLoad {
  readonly steps: readonly DrivenStep[];
  readonly timeoutUs: number;
  readonly endpoint: Endpoint;
  readonly headers: SeenHeaders;

  constructor(options: AutocannonOptions) {
    super(options);
    this.steps = options.steps;
    this.timeoutUs = options.timeoutUs;
    this.endpoint = endpointOf(options.targetUrl);
    this.headers = new SeenHeaders(this);
  }

  newFramer(): ResponseFramer {
    return new ResponseFramer(this.headers.plan, DEFAULT_LIMITS);
  }
}

function endpointOf(targetUrl: string): Endpoint {
  const url = new URL(targetUrl);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { addresses: new Addresses(hostname), port, tlsName: isSecure ? hostname : null };
}
