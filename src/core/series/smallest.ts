import { getOwn } from '#core/base/ownMembers.ts';
import { meanOf, medianOf } from '#core/statistics/trend.ts';
import type { Series, Variant } from '#core/plan/schema/series.ts';
import { parseAmount, formatCondition, groupsAlike, machineFactors } from './fit.ts';
import type { Budget, SeriesRow, SmallestMachine } from './result.ts';
import {
  type ClosestCriterion,
  type CriteriaJudgement,
  type IsSmaller,
  judgeCriteria,
  listJudgedFigures,
  type Machine,
} from './criteria.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { student95 } from '#core/statistics/bounds.ts';
import { formatCount, formatMs, formatNumber, formatPart, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { CRITERIA_LABELS } from './format.ts';
import type { RunResult } from '#core/result/schema.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/**
 * Finds the smallest machine that passes every criterion, for each level and condition. If all variants have a cost, a cheaper machine is
 * smaller. If not, a machine is smaller if it has less of some of its factors and more of none; other pairs are not ordered. Empty if no
 * machine is smaller than another.
 */
export function findSmallest(rows: readonly SeriesRow[], { machine, variants }: Pick<Series, 'machine' | 'variants'>): SmallestMachine[] {
  const costs = findCosts(variants);
  const known = machineFactors(machine, rows);
  if (known.length === 0 && costs === null) return [];
  // If costs order the machines and no factor is a known machine property, all factors count as machine properties.
  const names = known.length > 0 ? known : [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))];
  const isSmaller: IsSmaller = costs === null ? (one, other) => hasLess(one.row, other.row, names) : costsLess(costs);
  const groups = groupsAlike(rows, names);
  return groups.flatMap((group) => {
    const machines = group.map(buildMachine);
    const below = new Map(machines.map((one) => [one, machines.filter((other) => isSmaller(other, one)).length]));
    if (machines.every((one) => below.get(one) === 0)) return [];
    const sorted = machines.toSorted((one, other) => (below.get(one) ?? 0) - (below.get(other) ?? 0));
    return [parseResponse(sorted, isSmaller, formatCondition(group, groups, names))];
  });
}

/** Returns the costs by variant; null unless every variant has one. */
function findCosts(variants: readonly Variant[]): ReadonlyMap<string, number> | null {
  const costs = new Map(variants.flatMap(({ name, cost }) => (cost === undefined ? [] : [[name, cost] as const])));
  return costs.size > 0 && costs.size === variants.length ? costs : null;
}

function costsLess(costs: ReadonlyMap<string, number>): IsSmaller {
  const costOfMachine = ({ row }: Machine): number => costs.get(row.variant ?? '') ?? 0;
  return (one, other) => costOfMachine(one) < costOfMachine(other);
}

function hasLess(one: SeriesRow, other: SeriesRow, names: readonly string[]): boolean {
  const signs = names.map((name) => compareOrder(getOwn(one.factors, name), getOwn(other.factors, name)));
  return signs.every((sign) => sign !== null && sign <= 0) && signs.includes(-1);
}

/** Compares two values of a factor. Returns −1, 0 or 1; null if their order is unknown. */
function compareOrder(one: Variant['factors'][string] | undefined, other: Variant['factors'][string] | undefined): number | null {
  if (String(one) === String(other)) return 0;
  const [left, right] = [parseAmount(one), parseAmount(other)];
  return left === null || right === null || left.unit !== right.unit ? null : Math.sign(left.value - right.value);
}

function buildMachine(row: SeriesRow): Machine {
  const judged = listJudgedFigures(row.runs);
  const runs = judged.length;
  const passed = judged.filter(({ outcome }) => outcome === 'passed').length;
  const failed = judged.filter(({ outcome }) => outcome === 'failed').length;
  return {
    row,
    name: row.variant ?? row.cell,
    judgement: runs === 0 ? 'notMeasured' : JUDGEMENT_OF_CRITERIA[judgeCriteria(judged) ?? 'inconclusive'],
    runs,
    passed,
    failed,
    closest: findClosest(judged.flatMap(({ budgets }) => budgets)),
  };
}

const JUDGEMENT_OF_CRITERIA: Readonly<Record<CriteriaJudgement, Machine['judgement']>> = {
  passed: 'passed',
  failed: 'failed',
  withinNoise: 'withinNoise',
  inconclusive: 'unclear',
};

/** Returns the criterion with the largest used share, by the median of the runs. */
function findClosest(budgets: readonly Budget[]): ClosestCriterion | null {
  const byLimit = [...Map.groupBy(budgets, ({ text }) => text).values()].flatMap((group): ClosestCriterion[] => {
    const read = group
      .flatMap((budget) => {
        const used = computeUsedShare(budget);
        return used === null ? [] : [{ budget, used }];
      })
      .toSorted((one, other) => one.used - other.used);
    const middle = read[Math.floor((read.length - 1) / 2)];
    return middle === undefined ? [] : [{ budget: middle.budget, used: read.map(({ used }) => used) }];
  });
  return byLimit.toSorted((one, other) => medianOf(other.used) - medianOf(one.used))[0] ?? null;
}

