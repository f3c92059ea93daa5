import { capitalize } from '#core/base/text.ts';
import { formatCount, formatMs, formatPart, formatSeconds } from '#core/base/units.ts';
import { formatRefused, findConstantShare } from '#core/judgement/diagnosis/rules/refusals.ts';
import { type Aftermath, MAX_AFTERMATH_SECONDS } from './aftermath.ts';
import type { SearchFacts } from './facts.ts';
import { formatSearchLevel, isOfPeople, isWhole } from './levels.ts';
import type { LevelReading } from './reading.ts';
import type { BreakingPointConclusion, Gauge } from './schema.ts';
import { isStandstill, probableWait, type RunFreeze, describeUsedUpPool } from '../freeze.ts';

/** Maximum relative difference between measured and predicted limits that needs no explanation. */
const MAX_AGREEING_DIFFERENCE = 0.1;

/** Returns the result in one sentence. */
export function writeSentence(facts: SearchFacts): string {
  const { plan, aftermaths } = facts;
  const open = aftermaths.at(-1);
  const isLost = open !== undefined && !open.isOver && open.seconds >= MAX_AFTERMATH_SECONDS;
  return `${formatLevels(facts)}${isLost ? ` ${formatNotRecovered(open, formatSearchLevel(plan, open.level))}` : ''}`;
}

export function formatNotRecovered({ seconds }: Aftermath, level: string): string {
  return `The server has not recovered since ${level}: for ${formatSeconds(seconds)}, a single user got no responses as fast as at first, so no further level was started.`;
}

function formatLevels({ plan, levels, disturbed, bracket, end, settings }: SearchFacts): string {
  const say = (level: number): string => formatSearchLevel(plan, level);
  const { sustained, breakingPoint } = bracket;
  const unclear = levels.find(({ outcome }) => outcome === 'unclear');
  if (unclear !== undefined) {
    if (unclear.because === 'wrongPlace')
      return `Inconclusive: the failures at ${say(unclear.level)} have nothing to do with load. ${unclear.text}`;
    const sustainedPart = sustained === null ? '' : ` It sustains at least ${say(sustained)}.`;
    if (unclear.because === 'generator')
      return `Inconclusive: at ${say(unclear.level)} this computer was the limit. ${unclear.text}${sustainedPart}`;
    return `Inconclusive: ${say(unclear.level)} gave no clear result. ${unclear.text}${sustainedPart}`;
  }
  if (sustained !== null && breakingPoint !== null) {
    const width = breakingPoint / sustained <= 1 + settings.precision || isWhole(plan) ? '' : ' A longer search would narrow this down.';
    const frozen = frozenLevels(levels);
    const why = frozen.some(({ level }) => level === breakingPoint) ? (formatFreeze(frozen, say)?.short ?? '') : '';
    return `Sustains ${say(sustained)} and fails at ${say(breakingPoint)}${why}.${width}`;
  }
  if (sustained !== null) {
    return end === 'reachedTop'
      ? `Passed at ${say(sustained)}, the highest level tested.`
      : `Sustains ${say(sustained)}; the breaking point was not reached.`;
  }
  if (breakingPoint !== null) return `Failed at ${say(breakingPoint)}, and no lower level passed.`;
  const last = disturbed.at(-1);
  if (last !== undefined) return `Inconclusive: at ${say(last.level)} this computer was the limit. ${last.text}`;
  return 'No level has been measured.';
}

/**
 * Describes steps with the same refused share at the lowest and the highest level. The accounts, the data or a rule of the server cause
 * such refusals.
 */
function formatRefusedAtAnyLevel(levels: readonly LevelReading[], say: (level: number) => string): string[] {
  const names = new Set(levels.flatMap(({ refused = [] }) => refused.map(({ step }) => step)));
  return [...names].flatMap((name) => {
    const found = findConstantShare(
      levels.map(({ level, sent, refused }) => {
        const { refused: count = 0, complete = sent } = refused?.find(({ step }) => step === name) ?? {};
        return { level, refused: count, complete };
      }),
    );
    return found === null ? [] : [formatRefused(name, found, say)];
  });
}

