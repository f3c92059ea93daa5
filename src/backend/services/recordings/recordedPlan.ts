import type { RecordedPlan, ThinkTimes } from '#contract/replies.ts';
import { createRedactor } from '#core/base/redact.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { planInTurns } from '#core/import/har/importHar.ts';
import { runTurnsYielding } from '#core/base/turns.ts';
import { type WatchedJourney, findWatchedJourney } from '#core/import/recording/watchedJourney.ts';
import type { HeldBackValue } from '#core/import/recording/schema.ts';
import { visibleLine } from '#core/base/text.ts';
import type { Note } from '#core/import/imported.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { simplifyPlan } from '#core/presentation/document/planText.ts';
import { ACCOUNT_FEED, accountNames } from '#core/import/recording/accounts.ts';
import type { Recording } from '#backend/browser/recorder.ts';
import { envReference } from '#core/plan/secretReference.ts';
import { replaceByReferences } from '#core/plan/secrets.ts';
import { columnName } from '#core/plan/valueNames.ts';
import { commonName, isSecretColumn } from '#core/work/accounts/accounts.ts';
import { bodyLeaves } from '#core/import/recording/leaves.ts';
import { listAt, textAt } from '#core/import/reading.ts';
import { Passwords, type RecordedAccount } from '#backend/browser/passwords.ts';
import { cleanValue } from '#backend/browser/recordedEntry.ts';
import { useAccounts } from '../runs/usedRows.ts';
import { readFeeds } from '../runs/readFiles.ts';
import type { TryParts } from '../tries/tryService.ts';
import { finishRecordingFrom, createYield, getSecrets } from './finishRecording.ts';

export interface PlanParts extends Omit<TryParts, 'redaction'> {
  /** Whether the user agreed to the requests of this plan. */
  readonly mayWalk: (plan: Plan) => boolean;
  /** Aborts the work, which then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

interface PlanOptions {
  /** Whether the journey is sent again to find the values that change between walks. */
  readonly walks: boolean;
  /** Path of the accounts file; undefined if all users share the recorded account. */
  readonly accountsFile: string | undefined;
  /** Whether each account can be used only once. */
  readonly accountsOnce: boolean;
  /** Texts that must be different in each journey. */
  readonly unique: readonly string[];
}

/** A plan with the values of its secrets by variable name. It is kept only in memory. */
export interface MadePlan extends Pick<RecordedPlan, 'walked' | 'problem'> {
  readonly plan: Plan;
  readonly notes: readonly Note[];
  readonly secrets: ReadonlyMap<string, string>;
  /** The journey that a browser walks during the load; null if it does not begin at the target. */
  readonly watched: WatchedJourney | null;
}

/** Creates the plan from a recording, and walks it if the user agreed to that. Throws `NOTHING_RECORDED`. */
export async function toPlanFile(
  { har, accounts }: Pick<Recording, 'accounts'> & { readonly har: unknown },
  { walks, accountsFile, accountsOnce, unique }: PlanOptions,
  { mayWalk, signal, ...parts }: PlanParts,
): Promise<MadePlan> {
  const options = { accounts, unique, ...(accountsFile === undefined ? {} : { accountsFile, accountsOnce }) };
  const recording = await runTurnsYielding(planInTurns(har, options), createYield(signal));
  const { result, accounts: names } = recording;
  if (result.kind === 'refused') throw nothingRecorded(result.issues[0]?.message ?? '');
  const { plan, notes, secrets } = result.imported;
  const watchedJourney = findWatchedJourney(har, accounts, { target: plan.targets[0]?.url ?? '', isFed: accountsFile !== undefined });
  // The recording itself used up the recorded accounts.
  if (accountsOnce && parts.usedRows !== null)
    useAccounts(
      parts.usedRows,
      plan.targets[0]?.url ?? '',
      accounts.map(({ userName }) => userName),
    );
  const known = new Map([...secrets, ...getSecrets(names, accounts)]);
  const unwalked: MadePlan = { plan, notes, secrets: known, walked: null, problem: null, watched: watchedJourney };
  if (!walks) return unwalked;
  if (!mayWalk(plan)) return { ...unwalked, problem: toProblem(walkNotAgreed(plan)) };
  try {
    const finishedResult = await finishRecordingFrom({ recording, accounts, others: [], signal }, parts);
    if (finishedResult.kind === 'refused') return unwalked;
    const { plan: found, secrets: all, captured, steps, rounds, heldBack } = finishedResult.finished;
    const redactor = createRedactor([...all.values()]);
    const shown = steps.map((step) => ({ ...step, says: step.says && redactor.text(step.says) }));
    return {
      plan: found,
      notes: finishedResult.notes,
      secrets: all,
      walked: { rounds, captured: [...captured], steps: shown },
      problem: heldBack === null ? null : toProblem(walkHeldBack(heldBack)),
      watched: watchedJourney,
    };
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...unwalked, problem: toProblem(thrown) };
  }
}

export interface PlanChoices {
  readonly thinkTimes: ThinkTimes;
  /** Whether a browser walks the journey during the load. */
  readonly watches: boolean;
}

/**
 * Returns the plan with the think times and watched pages that the user chose. `keep` stores a secret in memory and returns the reference
 * for the plan.
 */
export function recordedPlan(
  { plan, notes, secrets, walked, problem, watched }: MadePlan,
  { thinkTimes, watches }: PlanChoices,
  keep: (value: string) => string,
): Omit<RecordedPlan, 'recording'> {
  const paced = withThinkTimes(plan, thinkTimes);
  const wantedPlan = watches && watched !== null ? planSchema.parse({ ...paced, watchPages: [watched.page] }) : paced;
  const references = new Map([...secrets].map(([name, value]) => [envReference(name), keep(value)]));
  return {
    written: simplifyPlan(wantedPlan),
    plan: planSchema.parse(replaceByReferences(wantedPlan, references)),
    // Removes the location within the recording, because the user does not see the recording.
    notes: notes.map((note) => ({ ...note, location: '' })),
    variables: [...secrets.keys()],
    walked,
    problem,
    watched: watched === null ? null : { steps: watched.page.steps?.length ?? 0, endsBefore: watched.endsBefore },
  };
}

