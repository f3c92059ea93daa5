import { HoldfastError } from '#core/base/errors.ts';
import { importHar } from '#core/import/har/importHar.ts';
import type { Imported } from '#core/import/imported.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { RecordedPlan, ThinkTimes } from '#contract/replies.ts';
import { placeholder, type RecordedAccount } from '#backend/browser/passwords.ts';
import type { Recording } from '#backend/browser/recorder.ts';

/** The plan of a recording, without the recording. `keep` takes a secret into memory and gives what a plan may hold instead. Throws `NOTHING_RECORDED`. */
export function recordedPlan(
  { har, accounts }: Recording,
  thinkTimes: ThinkTimes,
  keep: (value: string) => string,
): Omit<RecordedPlan, 'recording'> {
  const result = importHar(har);
  if (result.kind === 'refused') throw nothingRecorded(result.issues[0]?.message ?? '');
  const { written, notes, secrets } = withThinkTimes(result.imported, thinkTimes);
  const references = new Map([...secrets].map(([name, value]) => [`env:${name}`, keep(withPasswords(value, accounts))]));
  return {
    written,
    plan: planSchema.parse(withReferences(written, references)),
    // Where it stands in a recording that nobody sees helps nobody.
    notes: notes.map((note) => ({ ...note, place: '' })),
    variables: [...secrets.keys()],
  };
}

/** What the recording holds in place of a password, with the password. */
function withPasswords(value: string, accounts: readonly RecordedAccount[]): string {
  const basic = accounts.find(({ number }) => value === `Basic ${placeholder(number)}`);
  if (basic !== undefined) return `Basic ${Buffer.from(`${basic.userName}:${basic.password}`).toString('base64')}`;
  return accounts.reduce((text, { number, password }) => text.replaceAll(placeholder(number), () => password), value);
}

function withThinkTimes(imported: Imported, thinkTimes: ThinkTimes): Imported {
  if (thinkTimes === 'recorded') return imported;
  const { journey } = imported.written;
  if (!Array.isArray(journey)) return imported;
  const steps = journey.map((step: unknown, index) => {
    if (typeof step !== 'object' || step === null) return step;
    const { thinkTime: _recorded, ...rest } = { thinkTime: undefined, ...step };
    const isLast = index === journey.length - 1;
    return thinkTimes === 'none' || isLast ? rest : { ...rest, thinkTime: { kind: 'fixed', seconds: thinkTimes } };
  });
  return { ...imported, written: { ...imported.written, journey: steps } };
}

/** A document with other references in the place of its secrets. */
function withReferences(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      name === 'secret' && typeof member === 'string' ? (references.get(member) ?? member) : withReferences(member, references),
    ]),
  );
}

function nothingRecorded(message: string): HoldfastError {
  return new HoldfastError({
    code: 'NOTHING_RECORDED',
    message: message === '' ? 'Nothing was recorded that a plan could be made of.' : message,
    hint: 'Record again, and open at least one page of your server.',
  });
}
