import { getOwn } from '#core/base/ownMembers.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { Series, Variant } from '#core/plan/schema/series.ts';
import { amountOf, conditionWords, groupsAlike, machineFactors } from './fit.ts';
import { usedOf } from './answers.ts';
import type { Budget, Smallest } from './result.ts';
import { type Closest, type IsSmaller, judgedFigures, type CriteriaJudgement, judgeCriteria, type Machine } from './criteria.ts';
import type { SeriesRow } from './result.ts';
import { sentencesOf } from './smallestWords.ts';

/**
 * Finds the smallest machine that passes every criterion, for each level and condition. If all variants have a cost, a cheaper machine is smaller. Otherwise
 * a machine is smaller if it has less of some of its factors and more of none; other pairs are not ordered. Empty if no machine is smaller than another.
 */
export function smallestOf(rows: readonly SeriesRow[], { machine, variants }: Pick<Series, 'machine' | 'variants'>): Smallest[] {
  const costs = costsOf(variants);
  const known = machineFactors(machine, rows);
  if (known.length === 0 && costs === null) return [];
  // If costs order the machines and no factor is a known machine property, all factors are.
  const names = known.length > 0 ? known : [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))];
  const isSmaller: IsSmaller = costs === null ? (one, other) => hasLess(one.row, other.row, names) : costsLess(costs);
  const groups = groupsAlike(rows, names);
  return groups.flatMap((group) => {
    const machines = group.map(machineOf);
    const below = new Map(machines.map((one) => [one, machines.filter((other) => isSmaller(other, one)).length]));
    if (machines.every((one) => below.get(one) === 0)) return [];
    const sorted = machines.toSorted((one, other) => (below.get(one) ?? 0) - (below.get(other) ?? 0));
    return [answerOf(sorted, isSmaller, conditionWords(group, groups, names))];
  });
}

/** Costs by variant; null unless every variant has one. */
function costsOf(variants: readonly Variant[]): ReadonlyMap<string, number> | null {
  const costs = new Map(variants.flatMap(({ name, cost }) => (cost === undefined ? [] : [[name, cost] as const])));
  return costs.size > 0 && costs.size === variants.length ? costs : null;
}

function costsLess(costs: ReadonlyMap<string, number>): IsSmaller {
  const costOf = ({ row }: Machine): number => costs.get(row.variant ?? '') ?? 0;
  return (one, other) => costOf(one) < costOf(other);
}

function hasLess(one: SeriesRow, other: SeriesRow, names: readonly string[]): boolean {
  const signs = names.map((name) => orderOf(getOwn(one.factors, name), getOwn(other.factors, name)));
  return signs.every((sign) => sign !== null && sign <= 0) && signs.includes(-1);
}

/** Returns −1, 0 or 1; null if unknown. */
function orderOf(one: Variant['factors'][string] | undefined, other: Variant['factors'][string] | undefined): number | null {
  if (String(one) === String(other)) return 0;
  const [left, right] = [amountOf(one), amountOf(other)];
  return left === null || right === null || left.unit !== right.unit ? null : Math.sign(left.value - right.value);
}

function machineOf(row: SeriesRow): Machine {
  const judged = judgedFigures(row.runs);
  const runs = judged.length;
  const passed = judged.filter(({ outcome }) => outcome === 'passed').length;
  const failed = judged.filter(({ outcome }) => outcome === 'failed').length;
  return {
    row,
    name: row.variant ?? row.cell,
    judgement: runs === 0 ? 'notMeasured' : JUDGEMENTS[judgeCriteria(judged) ?? 'inconclusive'],
    runs,
    passed,
    failed,
    closest: closestOf(judged.flatMap(({ budgets }) => budgets)),
  };
}

const JUDGEMENTS: Readonly<Record<CriteriaJudgement, Machine['judgement']>> = {
  passed: 'passed',
  failed: 'failed',
  withinNoise: 'withinNoise',
  inconclusive: 'unclear',
};

/** Returns the criterion with the largest used share, by the median of the runs. */
function closestOf(budgets: readonly Budget[]): Closest | null {
  const byLimit = [...Map.groupBy(budgets, ({ text }) => text).values()].flatMap((group): Closest[] => {
    const read = group
      .flatMap((budget) => {
        const used = usedOf(budget);
        return used === null ? [] : [{ budget, used }];
      })
      .toSorted((one, other) => one.used - other.used);
    const middle = read[Math.floor((read.length - 1) / 2)];
    return middle === undefined ? [] : [{ budget: middle.budget, used: read.map(({ used }) => used) }];
  });
  return byLimit.toSorted((one, other) => medianOf(other.used) - medianOf(one.used))[0] ?? null;
}

function answerOf(machines: readonly Machine[], isSmaller: IsSmaller, condition: string): Smallest {
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
      closest: closest && withoutOutcome(closest.budget),
    })),
    smallest: smallest.map(({ row }) => row.cell),
    sentences: sentencesOf({ machines, smallest, isSmaller }),
  };
}

function withoutOutcome({ outcome: _outcome, ...budget }: Budget): Omit<Budget, 'outcome'> {
  return budget;
}