function withThinkTimes(plan: Plan, thinkTimes: ThinkTimes): Plan {
  if (thinkTimes === 'recorded') return plan;
  const thinkTime = thinkTimes === 'none' ? undefined : ({ kind: 'fixed', seconds: thinkTimes } as const);
  const journey = plan.journey.map((step, index, all) => {
    const { thinkTime: _recorded, ...rest } = step;
    return thinkTime === undefined || step.stream !== undefined || step.background !== undefined || index === all.length - 1
      ? rest
      : { ...rest, thinkTime };
  });
  return { ...plan, journey };
}

/** Throws `FEED_UNUSABLE` if the accounts file cannot be read, before a journey is walked. */
export async function requireAccounts(url: string, file: string): Promise<void> {
  const { user, password } = accountNames(1);
  const login = `{{${columnName(ACCOUNT_FEED, user)}}}{{${columnName(ACCOUNT_FEED, password)}}}`;
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

/**
 * Returns the problem of a walk that was not continued. The message shows at most 40 characters of the value, which may belong to another
 * person.
 */
function walkHeldBack({ step, called, value }: HeldBackValue): HoldfastError {
  return new HoldfastError({
    code: 'WALK_HELD_BACK',
    message: `Holdfast did not send “${step}” as another account: “${called}” would have been ${visibleLine(value.slice(0, 40))}, as recorded, and no page of that account shows this value. The plan ends before that step.`,
    hint: 'It may belong to somebody else, and sending it could change or delete that. Record again from a page that shows it, or capture it in the plan by hand.',
  });
}

function walkNotAgreed({ targets }: Plan): HoldfastError {
  return new HoldfastError({
    code: 'NOT_WALKED',
    message: `Holdfast did not send the journey again: nobody has agreed to send requests to ${targets[0]?.url ?? ''}.`,
    hint: 'The recording began at another address. Record again from this one.',
  });
}

/** Maximum depth of the search through a HAR. The HAR format has fewer levels. */
const MAX_DEPTH = 20;

/**
 * Removes passwords from a HAR that another program recorded, and returns the accounts that logged in. A form or JSON body with a name
 * field and a password field counts as an account.
 */
export function withoutPasswords(har: unknown): { readonly har: unknown; readonly accounts: readonly RecordedAccount[] } {
  const passwords = new Passwords();
  for (const entry of listAt(har, 'log', 'entries')) {
    const account = accountIn(sentFields(entry));
    if (account !== null) passwords.learn(account);
    for (const header of listAt(entry, 'request', 'headers'))
      passwords.cleanHeader(textAt(header, 'name') ?? '', textAt(header, 'value') ?? '');
  }
  return passwords.accounts.length === 0 ? { har, accounts: [] } : { har: cleaned(har, passwords, 0), accounts: passwords.accounts };
}

type Fields = readonly (readonly [string, string])[];

function sentFields(entry: unknown): Fields {
  if ((textAt(entry, 'request', 'method') ?? 'GET') === 'GET') return [];
  const params = listAt(entry, 'request', 'postData', 'params').flatMap((part): Fields => {
    const [name, value] = [textAt(part, 'name'), textAt(part, 'value')];
    return name === null || value === null ? [] : [[name, value]];
  });
  const [text, type] = ['text', 'mimeType'].map((member) => textAt(entry, 'request', 'postData', member) ?? '');
  return params.length > 0 ? params : bodyLeaves(text ?? '', type ?? '').map(({ name, value }) => [name, value]);
}

/**
 * Finds the account in a form. The user name is in the last matching field before the password, else in any matching field, because a
 * button may be called “login”. Returns null for two different passwords, because such a form changes a password.
 */
function accountIn(fields: Fields): Omit<RecordedAccount, 'number'> | null {
  const index = fields.findIndex(([name, value]) => isSecretColumn(name) && !/token/i.test(name) && value !== '');
  const [passwordField, password] = fields[index] ?? [];
  if (passwordField === undefined || password === undefined) return null;
  if (fields.some(([name, value]) => isPassword(name) && value !== '' && value !== password)) return null;
  const isName = ([name, value]: Fields[number]): boolean =>
    value !== '' && !isPassword(name) && (commonName(name) !== null || /user|login|mail|account|name/i.test(name));
  const [userField, userName] = fields.slice(0, index).findLast(isName) ?? fields.find(isName) ?? fields[index - 1] ?? [];
  return userField === undefined || userName === undefined || userName === '' ? null : { userField, userName, passwordField, password };
}

function isPassword(name: string): boolean {
  return commonName(name) === 'password' || /pass(word|wd)/i.test(name);
}

/** Removes passwords from all texts. A pair of `name` and `value` is treated as a form field or a header. */
function cleaned(value: unknown, passwords: Passwords, depth: number): unknown {
  if (typeof value === 'string') return passwords.cleanSent(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => cleaned(one, passwords, depth + 1));
  const [name, text] = [textAt(value, 'name'), textAt(value, 'value')];
  const pairs = Object.entries(value).map(([member, inner]): [string, unknown] => {
    if (member !== 'value' || name === null || text === null) return [member, cleaned(inner, passwords, depth + 1)];
    return [member, /authorization/i.test(name) ? passwords.cleanHeader(name, text) : cleanValue(name, text, passwords)];
  });
  return Object.fromEntries(pairs);
}
