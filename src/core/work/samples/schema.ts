import { z } from 'zod';
import { isHarmlessHeader } from '#core/plan/secretShapes.ts';
import { REDACTED, redactorOf } from '#core/base/redact.ts';

/** One request with what came of it, for people to look at. Secrets are masked; texts are cut to a size that can be kept. */
const messageSchema = z.strictObject({
  /** First line and headers. */
  head: z.string(),
  /** Decoded as far as it is text. */
  body: z.string(),
  /** Of the whole body as it went over the line. */
  bodyBytes: z.int(),
  /** The body was longer than what is shown of it. */
  isCut: z.boolean(),
});

export const sampleSchema = z.strictObject({
  /** Name of the request, as figures are told of it. */
  request: z.string(),
  /** null when the answer was good; else why not, by a name of core/base/errorNames.ts: `status 500`, `ECONNRESET@body`, `TEXT_MISSING “Welcome”@check`. */
  failure: z.string().nullable(),
  /** Of a failure, the reason in the words of the server (see `serverWords`); left out where the response gives none. */
  says: z.string().optional(),
  sent: messageSchema.nullable(),
  received: messageSchema.nullable(),
  /** Service time; null when no complete answer came. */
  serviceMs: z.number().nullable(),
  /** What was taken out of the answer: names and values. */
  captured: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** Whose journey it belongs to: the number of the user or the arrival. Left out where nobody walks. */
  user: z.int().optional(),
});
export type Sample = z.infer<typeof sampleSchema>;
export type SampleMessage = NonNullable<Sample['sent']>;

/**
 * Which requests of a load are kept: the first few failures of each kind, all of a journey that is tried once, the same with whole bodies, to lay it beside a recording, or
 * all of journeys of which each must be known, however many: those are kept short.
 */
export const SAMPLING = ['failures', 'everything', 'whole', 'journeys'] as const;
export type Sampling = (typeof SAMPLING)[number];

const NAME = /pass(?:word|wd|code)?|pwd|secret|token|api[_-]?key|credential|session|sid|csrf|xsrf|login_data|pin/i;
/** Names are bounded, and begin where nothing of a name stands before them: each letter is looked at a few times, whatever a server sends. */
const FORM_FIELD = /((?:^|[&?\s])([\w.%-]{1,200})=)([^&\s]+)/g;
const JSON_FIELD = /("([\w.-]{1,200})"\s{0,20}:\s{0,20})("(?:[^"\\]|\\.)*"|\[[^[\]{}]{0,2000}\]|\d+)/g;
const TAG = /<[a-z][^<>]{0,2000}>/gi;
const TAG_NAME = /\sname\s{0,5}=\s{0,5}["']?([\w.-]{1,200})/i;
const TAG_VALUE = /(\svalue\s{0,5}=\s{0,5})("[^"]*"|'[^']*'|[^\s>]+)/i;
/** Headers of answers that tell nothing of a visitor. */
const HARMLESS_ANSWER =
  /^(date|server|content-[\w-]+|transfer-encoding|location|allow|vary|etag|last-modified|expires|age|via|x-cache|x-powered-by|retry-after|keep-alive|strict-transport-security|access-control-[\w-]+|x-frame-options|x-content-type-options|referrer-policy|accept-ranges)$/i;

/**
 * A sample without what could let somebody in: cookies and headers that are not known to be harmless, fields that are called like secrets, and the
 * given values wherever they stand.
 */
export function maskSample(sample: Sample, known: readonly string[]): Sample {
  const redactor = redactorOf(known);
  const clean = (text: string): string => redactor.text(text);
  const message = (one: SampleMessage | null): SampleMessage | null =>
    one && { ...one, head: clean(maskHead(one.head)), body: clean(maskText(one.body)) };
  return {
    ...sample,
    failure: sample.failure === null ? null : redactor.sentence(maskText(sample.failure)),
    ...(sample.says === undefined ? {} : { says: clean(maskText(sample.says)) }),
    sent: message(sample.sent),
    received: message(sample.received),
    captured: sample.captured.map(({ name, value }) => ({ name, value: NAME.test(name) ? REDACTED : clean(value) })),
  };
}

function maskHead(head: string): string {
  return head
    .split('\n')
    .map((line, index) => (index === 0 ? maskText(line) : maskHeader(line)))
    .join('\n');
}

function maskHeader(line: string): string {
  const split = line.indexOf(':');
  const name = line.slice(0, Math.max(0, split));
  const value = line.slice(split + 1);
  if (/^cookie$/i.test(name)) return `${name}: ${value.trim().replaceAll(/=[^;]*/g, `=${REDACTED}`)}`;
  if (/^set-cookie$/i.test(name)) return `${name}: ${value.trim().replace(/=[^;]*/, `=${REDACTED}`)}`;
  if (split < 0 || isHarmlessHeader(name) || HARMLESS_ANSWER.test(name)) return maskText(line);
  return `${name}: ${REDACTED}`;
}

/** Fields of forms, of JSON and of HTML that are called like secrets. */
function maskText(text: string): string {
  return text
    .replaceAll(FORM_FIELD, (whole, before: string, name: string) => (NAME.test(name) ? before + REDACTED : whole))
    .replaceAll(JSON_FIELD, (whole, before: string, name: string) => (NAME.test(name) ? `${before}"${REDACTED}"` : whole))
    .replaceAll(TAG, (tag) => (NAME.test(TAG_NAME.exec(tag)?.[1] ?? '') ? tag.replace(TAG_VALUE, `$1"${REDACTED}"`) : tag));
}
