import { storesValue } from '#core/work/journey/storing.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { isRunning } from '#core/result/schema.ts';
import { countAcknowledged, type StoredReading, listStoredReadings, listWatchedCounts } from '#core/result/readings.ts';
import { capitalize } from '#core/base/text.ts';
import { formatCount, isOrAre } from '#core/base/units.ts';
import { maxFailures, WHOLE_RUN_NAME } from './completion.ts';
import { type JudgeInput, completeJudgement } from './input.ts';
import { itemNouns, listJudgedSteps } from './items.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';

export type Storage = NonNullable<Verdict['storage']>;
export type StoredStep = Storage['steps'][number];

/**
 * Returns whether the server kept what it acknowledged for each step in the whole run, according to counts of the target or to steps that
 * read it back. Returns undefined while the run continues.
 */
export function findStorage(input: JudgeInput): Storage | undefined {
  const { plan, evidence } = input;
  if (isRunning(input.head.state)) return undefined;
  const steps = listJudgedSteps(plan).flatMap(({ step: index, requestIndex }): StoredStep[] => {
    const step = plan.journey[index];
    const { good } = evidence.totalOf(requestIndex);
    const acknowledged = countAcknowledged(step?.name ?? '', { ok: good }, input.places);
    if (step === undefined || acknowledged === 0 || !storesValue(step, plan)) return [];
    return [
      worstOutcome([...compareWithCounts(step, acknowledged, input), ...listReadBacks(step, acknowledged, input)], step, acknowledged),
    ];
  });
  const hasState = (state: StoredStep['state']): boolean => steps.some((step) => step.state === state);
  const state = hasState('contradicted')
    ? 'contradicted'
    : hasState('notVerified')
      ? 'notVerified'
      : steps.length > 0
        ? 'verified'
        : 'none';
  return { state, steps };
}

/** Returns the worst outcome. A contradiction decides; without one, one proof suffices. */
function worstOutcome(found: readonly StoredStep[], { name }: Step, acknowledged: number): StoredStep {
  const unknown: StoredStep = { step: name, state: 'notVerified', acknowledged, missing: 0, by: null };
  return found.find(({ state }) => state === 'contradicted') ?? found.find(({ state }) => state === 'verified') ?? found[0] ?? unknown;
}

/** Compares the acknowledged items with counts of the target. A single missing item is a contradiction. */
function compareWithCounts({ name }: Step, acknowledged: number, { plan, generators, events }: JudgeInput): StoredStep[] {
  const readings = [...listStoredReadings(plan, events), ...listWatchedCounts(plan, generators)].filter(({ step }) => step === name);
  return readings.map((reading): StoredStep => {
    const missing = countMissing(reading, acknowledged);
    const repeated = reading.items?.repeated ?? 0;
    const facts = { step: name, acknowledged, missing: missing ?? 0, ...(repeated > 0 ? { repeated } : {}), by: 'count' as const };
    // If the count still changed at its last reading, more items may have arrived later.
    const isUnknown = missing === null || (missing > 0 && !reading.stands);
    const state = repeated > 0 || (!isUnknown && missing > 0) ? 'contradicted' : isUnknown ? 'notVerified' : 'verified';
    return { ...facts, state };
  });
}

/**
 * Returns the number of missing items. If items have markers, it is at least the number of items that are not listed, because repeated or
 * unacknowledged items would hide them in the count.
 */
function countMissing({ before, after, items }: StoredReading, acknowledged: number): number | null {
  return after === null ? null : Math.max(0, acknowledged - (after - before), items?.missing ?? 0);
}

/**
 * Compares the acknowledged items with steps that read items back. Items that were not found are missing. If a step fails for another
 * reason, the storage is unknown.
 */
function listReadBacks({ name }: Step, acknowledged: number, { plan, evidence, head, people }: JudgeInput): StoredStep[] {
  const ofPeople = countReadBackByPeople(name, people);
  if (ofPeople !== null) {
    const { missing } = ofPeople;
    const allowed = maxFailures(acknowledged);
    const state = missing > allowed ? 'contradicted' : ofPeople.stored + missing >= acknowledged - allowed ? 'verified' : 'notVerified';
    return [{ step: name, state, acknowledged, missing, by: 'readBack' }];
  }
  return plan.journey.flatMap(({ confirms }, index): StoredStep[] => {
    if (confirms?.includes(name) !== true) return [];
    const { good, notFound } = evidence.totalOf(index);
    const pending = head.state === 'finished' && plan.journey[index]?.poll !== undefined ? evidence.pendingWaits(index) : 0;
    const missing = Math.min(acknowledged, notFound + pending);
    const allowed = maxFailures(acknowledged);
    const isAllConfirmed = good + missing >= acknowledged - allowed;
    const state = missing > allowed ? 'contradicted' : isAllConfirmed ? 'verified' : 'notVerified';
    return [{ step: name, state, acknowledged, missing, by: 'readBack' }];
  });
}

