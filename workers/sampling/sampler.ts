import { recordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Sample, SampleMessage, Sampling } from '#core/work/samples/schema.ts';
import { MOST_READ, serverWords } from '#core/work/samples/serverWords.ts';
import { ResponseFramer } from '../framer/framer.ts';
import { planHeaders } from '../framer/refusals.ts';
import { unpack } from '../unpack.ts';

/** Characters of a head, and of a body, that are shown. */
const LONGEST_HEAD = 16_384;
const LONGEST_BODY = 16_384;
/** Of a head that is shown alone. */
const LONGEST_GLIMPSE = 500;
const LONGEST_UNPACKED_BYTES = 4 * 1_048_576;
const HEAD_END = Buffer.from('\r\n\r\n');
const HTTP1 = Buffer.from('HTTP/1.1 ');
const HTTP2 = 'HTTP/2 ';
const HEADERS = planHeaders(['content-type', 'content-encoding']);

function messageOfRequest(bytes: Buffer, limitBytes: number, longestBody: number): SampleMessage {
  const { head, headIsCut, body } = split(bytes);
  const isText = !/\ncontent-type: *(multipart\/|image\/|application\/octet-stream)/i.test(head);
  return {
    head,
    ...shown(body.subarray(0, limitBytes), isText, longestBody),
    bodyBytes: body.length,
    isCut: headIsCut || body.length > longestBody,
  };
}

/** `bytes`: a response as it came over the line, or the beginning of one. `isWhole`: it ended with them, also where its head says no length. */
export function messageOfAnswer(bytes: Buffer, longestBody = LONGEST_BODY, isWhole = false): SampleMessage {
  return responseOf(bytes, longestBody, isWhole).message;
}

interface ReadResponse {
  readonly message: SampleMessage;
  /** What the server says in it. */
  words(): string | null;
}

function responseOf(bytes: Buffer, longestBody: number, isWhole: boolean): ReadResponse {
  const pieces: Buffer[] = [];
  const framer = new ResponseFramer(HEADERS);
  framer.onBody = (buffer, start, end) => void pieces.push(buffer.subarray(start, end));
  framer.begin(false);
  const framed = asHttp1(bytes);
  framer.feed(framed, 0, framed.length);
  if (isWhole) framer.finish();
  const [type, coding] = framer.wanted;
  const isText = type === undefined || /text|json|xml|html|javascript|form-urlencoded/i.test(type);
  const body = Buffer.concat(pieces);
  const unpacked = unpackedAsFarAsItGoes(body, coding);
  const { head, headIsCut } = split(bytes);
  const message = {
    head,
    ...shown(unpacked, isText, longestBody),
    bodyBytes: framer.bodyBytes,
    isCut: !framer.complete || framer.refusal !== null || unpacked.length > longestBody || headIsCut,
  };
  const status = Number(/^\S+ (\d{3})/.exec(head)?.[1] ?? 0);
  return { message, words: () => (isText ? serverWords(unpacked.toString('utf8', 0, MOST_READ), status) : null) };
}

/** Streams of HTTP/2 are kept with a head that differs from one of HTTP/1.1 in its version. */
function asHttp1(bytes: Buffer): Buffer {
  const isHttp2 = bytes.toString('latin1', 0, HTTP2.length) === HTTP2;
  return isHttp2 ? Buffer.concat([HTTP1, bytes.subarray(HTTP2.length)]) : bytes;
}

/** The beginning of a message, where there is no room for more. */
function glimpseOf(message: SampleMessage | null): SampleMessage | null {
  return message && { ...message, head: message.head.slice(0, LONGEST_GLIMPSE), body: '', isCut: true };
}

function split(bytes: Buffer): { head: string; headIsCut: boolean; body: Buffer } {
  const end = bytes.indexOf(HEAD_END);
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  return {
    head: head.toString('utf8', 0, LONGEST_HEAD).replaceAll('\r\n', '\n'),
    headIsCut: head.length > LONGEST_HEAD,
    body: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + HEAD_END.length),
  };
}

function shown(body: Buffer, isText: boolean, longestBody: number): Pick<SampleMessage, 'body'> {
  return { body: isText ? body.toString('utf8', 0, longestBody) : '' };
}

function unpackedAsFarAsItGoes(body: Buffer, coding = ''): Buffer {
  try {
    return unpack(body, coding.trim().toLowerCase(), LONGEST_UNPACKED_BYTES, true) ?? body;
  } catch {
    return body;
  }
}

