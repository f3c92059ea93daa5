import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Addresses } from '../addresses.ts';
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

  constructor(options: AutocannonOptions) {
    super(options);
    this.steps = options.steps;
    this.timeoutUs = options.timeoutUs;
    this.endpoint = endpointOf(options.targetUrl);
  }

  /** Which of several servers gave an answer with these headers; null where one does all the work. */
  serverOf(headers: readonly string[]): string | null {
    const { servers } = this;
    if (servers === null) return null;
    return servers.nameOf(servers.header === null ? undefined : headerOf(headers, servers.header));
  }
}

/** Names and values follow each other in `headers`; `name` is in lower case. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const index = headers.findIndex((text, position) => position % 2 === 0 && text.toLowerCase() === name);
  return index < 0 ? undefined : headers[index + 1];
}

function endpointOf(targetUrl: string): Endpoint {
  const url = new URL(targetUrl);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { addresses: new Addresses(hostname), port, tlsName: isSecure ? hostname : null };
}
