import { redirectsName } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Sample, SampleMessage } from '#core/work/samples/schema.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** One request with what came back, whole and in clear: for memory only. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** null where nothing, or no text, was sent. */
  readonly body: string | null;
  /** Of a form whose text a recording lacks: its fields. */
  readonly fields?: Headers;
  /** Of a WebSocket, what was said over it. */
  readonly said?: readonly string[];
  readonly status: number;
  readonly answerHeaders: Headers;
  /** null where no text came. */
  readonly text: string | null;
  readonly bytes: number;
}

/** A step as it was taken: its request first, then those that redirects led to. */
export interface WalkedStep {
  readonly step: string;
  readonly exchanges: readonly Exchange[];
  /** null when the response was what the plan expects; always of a recording. */
  readonly failure: string | null;
}

/** A journey as it was walked once, by a person or by Holdfast, in the order of its steps. */
export type Walk = readonly WalkedStep[];

/** The last response to a step: the one that captures look at. */
export function lastOf({ exchanges }: WalkedStep): Exchange | null {
  return exchanges.at(-1) ?? null;
}

export function headerOf(headers: Headers, name: string): string | null {
  return headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? null;
}

/** Cookies that responses had set before a step began, by name. */
export function cookiesBefore(walk: Walk, step: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const walked of walk) {
    if (walked.step === step) break;
    for (const { answerHeaders } of walked.exchanges) for (const [name, value] of cookiesIn(answerHeaders)) cookies.set(name, value);
  }
  return cookies;
}

/** Name and value of each cookie that a response sets. */
export function cookiesIn(answerHeaders: Headers): [string, string][] {
  return answerHeaders
    .filter(([name]) => /^set-cookie$/i.test(name))
    .flatMap(([, lines]) => lines.split('\n'))
    .flatMap((line): [string, string][] => {
      const equals = line.indexOf('=');
      return equals <= 0 ? [] : [[line.slice(0, equals).trim(), (line.slice(equals + 1).split(';', 1)[0] ?? '').trim()]];
    });
}

/** The samples of a journey that was tried, as a walk. What pages loaded is left out. */
export function walkOfSamples({ journey }: Pick<Plan, 'journey'>, samples: readonly Sample[]): Walk {
  const names = new Set(journey.map(({ name }) => name));
  const redirected = new Map(journey.map(({ name }) => [redirectsName(name), name]));
  const walk: { step: string; exchanges: Exchange[]; failure: string | null }[] = [];
  for (const { request, sent, received, failure } of samples) {
    const exchange = sent === null ? null : exchangeOf(sent, received);
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

function exchangeOf(sent: SampleMessage, received: SampleMessage | null): Exchange {
  const request = headOf(sent.head);
  const answer = received === null ? null : headOf(received.head);
  const [method = 'GET', target = '/'] = request.first.split(' ');
  const host = headerOf(request.headers, 'host') ?? 'localhost';
  return {
    method,
    url: /^https?:/i.test(target) ? target : `http://${host}${target}`,
    headers: request.headers,
    body: sent.body === '' ? null : sent.body,
    status: answer === null ? 0 : Number(/^\S+ (\d{3})/.exec(answer.first)?.[1] ?? 0),
    answerHeaders: answer?.headers ?? [],
    text: received === null || (received.body === '' && received.bodyBytes > 0) ? null : received.body,
    bytes: received?.body.length ?? 0,
  };
}

function headOf(head: string): { first: string; headers: [string, string][] } {
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { first, headers };
}

const TITLE = /<title[^>]{0,200}>([^<]{0,2000})/i;

/** The title of a page; null for what has none. */
export function titleOf({ text }: Pick<Exchange, 'text'>): string | null {
  const title = text === null ? undefined : TITLE.exec(text.slice(0, 200_000))?.[1];
  return title === undefined ? null : title.replaceAll(/\s+/g, ' ').trim();
}

/** Whether a page asks for a password. */
export function asksForPassword({ text }: Pick<Exchange, 'text'>): boolean {
  return text !== null && /<input[^>]{0,2000}\stype\s*=\s*["']?password/i.test(text);
}