/** Of each kind of failure of each request. */
export const MOST_OF_A_KIND = 3;
/** Of one thread; errors with ever new names must not fill the memory. What is asked for of each journey is handed on at once. */
const MOST: Readonly<Record<Sampling, number>> = { failures: 60, everything: 1_000, whole: 1_000, journeys: Number.POSITIVE_INFINITY };
/** Of the messages of a journey that is tried; of what comes then, the beginning is told. In JSON a character may be six. */
const MOST_CHARACTERS = 4_000_000;
/** Characters of each body of a journey that is laid beside a recording: what a later request needs may be anywhere in it. */
const LONGEST_WHOLE = 1_048_576;
/** Of all of them together. */
const MOST_WHOLE_CHARACTERS = 64_000_000;
/** Bytes of a response that are kept of failures: its head, and of its body what may hold the reason. */
const FAILURE_BYTES = 65_536;
const JOURNEY_BYTES = 1_048_576;
const WHOLE_BYTES = 2 * 1_048_576;
const KEPT_BYTES: Readonly<Record<Sampling, number>> = {
  failures: FAILURE_BYTES,
  everything: JOURNEY_BYTES,
  whole: WHOLE_BYTES,
  journeys: FAILURE_BYTES,
};

/** What is known of a request when it is settled. */
export interface Settled {
  readonly slot: number;
  /** null when the answer was good. */
  readonly failure: string | null;
  readonly sent: Buffer | null;
  /** As it came, as far as it was kept. */
  readonly received: Buffer | null;
  readonly serviceMs: number | null;
  readonly captured: readonly (readonly [string, string])[];
  /** null where nobody walks. */
  readonly user: number | null;
}

/** Keeps requests of one thread for people to look at: the first failures of each kind, or everything of a journey that is tried once. */
export class Sampler {
  /** Bytes of each answer that have to be kept for it. */
  readonly limitBytes: number;
  private readonly keepsAll: boolean;
  private readonly names: readonly string[];
  private readonly tell: (sample: Sample) => void;
  private readonly counts = new Map<string, number>();
  private readonly most: number;
  private readonly longestBody: number;
  private readonly mostCharacters: number;
  private taken = 0;
  private told = 0;

  constructor(sampling: Sampling, plan: Plan, tell: (sample: Sample) => void) {
    this.keepsAll = sampling !== 'failures';
    this.limitBytes = KEPT_BYTES[sampling];
    this.longestBody = sampling === 'whole' ? LONGEST_WHOLE : LONGEST_BODY;
    this.mostCharacters =
      sampling === 'whole' ? MOST_WHOLE_CHARACTERS : sampling === 'everything' ? MOST_CHARACTERS : Number.POSITIVE_INFINITY;
    this.most = MOST[sampling];
    this.names = recordedRequests(plan).map(({ name }) => name);
    this.tell = tell;
  }

  /** Whether any more can be taken: nothing has to be kept for it otherwise. */
  get isOpen(): boolean {
    return this.taken < this.most;
  }

  wants(slot: number, failure: string | null): boolean {
    if (!this.isOpen) return false;
    if (this.keepsAll) return true;
    return failure !== null && (this.counts.get(`${slot} ${failure}`) ?? 0) < MOST_OF_A_KIND;
  }

  take({ slot, failure, sent, received, serviceMs, captured, user }: Settled): void {
    const kind = `${slot} ${failure ?? ''}`;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.taken += 1;
    const response =
      received && received.length > 0
        ? responseOf(received, this.longestBody, serviceMs !== null && received.length < this.limitBytes)
        : null;
    const messages = this.withinBounds(sent && messageOfRequest(sent, this.limitBytes, this.longestBody), response?.message ?? null);
    const says = failure === null ? null : (response?.words() ?? null);
    this.tell({
      request: this.names[slot] ?? '',
      failure,
      ...(says === null ? {} : { says }),
      ...messages,
      serviceMs,
      captured: captured.map(([name, value]) => ({ name, value })),
      ...(user === null ? {} : { user }),
    });
  }

  private withinBounds(sent: Sample['sent'], received: Sample['received']): Pick<Sample, 'sent' | 'received'> {
    if (this.told > this.mostCharacters) return { sent: glimpseOf(sent), received: glimpseOf(received) };
    for (const message of [sent, received]) this.told += message === null ? 0 : message.head.length + message.body.length;
    return { sent, received };
  }
}
