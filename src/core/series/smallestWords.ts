import { inARow } from '#core/plan/hosts/places.ts';
import { student95 } from '#core/statistics/beta.ts';
import { meanOf } from '#core/statistics/trend.ts';
import { formatPart, formatCount, formatPercent } from '#core/base/units.ts';
import { budgetFigure, usedOf } from './answers.ts';
import type { Budget, Smallest } from './result.ts';
import { CRITERIA_LABELS } from './format.ts';
import type { Closest, IsSmaller, Machine } from './criteria.ts';

interface Told {
  /** In ascending order of size. */
  readonly machines: readonly Machine[];
  readonly smallest: readonly Machine[];
  readonly isSmaller: IsSmaller;
}

/** Returns the result, its limitations, and the margin of the best machine if none passes. */
export function sentencesOf(told: Told): string[] {
  return told.smallest.length === 0 ? [noneWords(told.machines)] : smallestWords(told);
}

/** Returns the sentences as texts. A sentence common to several conditions appears once, after their own ones. */
export function smallestTexts(answers: readonly Pick<Smallest, 'condition' | 'sentences'>[]): string[] {
  const all = answers.flatMap(({ condition, sentences }) => sentences.map((sentence) => ({ condition, sentence })));
  const said = [...Map.groupBy(all, ({ sentence }) => sentence)].map(([sentence, alike]) => ({
    sentence,
    at: inARow(alike.map(({ condition }) => condition)),
    isShared: alike.length > 1,
  }));
  const texts = Map.groupBy(
    said.toSorted((one, other) => Number(one.isShared) - Number(other.isShared)),
    ({ at }) => at,
  );
  return [...texts].map(([at, group]) => {
    const [first = '', ...others] = group.map(({ sentence }) => sentence);
    return [at === '' ? first : `At ${at}: ${uncapitalized(first)}`, ...others].join(' ');
  });
}

function uncapitalized(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function smallestWords({ smallest, machines, isSmaller }: Told): string[] {
  const smaller = machines.filter((machine) => smallest.some((one) => isSmaller(machine, one)));
  const unmeasured = smaller.filter(({ judgement }) => judgement === 'notMeasured');
  const larger = machines.filter((machine) => machine.judgement === 'failed' && smallest.some((one) => isSmaller(one, machine)));
  return [
    ...headWords(smallest),
    ...smallest.flatMap(onceWords),
    ...smaller.flatMap((machine) => {
      const doubt = doubtOf(machine);
      return doubt === null ? [] : [`Whether the smaller “${machine.name}” is enough is ${doubt}: ${keptWords(machine)}.`];
    }),
    ...(unmeasured.length === 0 ? [] : [`Not measured, though smaller: ${quoted(unmeasured)}.`]),
    ...(larger.length === 0 ? [] : [`${quoted(larger)} ${larger.length === 1 ? 'is' : 'are'} larger and failed a criterion all the same.`]),
  ];
}

function headWords(smallest: readonly Machine[]): string[] {
  const [first] = smallest;
  if (first === undefined) return [];
  if (smallest.length > 1)
    return [
      [`${quoted(smallest)} pass every criterion, and nothing smaller does.`, ...smallest.flatMap(noiseWords)].join(' '),
      `The factors of ${quoted(smallest)} do not say which is the smaller; a cost of each variant would.`,
    ];
  const { closest } = first;
  const near = closest === null ? '' : `; closest to failing is ${limitWords(closest)}`;
  // Refers to the limit that was just named.
  return [[`“${first.name}” is the smallest machine that passes every criterion${near}.`, ...noiseWords(first)].join(' ')];
}

function noneWords(machines: readonly Machine[]): string {
  const measured = machines.filter(({ runs }) => runs > 0);
  if (measured.length === 0) return 'Which machine is enough is unknown: none was measured.';
  const outcomes = measured.flatMap(({ row }) => row.runs.flatMap(({ figures }) => figures?.outcome ?? []));
  if (outcomes.every((outcome) => outcome === 'measured')) return 'Which machine is enough is unknown: the plan sets no pass criteria.';
  const nearest = measured.toSorted(
    (one, other) => other.passed / other.runs - one.passed / one.runs || middleOf(one) - middleOf(other),
  )[0];
  if (nearest === undefined) return '';
  const { name, closest } = nearest;
  const doubt = doubtOf(nearest);
  const isSure = measured.every((machine) => machine.judgement === 'failed');
  const head = isSure ? 'No machine passes every criterion.' : 'No machine surely passes every criterion.';
  if (doubt !== null) return `${head} “${name}” comes nearest; whether it is enough is ${doubt}: ${keptWords(nearest)}.`;
  return `${head} “${name}” comes nearest${closest === null ? '' : `, and fails ${limitWords(closest)}${beyondWords(closest.budget)}`}.`;
}

function middleOf({ closest }: Machine): number {
  return (closest && usedOf(closest.budget)) ?? Number.POSITIVE_INFINITY;
}

/** Example: "“95 % of responses within 800 ms” with 896 ms". */
function limitWords({ budget: { text, measured, unit } }: Closest): string {
  return `“${text}” with ${budgetFigure(measured, unit)}`;
}

function beyondWords(budget: Budget): string {
  const used = usedOf(budget) ?? 0;
  return Number.isFinite(used) && used > 1 ? `, by ${formatPercent(beyond(used, budget.unit), 2)}` : '';
}

/** Relative excess over a limit. */
function beyond(used: number, unit: Budget['unit']): number {
  return unit === 'perSecond' || unit === 'apdex' ? 1 - 1 / used : used - 1;
}

/**
 * Warns if another run could fail: the limit is within the 95 % prediction interval of one further run (normal distribution of logarithms, Hahn and Meeker
 * 1991, 4.7).
 */
function noiseWords({ name, runs, closest }: Machine): string[] {
  if (runs === 1 || closest === null || closest.used.length < 2 || closest.used.some((used) => used <= 0 || !Number.isFinite(used)))
    return [];
  const logs = closest.used.map((used) => Math.log(used));
  const mean = meanOf(logs);
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const upper = mean + student95(logs.length - 1) * Math.sqrt(variance * (1 + 1 / logs.length));
  if (upper <= 0) return [];
  const far = formatPercent(beyond(Math.exp(upper), closest.budget.unit), 2);
  return [`“${name}” passes by less than noise: its runs differ so much that another one could exceed that limit by ${far}.`];
}

function onceWords({ name, runs }: Machine): string[] {
  return runs === 1 ? [`“${name}” was run once, so how much of its figures is chance is unknown.`] : [];
}

/** Returns null if the judgement is clear, or if the machine was not measured. */
function doubtOf({ judgement }: Machine): string | null {
  if (judgement === 'withinNoise') return CRITERIA_LABELS.withinNoise;
  return judgement === 'unclear' ? CRITERIA_LABELS.inconclusive : null;
}

function keptWords({ passed, failed, runs }: Machine): string {
  const unknown = runs - passed - failed;
  const judged = `${formatPart(passed, runs)} ${runs === 1 ? 'run' : 'runs'} passed every criterion`;
  return unknown === 0 ? judged : `${judged}, and of ${formatCount(unknown)} the result is inconclusive: more requests would help`;
}

function quoted(machines: readonly Machine[]): string {
  return inARow(machines.map(({ name }) => `“${name}”`));
}
