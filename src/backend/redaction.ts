import { partsOfSecret, Redactor } from '#core/base/redact.ts';
import { mapTexts } from '#core/plan/hiddenText.ts';
import { maskSample, type Sample, type SampleMessage } from '#core/work/samples/schema.ts';

/**
 * Minimum length of redacted values. Shorter values occur in ordinary text by chance. Replacing them would garble the text and reveal them.
 */
const MIN_SECRET_LENGTH = 4;
/** Text that replaces a secret in stored text. */
export const SECRET_MARK = '[secret]';

export type Redaction = ReturnType<typeof createRedaction>;

/** Redacts every secret that this process has seen, in all its encodings, from text for logs, the store or a screen. */
export function createRedaction() {
  const redactor = new Redactor(SECRET_MARK);
  let knowsAny = false;
  const redactText = (original: string): string => redactor.text(original);
  return {
    add(value: string): void {
      for (const part of partsOfSecret(value)) {
        if (part.length < MIN_SECRET_LENGTH) continue;
        redactor.add(part);
        knowsAny = true;
      }
    },
    text: redactText,
    /** Redacts a sentence that Holdfast wrote, such as an error message (see {@link Redactor.sentence}). */
    sentence: (original: string): string => redactor.sentence(original),
    /**
     * Redacts all texts of a JSON value. Member names are not redacted, because Holdfast defines them and a person may choose one of them
     * as a secret.
     */
    value: (original: unknown): unknown => (knowsAny ? mapTexts(original, redactText) : original),
  };
}

/** Redacts a sample before it is shown or stored. */
export function cleanSample(sample: Sample, secrets: readonly string[], { text, sentence }: Redaction): Sample {
  const masked = maskSample(sample, secrets);
  const redactMessage = (one: SampleMessage | null): SampleMessage | null => one && { ...one, head: text(one.head), body: text(one.body) };
  return {
    ...masked,
    request: sentence(masked.request),
    failure: masked.failure === null ? null : sentence(masked.failure),
    ...(masked.says === undefined ? {} : { says: text(masked.says) }),
    sent: redactMessage(masked.sent),
    received: redactMessage(masked.received),
    captured: masked.captured.map(({ name, value }) => ({ name, value: text(value) })),
  };
}
