import { type StageLoad, levelOf } from '#core/work/load/stages.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatNumber, formatSeconds, GOOD_PER_SECOND } from '#core/base/units.ts';
import type { Verdict, VerdictParts } from '#core/result/verdict.ts';

export const NO_CRITERIA = 'No pass criteria were set.';

/** First words of a verdict's sentence, by outcome. */
export const OUTCOME_TITLES: Readonly<Record<Verdict['outcome'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  inconclusive: 'Inconclusive',
  measured: 'Measured',
};

export function formatVerdict(outcome: Verdict['outcome'], parts: VerdictParts): Pick<Verdict, 'headline' | 'sentence' | 'parts'> {
  const headline = `${OUTCOME_TITLES[outcome]}${parts.load}`;
  return { headline, sentence: `${OUTCOME_TITLES[outcome]}${formatAfterOutcome(parts)}`, parts };
}

/** Returns the sentence of a verdict without its outcome, which screens emphasize separately. */
export function formatAfterOutcome({ load, cause, more }: VerdictParts): string {
  return `${load}${cause === '' ? '.' : `: ${cause}`}${more === '' ? '' : ` ${more}`}`;
}

/** Returns the sentence of a verdict without its headline; empty if the headline says everything. */
export function formatAfterHeadline({ cause, more }: VerdictParts): string {
  return [cause, more].filter((text) => text !== '').join(' ');
}

/** Returns the highest level of all judged stages. `reached`: the levels by stage, if they differ from the plan. */
export function findHighestLevel(plan: Plan, reached: readonly StageLoad[] = []): StageLoad {
  const levels = listJudgedStages(plan).flatMap((index) => reached[index] ?? plan.load.stages.slice(index, index + 1).map(levelOf));
  return levels.reduce((highest, level) => (level.highest > highest.highest ? level : highest));
}

/** Examples: "60 connections", "500 users", "50 arrivals a second", "up to 50 arrivals a second". */
export function formatLevel({ unit, from, to, highest }: StageLoad): string {
  switch (unit) {
    case 'connections':
      return highest === 1 ? '1 connection' : `${formatCount(highest)} connections`;
    case 'users':
      return highest === 1 ? '1 user' : `${formatCount(highest)} users`;
    case 'arrivalsPerSecond':
      return `${from === highest && to === highest ? '' : 'up to '}${formatNumber(highest)} arrivals a second`;
    default:
      return unit satisfies never;
  }
}

/** Example: "at 60 connections". */
export function formatAtLevel(level: StageLoad): string {
  return `at ${formatLevel(level)}`;
}

/** Example: "212 successful responses a second". */
export function formatRequestRate(perSecond: number | null): string {
  if (perSecond === null) return `an unknown number of ${GOOD_PER_SECOND}`;
  const rate = formatNumber(perSecond);
  return rate === '1' ? '1 successful response a second' : `${rate} ${GOOD_PER_SECOND}`;
}

/** Example: “12 whole pages a second”. */
export function formatPageRate(perSecond: number | null): string {
  if (perSecond === null) return 'an unknown number of whole pages a second';
  const rate = formatNumber(perSecond);
  return `${rate} whole ${rate === '1' ? 'page' : 'pages'} a second`;
}

/** Example: “950 events a second”. */
export function formatEventRate(perSecond: number | null): string {
  if (perSecond === null) return 'an unknown number of events a second';
  const rate = formatNumber(perSecond);
  return `${rate} ${rate === '1' ? 'event' : 'events'} a second`;
}

/** Example: "from 2 min 40 s on, ", with `more` after the time. Empty for a violation from the beginning. */
export function formatFrom(second: number | null, beginsAt: number, more = ''): string {
  return second === null || second <= beginsAt ? '' : `from ${formatSeconds(second)} on${more}, `;
}

/** Returns the text with a small first letter, as after a colon, unless it begins with a proper name. */
export function uncapitalize(text: string): string {
  return /^(Apdex)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
