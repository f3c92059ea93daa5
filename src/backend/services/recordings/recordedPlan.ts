import type { RecordedPlan, ThinkTimes } from '#contract/replies.ts';
import { HoldfastError, problemOf } from '#core/base/errors.ts';
import { planOfRecording } from '#core/import/har/importHar.ts';
import type { Note } from '#core/import/imported.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { plainPlan } from '#core/presentation/document/planText.ts';
import { ACCOUNT_FEED, accountNames } from '#core/import/recording/accounts.ts';
import type { Recording } from '#backend/browser/recorder.ts';
import { readFeeds } from '../runs/readFeeds.ts';
import type { TryParts } from '../tries/tryService.ts';
import { finishRecordingOf, secretsOf } from './finishRecording.ts';

export interface PlanParts extends Omit<TryParts, 'redaction'> {
  /** Whether a person has agreed to send the requests of this plan. */
  readonly mayWalk: (plan: Plan) => boolean;
}

interface Wanted {
  /** Whether the journey is sent again. */
  readonly walks: boolean;
  /** Where the accounts of the users are; undefined: all are the recorded one. */
  readonly accountsFile: string | undefined;
  /** Texts that each journey draws anew. */
  readonly unique: readonly string[];
}

/** A plan with the values of its secrets, by the names of the variables that it refers to. In memory only. */
export interface MadePlan extends Pick<RecordedPlan, 'walked' | 'problem'> {
  readonly plan: Plan;
  readonly notes: readonly Note[];
  readonly secrets: ReadonlyMap<string, string>;
}

/** Makes the plan of a recording, and walks it unless nobody has agreed to that. Throws `NOTHING_RECORDED`. */
export async function makePlan(
  { har, accounts }: Recording,
  { walks, accountsFile, unique }: Wanted,
  { mayWalk, ...parts }: PlanParts,
): Promise<MadePlan> {
  const options = { accounts, unique, ...(accountsFile === undefined ? {} : { accountsFile }) };
  const { result, accounts: names } = planOfRecording(har, options);
  if (result.kind === 'refused') throw nothingRecorded(result.issues[0]?.message ?? '');
  const { plan, notes, secrets } = result.imported;
  const unwalked: MadePlan = { plan, notes, secrets: new Map([...secrets, ...secretsOf(names, accounts)]), walked: null, problem: null };
  if (!walks) return unwalked;
  if (!mayWalk(plan)) return { ...unwalked, problem: problemOf(notAgreed(plan)) };
  try {
    const finished = await finishRecordingOf({ har, options, accounts, others: [] }, parts);
    if (finished.kind === 'refused') return unwalked;
    const { plan: found, secrets: known, captured, steps, rounds } = finished.finished;
    return {
      plan: found,
      notes: finished.notes,
      secrets: known,
      walked: { rounds, captured: [...captured], steps: [...steps] },
      problem: null,
    };
  } catch (thrown) {
    return { ...unwalked, problem: problemOf(thrown) };
  }
}

/** The plan as the person wants it. `keep` takes a secret into memory and gives what a plan may hold instead. */
export function recordedPlan(
  { plan, notes, secrets, walked, problem }: MadePlan,
  thinkTimes: ThinkTimes,
  keep: (value: string) => string,
): Omit<RecordedPlan, 'recording'> {
  const wanted = withThinkTimes(plan, thinkTimes);
  const references = new Map([...secrets].map(([name, value]) => [`env:${name}`, keep(value)]));
  return {
    written: plainPlan(wanted),
    plan: planSchema.parse(withReferences(wanted, references)),
    // Where it stands in a recording that nobody sees helps nobody.
    notes: notes.map((note) => ({ ...note, place: '' })),
    variables: [...secrets.keys()],
    walked,
    problem,
  };
}

function withThinkTimes(plan: Plan, thinkTimes: ThinkTimes): Plan {
  if (thinkTimes === 'recorded') return plan;
  const thinkTime = thinkTimes === 'none' ? undefined : ({ kind: 'fixed', seconds: thinkTimes } as const);
  const journey = plan.journey.map((step, index, all) => {
    const { thinkTime: _recorded, ...rest } = step;
    return thinkTime === undefined || index === all.length - 1 ? rest : { ...rest, thinkTime };
  });
  return { ...plan, journey };
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

/** Throws `FEED_UNUSABLE` before somebody walks a journey whose accounts cannot be read. */
export async function requireAccounts(url: string, file: string): Promise<void> {
  const { user, password } = accountNames(1);
  const login = `{{${ACCOUNT_FEED}.${user}}}{{${ACCOUNT_FEED}.${password}}}`;
  await readFeeds(
    planSchema.parse({
      holdfast: 1,
      name: 'accounts',
      targets: [{ url }],
      feeds: { [ACCOUNT_FEED]: { file } },
      journey: [{ name: 'log in', body: login, method: 'POST' }],
      load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
    }),
  );
}

function nothingRecorded(message: string): HoldfastError {
  return new HoldfastError({
    code: 'NOTHING_RECORDED',
    message: message === '' ? 'Nothing was recorded that a plan could be made of.' : message,
    hint: 'Record again, and open at least one page of your server.',
  });
}

function notAgreed({ targets }: Plan): HoldfastError {
  return new HoldfastError({
    code: 'NOT_WALKED',
    message: `Holdfast did not send the journey again: nobody has agreed to send requests to ${targets[0]?.url ?? ''}.`,
    hint: 'The recording began at another address. Record again from this one.',
  });
}