/** Returns the reasons for the result. */
export function listReasons(
  facts: SearchFacts,
  { range, prediction, withoutTimeout, withoutError, recovery, estimate }: Omit<BreakingPointConclusion, 'sentence' | 'reasons'>,
  say: (level: number) => string,
): string[] {
  const { bracket, levels, disturbed, tooShort, byChance, mixed, settings, aftermaths } = facts;
  const at = (level: number | null, outcome: LevelReading['outcome']): LevelReading | undefined =>
    levels.find((one) => one.level === level && one.outcome === outcome);
  const sustained = at(bracket.sustained, 'passed');
  const breakingPoint = at(bracket.breakingPoint, 'failed');
  const reported: string[] = [];
  if (sustained !== undefined) reported.push(`At ${say(sustained.level)}: ${sustained.text}`);
  if (breakingPoint !== undefined) reported.push(`At ${say(breakingPoint.level)}: ${breakingPoint.text}`);
  reported.push(...formatRefusedAtAnyLevel(levels, say));
  const why = formatFreeze(frozenLevels(levels), say);
  if (why !== null) reported.push(why.long);
  if (bracket.sustained !== null && bracket.breakingPoint !== null) reported.push(formatRange(range, say));
  if (levels.some(({ sent }) => sent > 0))
    reported.push(formatGauge('time-out', withoutTimeout, say), formatGauge('failure', withoutError, say));
  if (prediction !== null) {
    const measured = estimate ?? bracket.breakingPoint ?? prediction.level;
    const differs = Math.abs(prediction.level / measured - 1) > MAX_AGREEING_DIFFERENCE;
    reported.push(`By the queueing formula: ${prediction.text}`);
    if (differs && estimate !== null)
      reported.push(
        `The formula predicts ${say(prediction.level)}, but ${say(estimate)} was measured: ${prediction.level > estimate ? 'a pass criterion fails before every worker is busy' : 'the server does more at once than the formula assumes, or times shrink under load'}.`,
      );
  }
  const left = aftermaths.filter(({ seconds }) => seconds > 0);
  if (left.length > 0) reported.push(formatAftermath(left, say));
  if (recovery !== null) reported.push(formatRecovery(recovery, say));
  else if (left.length === 0 && isWhole(facts.plan) && !isOfPeople(facts.plan) && settings.recovery && estimate !== null)
    reported.push('Recovery was not measured: clients that wait for each response leave no queue behind.');
  if (mixed.length > 0) reported.push(`${mixed.map(say).join(', ')}: some runs passed and some failed. The majority counts.`);
  const unsure = levels.filter(({ isSure }) => !isSure);
  if (unsure.length > 0)
    reported.push(
      `${capitalize(formatPart(unsure.length, levels.length))} runs are inconclusive by themselves and count by what they measured. More seconds for each level would help.`,
    );
  const overloaded = levels.filter(({ overloadedSeconds }) => overloadedSeconds > 0);
  if (overloaded.length > 0)
    reported.push(`This computer was overloaded in some seconds at ${[...new Set(overloaded.map(({ level }) => say(level)))].join(', ')}.`);
  if (levels.some(({ isShared }) => isShared))
    reported.push(
      'The load was sent from the machine of the server and took processor time from it. From another machine, it may handle more.',
    );
  if (disturbed.length > 0) reported.push(`Not counted, because this computer was overloaded: ${formatRunsAt(disturbed, say)}.`);
  if (tooShort.length > 0)
    reported.push(`Repeated for longer, to distinguish a growing queue from chance: ${formatRunsAt(tooShort, say)}.`);
  if (byChance.length > 0)
    reported.push(
      `The results of ${formatRunsAt(byChance, say)} may be due to chance and count as measured. More seconds for each level would help.`,
    );
  return reported;
}

function formatRange({ low, high }: BreakingPointConclusion['range'], say: (level: number) => string): string {
  const formatRoundedLevel = (level: number): string => say(Number(level.toPrecision(4)));
  if (low !== null && high !== null)
    return `With 95 % confidence the breaking point is between ${formatRoundedLevel(low)} and ${formatRoundedLevel(high)}.`;
  if (low !== null) return `With 95 % confidence the breaking point is above ${formatRoundedLevel(low)}; how far above is unknown.`;
  return high === null
    ? 'Too few responses to name a level with 95 % confidence.'
    : `With 95 % confidence the breaking point is below ${formatRoundedLevel(high)}.`;
}