function parseResponse(machines: readonly Machine[], isSmaller: IsSmaller, condition: string): SmallestMachine {
  const enough = machines.filter(({ judgement }) => judgement === 'passed');
  const smallest = enough.filter((machine) => !enough.some((other) => isSmaller(other, machine)));
  return {
    condition,
    machines: machines.map(({ row, name, judgement, runs, passed, closest }) => ({
      cell: row.cell,
      name,
      judgement,
      runs,
      passed,
      closest: closest && omitOutcome(closest.budget),
    })),
    smallest: smallest.map(({ row }) => row.cell),
    sentences: listSentences({ machines, smallest, isSmaller }),
  };
}

function omitOutcome({ outcome: _outcome, ...budget }: Budget): Omit<Budget, 'outcome'> {
  return budget;
}

interface ReportedMachines {
  /** Machines in ascending order of size. */
  readonly machines: readonly Machine[];
  readonly smallest: readonly Machine[];
  readonly isSmaller: IsSmaller;
}

/** Returns the result, its limitations, and the margin of the best machine if none passes. */
function listSentences(reported: ReportedMachines): string[] {
  return reported.smallest.length === 0 ? [describeNone(reported.machines)] : describeSmallest(reported);
}

/** Returns the sentences as texts. A sentence that several conditions share appears once, after the sentences of the conditions. */
export function formatSmallest(responses: readonly Pick<SmallestMachine, 'condition' | 'sentences'>[]): string[] {
  const all = responses.flatMap(({ condition, sentences }) => sentences.map((sentence) => ({ condition, sentence })));
  const groupedSentences = [...Map.groupBy(all, ({ sentence }) => sentence)].map(([sentence, alike]) => ({
    sentence,
    at: joinNames(alike.map(({ condition }) => condition)),
    isShared: alike.length > 1,
  }));
  const texts = Map.groupBy(
    groupedSentences.toSorted((one, other) => Number(one.isShared) - Number(other.isShared)),
    ({ at }) => at,
  );
  return [...texts].map(([at, group]) => {
    const [first = '', ...others] = group.map(({ sentence }) => sentence);
    return [at === '' ? first : `At ${at}: ${uncapitalize(first)}`, ...others].join(' ');
  });
}

