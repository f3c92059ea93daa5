import { redirectsName } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Sample, SampleMessage } from '#core/work/samples/schema.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** A request with its complete response, unmasked. It must never be stored. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Sent body; null if there was none, or if it was not text. */
  readonly body: string | null;
  /** Fields of a form, if the recording does not contain its body. */
  readonly fields?: Headers;
  /** Messages that the client sent over a WebSocket. */
  readonly sentMessages?: readonly string[];
  readonly status: number;
  readonly responseHeaders: Headers;
  /** Text of the response; null if it has none. */
  readonly text: string | null;
  readonly bytes: number;
}

/** A step of a walk: its request, then the requests that followed redirects. */
export interface WalkedStep {
  readonly step: string;
  readonly exchanges: readonly Exchange[];
  /** Reason why the response differs from what the plan expects; null if it does not, and always null in a recording. */
  readonly failure: string | null;
}

/** One walk through a journey, by a person or by Holdfast, in the order of the steps. */
export type Walk = readonly WalkedStep[];

/** Returns the last response to a step, which captures read. */
export function lastOf({ exchanges }: WalkedStep): Exchange | null {
  return exchanges.at(-1) ?? null;
}

export function headerOf(headers: Headers, name: string): string | null {
  return headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? null;
}

/** Returns the cookies that responses set before a step, by name. */
export function cookiesBefore(walk: Walk, step: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const walked of walk) {
    if (walked.step === step) break;
    for (const { responseHeaders } of walked.exchanges)
      for (const [name, value] of listSetCookies(responseHeaders)) cookies.set(name, value);
  }
  return cookies;
}

/** Returns name and value of each cookie that a response sets. */
export function listSetCookies(responseHeaders: Headers): [string, string][] {
  return responseHeaders
    .filter(([name]) => /^set-cookie$/i.test(name))
    .flatMap(([, lines]) => lines.split('\n'))
    .flatMap((line): [string, string][] => {
      const equals = line.indexOf('=');
      return equals <= 0 ? [] : [[line.slice(0, equals).trim(), (line.slice(equals + 1).split(';', 1)[0] ?? '').trim()]];
    });
}

/** Converts the samples of a tried journey to a walk, without page resources. */
export function walkOfSamples({ journey }: Pick<Plan, 'journey'>, samples: readonly Sample[]): Walk {
  const names = new Set(journey.map(({ name }) => name));
  const redirected = new Map(journey.map(({ name }) => [redirectsName(name), name]));
  const walk: { step: string; exchanges: Exchange[]; failure: string | null }[] = [];
  for (const { request, sent, received, failure } of samples) {
    const exchange = sent === null ? null : readExchange(sent, received);
    if (names.has(request)) walk.push({ step: request, exchanges: exchange === null ? [] : [exchange], failure });
    else {
      const from = redirected.get(request);
      const last = walk.findLast(({ step }) => step === from);
      if (last === undefined) continue;
      if (exchange !== null) last.exchanges.push(exchange);
      last.failure = failure;
    }
  }
  return walk;
}

function readExchange(sent: SampleMessage, received: SampleMessage | null): Exchange {
  const request = parseHead(sent.head);
  const response = received === null ? null : parseHead(received.head);
  const [method = 'GET', target = '/'] = request.first.split(' ');
  const host = headerOf(request.headers, 'host') ?? 'localhost';
  return {
    method,
    url: /^https?:/i.test(target) ? target : `http://${host}${target}`,
    headers: request.headers,
    body: sent.body === '' ? null : sent.body,
    status: response === null ? 0 : Number(/^\S+ (\d{3})/.exec(response.first)?.[1] ?? 0),
    responseHeaders: response?.headers ?? [],
    text: received === null || (received.body === '' && received.bodyBytes > 0) ? null : received.body,
    bytes: received?.body.length ?? 0,
  };
}

function parseHead(head: string): { first: string; headers: [string, string][] } {
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { first, headers };
}

const TITLE_PATTERN = /<title[^>]{0,200}>([^<]{0,2000})/i;

/** Returns the title of a page; null if there is none. */
export function titleOf({ text }: Pick<Exchange, 'text'>): string | null {
  const title = text === null ? undefined : TITLE_PATTERN.exec(text.slice(0, 200_000))?.[1];
  return title === undefined ? null : title.replaceAll(/\s+/g, ' ').trim();
}

/** Returns whether a page asks for a password. */
export function asksForPassword({ text }: Pick<Exchange, 'text'>): boolean {
  return text !== null && /<input[^>]{0,2000}\stype\s*=\s*["']?password/i.test(text);
}