/**
 * Returns how many items of a step were read back for each person, who may read several at once; null if they were counted in another way.
 */
function countReadBackByPeople(step: string, people: JudgeInput['people']): { readonly stored: number; readonly missing: number } | null {
  const items = people?.items;
  if (items == null || items.by !== 'readBack' || items.stored === null || items.steps.length !== 1 || items.steps[0] !== step) return null;
  return { stored: items.stored, missing: items.missing ?? 0 };
}

/** Returns missing items as failed criteria. */
export function judgeStorage(storage: Storage | undefined, { plan }: JudgeInput): CriterionResult[] {
  return (storage?.steps ?? []).flatMap(({ step: name, state, acknowledged, missing, repeated = 0, by }): CriterionResult[] => {
    const step = plan.journey.find((one) => one.name === name);
    if (state !== 'contradicted' || step === undefined) return [];
    const maxShare = by === 'readBack' && maxFailures(acknowledged) > 0 ? 0.01 : 0;
    return [
      {
        criterion: { kind: 'errors', step: name, maxShare },
        text: `every acknowledged ${itemNouns(step).one} is stored`,
        stage: WHOLE_RUN_NAME,
        step: name,
        ...completeJudgement({
          outcome: 'failed',
          reason: `${capitalize(formatMissing(step, { acknowledged, missing, repeated, by }))}.`,
          measured: (missing + repeated) / acknowledged,
          limit: maxShare,
          unit: 'share',
          counted: acknowledged,
          over: missing + repeated,
        }),
        isDefault: true,
        isOfStorage: true,
      },
    ];
  });
}

/**
 * Example: “17 of 24 acknowledged solutions were not found afterwards”, “1 of 24 acknowledged solutions is not stored, and 1 is stored more
 * than once”.
 */
export function formatMissing(
  step: Step,
  { acknowledged, missing, repeated = 0, by }: Pick<StoredStep, 'acknowledged' | 'missing' | 'repeated' | 'by'>,
): string {
  const { one, many } = itemNouns(step);
  const things = `of ${formatCount(acknowledged)} acknowledged ${acknowledged === 1 ? one : many}`;
  if (by !== 'count') return `${formatCount(missing)} ${things} ${missing === 1 ? 'was' : 'were'} not found afterwards`;
  if (missing === 0) return `${formatCount(repeated)} ${things} ${isOrAre(repeated)} stored more than once`;
  const more = repeated === 0 ? '' : `, and ${formatCount(repeated)} ${isOrAre(repeated)} stored more than once`;
  return `${formatCount(missing)} ${things} ${isOrAre(missing)} not stored${more}`;
}

/** Maximum number of steps in the headline. */
const MAX_NAMED = 3;

/** Returns the text about storage for the headline of a run that did not fail. */
export function formatStorage(storage: Storage | undefined): string {
  const names = (storage?.steps ?? []).flatMap(({ step, state }) => (state === 'notVerified' ? [`“${step}”`] : []));
  if (names.length === 0) return '';
  const named = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED - 1), `${names.length - MAX_NAMED + 1} more steps`] : names;
  return `; storage of ${joinNames(named)} not verified`;
}

/** Returns the reason about storage; null if nothing was stored or something is missing. */
export function storageReason(storage: Storage | undefined): { readonly code: string; readonly text: string } | null {
  const stepsNamed = (state: StoredStep['state']): string =>
    (storage?.steps ?? []).flatMap((one) => (one.state === state ? [`“${one.step}”`] : [])).join(', ');
  switch (storage?.state) {
    case 'verified':
      return { code: 'storage.verified', text: `What the server acknowledged of ${stepsNamed('verified')} is stored.` };
    case 'notVerified':
      return {
        code: 'storage.notVerified',
        text: `Storage not verified: the server acknowledged ${stepsNamed('notVerified')}, and nothing shows that it was stored. Count it with “stored”, or read it back with a step that “confirms” it.`,
      };
    default:
      return null;
  }
}