function formatAftermath(left: readonly Aftermath[], say: (level: number) => string): string {
  const each = left.map(
    ({ level, seconds, isOver }) => `${say(level)} (${isOver ? formatSeconds(seconds) : `not within ${formatSeconds(seconds)}`})`,
  );
  return `Time to recover after ${each.join(', ')}: a single user checked the server, and no level was started before it had recovered.`;
}

/** Formats runs with their levels, such as "3 runs at 40 requests/s, 44 requests/s". */
function formatRunsAt(runs: readonly LevelReading[], say: (level: number) => string): string {
  const at = [...new Set(runs.map(({ level }) => say(level)))].join(', ');
  return `${formatCount(runs.length)} ${runs.length === 1 ? 'run' : 'runs'} at ${at}`;
}

function formatGauge(what: string, { upTo, from }: Gauge, say: (level: number) => string): string {
  if (upTo === null)
    return from === null ? `Whether there is a ${what} was not measured.` : `There were ${what}s at every level, ${say(from)} the lowest.`;
  return from === null ? `No ${what} at any level, up to ${say(upTo)}.` : `No ${what} up to ${say(upTo)}; the first at ${say(from)}.`;
}

function formatRecovery(
  {
    overloadLevel,
    calmLevel,
    overloadSeconds,
    seconds,
    resolutionSeconds,
    watchedSeconds,
    beforeMs,
    worstMs,
    reason,
  }: NonNullable<BreakingPointConclusion['recovery']>,
  say: (level: number) => string,
): string {
  const what = `After ${formatSeconds(overloadSeconds)} of ${say(overloadLevel)}, back at ${say(calmLevel)}`;
  if (reason !== null) return `${what}: time to recover unknown. ${reason}`;
  const times = beforeMs === null || worstMs === null ? '' : ` (p90 ${formatMs(beforeMs)} before, ${formatMs(worstMs)} at worst)`;
  return seconds === null
    ? `${what}, it did not recover within ${formatSeconds(watchedSeconds)}${times}.`
    : `${what}, it recovered after ${formatSeconds(seconds)} ± ${formatSeconds(resolutionSeconds / 2)}${times}.`;
}

type FrozenLevel = LevelReading & { readonly freeze: RunFreeze };

/** Returns the levels at which the server froze although it was quick at a lower level. */
export function frozenLevels(levels: readonly LevelReading[]): FrozenLevel[] {
  const isFrozen = (one: LevelReading): one is FrozenLevel => {
    const { freeze } = one;
    if (freeze === null) return false;
    const calm = levels.filter(({ outcome, level }) => outcome === 'passed' && level < one.level);
    return calm.some(({ okPerSecond, p95 }) => isStandstill(freeze, { okPerSecond, p95Ms: typeof p95 === 'number' ? p95 : null }));
  };
  return levels.filter(isFrozen).toSorted((one, other) => one.level - other.level);
}

/** Describes the freeze at the lowest frozen level, both as the end of a sentence and in full; null if there is none. */
function formatFreeze(
  frozen: readonly FrozenLevel[],
  say: (level: number) => string,
): { readonly short: string; readonly long: string } | null {
  const [lowest] = frozen;
  if (lowest === undefined) return null;
  const at = frozen.map(({ level }) => say(level)).join(', ');
  const seconds = Math.max(...frozen.map(({ freeze }) => freeze.seconds));
  const longest = formatSeconds(Math.round(seconds));
  const standstillText = `Why: at ${at} there was no response for up to ${longest}`;
  const pool = describeUsedUpPool(frozen.map(({ freeze }) => freeze));
  if (pool !== null) return { short: pool.short, long: `${standstillText}, ${pool.showed}` };
  const minInFlight = Math.min(...frozen.map(({ freeze }) => freeze.inFlight));
  const room = `, here of at most ${formatCount(minInFlight)} in total`;
  return {
    short: `, where it stands still for ${longest}`,
    long: `${standstillText}, and then everything at once. ${probableWait({ seconds, kind: lowest.freeze.kind }, room)}`,
  };
}
