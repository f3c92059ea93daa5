import { isHarmlessHeader } from '../plan/harmlessHeaders.ts';
import { REDACTED, redactValue } from '../redact.ts';
import type { Sample, SampleMessage } from './schema.ts';

const SECRET_NAME = 'pass(?:word|wd|code)?|pwd|secret|token|api[_-]?key|credential|session|sid|csrf|xsrf|login_data|pin';
const FORM_FIELD = new RegExp(`((?:^|[&?\\s])[\\w.%-]*(?:${SECRET_NAME})[\\w.%-]*=)([^&\\s]+)`, 'gi');
const JSON_FIELD = new RegExp(`("[\\w.-]*(?:${SECRET_NAME})[\\w.-]*"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|\\d+)`, 'gi');
const HTML_FIELD = new RegExp(`(name="[\\w.-]*(?:${SECRET_NAME})[\\w.-]*"[^>]*?value=")([^"]+)`, 'gi');
const NAME = new RegExp(SECRET_NAME, 'i');
/** Headers of answers that tell nothing of a visitor. */
const HARMLESS_ANSWER =
  /^(date|server|content-[\w-]+|transfer-encoding|location|allow|vary|etag|last-modified|expires|age|via|x-cache|x-powered-by|retry-after|keep-alive|strict-transport-security|access-control-[\w-]+|x-frame-options|x-content-type-options|referrer-policy|accept-ranges)$/i;

/**
 * A sample without what could let somebody in: cookies and headers that are not known to be harmless, fields that are called like secrets, and the
 * given values wherever they stand.
 */
export function maskSample(sample: Sample, known: readonly string[]): Sample {
  const secrets = occurring(known, JSON.stringify(sample));
  const message = (one: SampleMessage | null): SampleMessage | null =>
    one && { ...one, head: redactValue(maskHead(one.head), secrets), body: redactValue(maskText(one.body), secrets) };
  return {
    ...sample,
    failure: sample.failure === null ? null : redactValue(maskText(sample.failure), secrets),
    sent: message(sample.sent),
    received: message(sample.received),
    captured: sample.captured.map(({ name, value }) => ({ name, value: NAME.test(name) ? REDACTED : redactValue(value, secrets) })),
  };
}

/** Of the passwords of thousands of accounts those that a sample can hold, in any usual form. */
function occurring(secrets: readonly string[], text: string): readonly string[] {
  if (secrets.length <= 100) return secrets;
  return secrets.filter(
    (secret) => text.includes(JSON.stringify(secret).slice(1, -1)) || text.includes(encodeURIComponent(secret.toWellFormed())),
  );
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
  return text.replaceAll(FORM_FIELD, `$1${REDACTED}`).replaceAll(JSON_FIELD, `$1"${REDACTED}"`).replaceAll(HTML_FIELD, `$1${REDACTED}`);
}
