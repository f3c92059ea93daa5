import { z } from 'zod';
import { isHarmlessHeader } from '#core/plan/secretShapes.ts';
import { REDACTED, createRedactor } from '#core/base/redact.ts';

/** A request or a response for display. Secrets are masked, and long texts are cut. */
const messageSchema = z.strictObject({
  head: z.string(),
  /** Decoded text of the body. */
  body: z.string(),
  /** Size of the whole body as transferred, in bytes. */
  bodyBytes: z.int(),
  /** Whether the body is longer than the text shown. */
  isCut: z.boolean(),
});

export const sampleSchema = z.strictObject({
  /** Name of the request, as in the result. */
  request: z.string(),
  /**
   * Why the response failed, as an error name of core/base/errorNames.ts: `status 500`, `ECONNRESET@body`, `TEXT_MISSING “Welcome”@check`.
   * null if it succeeded.
   */
  failure: z.string().nullable(),
  /** Reason of a failure in the words of the server (see `serverWords`); omitted if it gave none. */
  says: z.string().optional(),
  sent: messageSchema.nullable(),
  received: messageSchema.nullable(),
  /** Service time in milliseconds; null if the response was incomplete. */
  serviceMs: z.number().nullable(),
  /** Names and values that were captured from the response. */
  captured: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** Number of the user or arrival; omitted without journeys. */
  user: z.int().optional(),
  /** Trace id of the request's `traceparent` header; omitted without one. */
  traceId: z
    .string()
    .regex(/^[\da-f]{32}$/)
    .optional(),
});
export type Sample = z.infer<typeof sampleSchema>;
export type SampleMessage = NonNullable<Sample['sent']>;

/**
 * Which requests are kept: the first failures of each kind; all requests of a trial; the same with whole bodies, for comparison with a
 * recording; or all requests of journeys whose results must all be known. The last ones are kept short.
 */
export const SAMPLING = ['failures', 'everything', 'whole', 'journeys'] as const;
export type Sampling = (typeof SAMPLING)[number];

const SECRET_NAME_PATTERN = /pass(?:word|wd|code)?|pwd|secret|token|api[_-]?key|credential|session|sid|csrf|xsrf|login_data|pin/i;
/** Names have a maximum length and a fixed start, so matching takes linear time for any content that a server sends. */
const FORM_FIELD_PATTERN = /((?:^|[&?\s])([\w.%-]{1,200})=)([^&\s]+)/g;
const JSON_FIELD_PATTERN = /("([\w.-]{1,200})"\s{0,20}:\s{0,20})("(?:[^"\\]|\\.)*"|\[[^[\]{}]{0,2000}\]|\d+)/g;
const TAG_PATTERN = /<[a-z][^<>]{0,2000}>/gi;
const TAG_NAME_PATTERN = /\sname\s{0,5}=\s{0,5}["']?([\w.-]{1,200})/i;
const TAG_VALUE_PATTERN = /(\svalue\s{0,5}=\s{0,5})("[^"]*"|'[^']*'|[^\s>]+)/i;
/** Response headers without information about a user. */
const HARMLESS_HEADER_PATTERN =
  /^(date|server|content-[\w-]+|transfer-encoding|location|allow|vary|etag|last-modified|expires|age|via|x-cache|x-powered-by|retry-after|keep-alive|strict-transport-security|access-control-[\w-]+|x-frame-options|x-content-type-options|referrer-policy|accept-ranges)$/i;

/**
 * Masks everything that could give access: cookies, headers not known to be harmless, fields named like secrets, and all occurrences of the
 * `known` values.
 */
export function maskSample(sample: Sample, knownSecrets: readonly string[]): Sample {
  const redactor = createRedactor(knownSecrets);
  const removeSecrets = (text: string): string => redactor.text(text);
  const message = (one: SampleMessage | null): SampleMessage | null =>
    one && { ...one, head: removeSecrets(maskHead(one.head)), body: removeSecrets(maskText(one.body)) };
  return {
    ...sample,
    failure: sample.failure === null ? null : redactor.sentence(maskText(sample.failure)),
    ...(sample.says === undefined ? {} : { says: removeSecrets(maskText(sample.says)) }),
    sent: message(sample.sent),
    received: message(sample.received),
    captured: sample.captured.map(({ name, value }) => ({ name, value: SECRET_NAME_PATTERN.test(name) ? REDACTED : removeSecrets(value) })),
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
  if (split < 0 || isHarmlessHeader(name) || HARMLESS_HEADER_PATTERN.test(name)) return maskText(line);
  return `${name}: ${REDACTED}`;
}

/** Masks form, JSON and HTML fields that are named like secrets. */
function maskText(text: string): string {
  return text
    .replaceAll(FORM_FIELD_PATTERN, (whole, before: string, name: string) => (SECRET_NAME_PATTERN.test(name) ? before + REDACTED : whole))
    .replaceAll(JSON_FIELD_PATTERN, (whole, before: string, name: string) =>
      SECRET_NAME_PATTERN.test(name) ? `${before}"${REDACTED}"` : whole,
    )
    .replaceAll(TAG_PATTERN, (tag) =>
      SECRET_NAME_PATTERN.test(TAG_NAME_PATTERN.exec(tag)?.[1] ?? '') ? tag.replace(TAG_VALUE_PATTERN, `$1"${REDACTED}"`) : tag,
    );
}

/** Texts about a trial. */
export const TRIED = {
  title: 'Try the journey once',
  good: 'One user ran every step, and each response was as expected.',
  bad: 'One user could not run every step as expected. A load would fail in the same way.',
  nothingSent: 'Nothing was sent.',
  nothingReceived: 'Nothing came back.',
} as const;

/** Marks a reason as a quotation from the server. */
export function serverMessage(words: string): string {
  return `The server says: “${words}”`;
}