function uncapitalize(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function describeSmallest({ smallest, machines, isSmaller }: ReportedMachines): string[] {
  const smaller = machines.filter((machine) => smallest.some((one) => isSmaller(machine, one)));
  const unmeasured = smaller.filter(({ judgement }) => judgement === 'notMeasured');
  const larger = machines.filter((machine) => machine.judgement === 'failed' && smallest.some((one) => isSmaller(one, machine)));
  return withoutAbsent([
    ...describeHead(smallest),
    ...smallest.flatMap(describeSingleRun),
    ...smaller.flatMap((machine) => {
      const doubt = findDoubt(machine);
      return doubt === null ? [] : [`Whether the smaller “${machine.name}” is enough is ${doubt}: ${describeRepeats(machine)}.`];
    }),
    unmeasured.length > 0 && `Not measured, though smaller: ${quoteMachines(unmeasured)}.`,
    larger.length > 0 && `${quoteMachines(larger)} ${larger.length === 1 ? 'is' : 'are'} larger and failed a criterion all the same.`,
  ]);
}

function describeHead(smallest: readonly Machine[]): string[] {
  const [first] = smallest;
  if (first === undefined) return [];
  if (smallest.length > 1)
    return [
      [`${quoteMachines(smallest)} pass every criterion, and nothing smaller does.`, ...smallest.flatMap(describeNoise)].join(' '),
      `The factors of ${quoteMachines(smallest)} do not say which is the smaller; a cost of each variant would.`,
    ];
  const { closest } = first;
  const closestText = closest === null ? '' : `; closest to failing is ${limitWords(closest)}`;
  return [[`“${first.name}” is the smallest machine that passes every criterion${closestText}.`, ...describeNoise(first)].join(' ')];
}

function describeNone(machines: readonly Machine[]): string {
  const measured = machines.filter(({ runs }) => runs > 0);
  if (measured.length === 0) return 'Which machine is enough is unknown: none was measured.';
  const outcomes = measured.flatMap(({ row }) => row.runs.flatMap(({ figures }) => figures?.outcome ?? []));
  if (outcomes.every((outcome) => outcome === 'measured')) return 'Which machine is enough is unknown: the plan sets no pass criteria.';
  const nearest = measured.toSorted(
    (one, other) => other.passed / other.runs - one.passed / one.runs || middleOf(one) - middleOf(other),
  )[0];
  if (nearest === undefined) return '';
  const { name, closest } = nearest;
  const doubt = findDoubt(nearest);
  const isSure = measured.every((machine) => machine.judgement === 'failed');
  const head = isSure ? 'No machine passes every criterion.' : 'No machine surely passes every criterion.';
  if (doubt !== null) return `${head} “${name}” comes nearest; whether it is enough is ${doubt}: ${describeRepeats(nearest)}.`;
  return `${head} “${name}” comes nearest${closest === null ? '' : `, and fails ${limitWords(closest)}${describeExcess(closest.budget)}`}.`;
}

function middleOf({ closest }: Machine): number {
  return (closest && computeUsedShare(closest.budget)) ?? Number.POSITIVE_INFINITY;
}

/** Describes a criterion and its value: "“95 % of responses within 800 ms” with 896 ms". */
function limitWords({ budget: { text, measured, unit } }: ClosestCriterion): string {
  return `“${text}” with ${budgetFigure(measured, unit)}`;
}

function describeExcess(budget: Budget): string {
  const used = computeUsedShare(budget) ?? 0;
  return Number.isFinite(used) && used > 1 ? `, by ${formatPercent(computeExcess(used, budget.unit), 2)}` : '';
}

/** Returns the relative excess over a limit. */
function computeExcess(used: number, unit: Budget['unit']): number {
  return unit === 'perSecond' || unit === 'apdex' ? 1 - 1 / used : used - 1;
}

/**
 * Warns if another run could fail, because the limit is within the 95 % prediction interval of one further run (normal distribution of
 * logarithms, Hahn and Meeker 1991, 4.7).
 */
function describeNoise({ name, runs, closest }: Machine): string[] {
  if (runs === 1 || closest === null || closest.used.length < 2 || closest.used.some((used) => used <= 0 || !Number.isFinite(used)))
    return [];
  const logs = closest.used.map((used) => Math.log(used));
  const mean = meanOf(logs);
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const upper = mean + student95(logs.length - 1) * Math.sqrt(variance * (1 + 1 / logs.length));
  if (upper <= 0) return [];
  const far = formatPercent(computeExcess(Math.exp(upper), closest.budget.unit), 2);
  return [`“${name}” passes by less than noise: its runs differ so much that another one could exceed that limit by ${far}.`];
}

function describeSingleRun({ name, runs }: Machine): string[] {
  return runs === 1 ? [`“${name}” was run once, so how much of its figures is chance is unknown.`] : [];
}

/** Returns the reason for doubt about a machine; null if its judgement is clear, or if it was not measured. */
function findDoubt({ judgement }: Machine): string | null {
  if (judgement === 'withinNoise') return CRITERIA_LABELS.withinNoise;
  return judgement === 'unclear' ? CRITERIA_LABELS.inconclusive : null;
}

function describeRepeats({ passed, failed, runs }: Machine): string {
  const unknown = runs - passed - failed;
  const judged = `${formatPart(passed, runs)} ${runs === 1 ? 'run' : 'runs'} passed every criterion`;
  return unknown === 0 ? judged : `${judged}, and of ${formatCount(unknown)} the result is inconclusive: more requests would help`;
}

function quoteMachines(machines: readonly Machine[]): string {
  return joinNames(machines.map(({ name }) => `“${name}”`));
}

export function listBudgets({ criteria }: Pick<RunResult, 'criteria'>): Budget[] {
  const hasStages = new Set(criteria.map(({ stage }) => stage)).size > 1;
  return criteria.map(({ text, stage, outcome, measured, limit, unit }) => ({
    text: hasStages ? `${text} (${stage})` : text,
    outcome,
    measured,
    limit,
    unit,
  }));
}

/**
 * Returns the used share of a limit: 1 at the limit, above 1 beyond it, Infinity for “never”. Returns null if the value was not measured.
 */
export function computeUsedShare({ measured, limit, unit }: Pick<Budget, 'measured' | 'limit' | 'unit'>): number | null {
  if (measured === null) return null;
  if (measured === 'never') return Number.POSITIVE_INFINITY;
  const isLeast = unit === 'perSecond' || unit === 'apdex';
  const [part, whole] = isLeast ? [limit, measured] : [measured, limit];
  if (whole === 0) return part === 0 ? 0 : Number.POSITIVE_INFINITY;
  return part / whole;
}

const FORMATS: Readonly<Record<CriterionResult['unit'], (value: number) => string>> = {
  ms: formatMs,
  share: formatShare,
  perSecond: formatRate,
  apdex: formatNumber,
};

/** Formats a figure in the unit of its limit: "896 ms", "never". */
export function budgetFigure(value: Budget['measured'], unit: Budget['unit']): string {
  if (value === null || value === 'never') return formatMs(value);
  return FORMATS[unit](value);
}

/** Returns whether criteria were judged for at least one of the machines. */
export function isJudged({ machines }: Pick<SmallestMachine, 'machines'>): boolean {
  return machines.some(({ judgement, closest }) => closest !== null || judgement === 'passed' || judgement === 'failed');
}
