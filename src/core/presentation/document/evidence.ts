import { objectivesOf } from '#core/plan/objectives.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import type { ObjectiveResult, RunResult } from '#core/result/schema.ts';
import { type Capacity, capacityOfRun } from '#core/judgement/capacity/capacity.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import type { Cycle } from '#core/judgement/capacity/cycles.ts';
import { capacitySentences, scalingTable } from '#core/judgement/capacity/words.ts';
import { matrixTexts } from '#core/series/matrix.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatElapsed } from '../charts/units.ts';
import { apdexWords } from '../text/textPages.ts';
import { type Block, list, table, text } from './model.ts';
import { percentileText, timeCell } from './words.ts';

const OUTCOMES: Readonly<Record<ObjectiveResult['outcome'], string>> = { holds: 'holds', breaks: 'breaks', unknown: 'not known' };

/** Each limit with what was measured and how sure that is. */
export function objectivesBlocks({ objectives, plan }: RunResult): Block[] {
  if (objectives.length === 0)
    return text(
      objectivesOf(plan).length === 0
        ? 'No limits were set, so nothing was judged: the figures stand for themselves.'
        : 'The run did not get far enough to judge anything.',
    );
  return [
    ...table(
      'Limits and what was measured',
      ['Outcome', 'Limit', 'Where', '#Measured', '#Over', '#Share over', '#From'],
      objectives.map((one) => [
        OUTCOMES[one.outcome],
        one.text,
        one.step === null ? one.stage : `${one.stage}, ${one.step}`,
        measuredText(one),
        one.over === null || one.counted === null ? '–' : `${formatCount(one.over)} of ${formatCount(one.counted)}`,
        one.shareLow === null || one.shareHigh === null ? '–' : `${formatPercent(one.shareLow)} to ${formatPercent(one.shareHigh)}`,
        one.fromSecond === null ? '–' : formatElapsed(one.fromSecond),
      ]),
      'Share over: between these two lies the true share of requests over the limit, with 95 % certainty on each side (exact binomial bounds). A limit holds when the upper one is allowed, breaks when the lower one is not, and is else too close to call. From: when it was first missed (minutes:seconds of the run).',
    ),
    ...table(
      'Why each was judged so',
      ['Limit', 'Reason'],
      objectives.map((one) => [`${one.text} (${one.stage})`, one.reason]),
    ),
  ];
}

function measuredText({ objective, measured, unit }: ObjectiveResult): string {
  if (measured === null) return NOT_KNOWN;
  if (measured === 'never') return percentileText(measured, objective.kind === 'responseTime' ? objective.percentile : 100);
  switch (unit) {
    case 'ms':
      return formatMs(measured);
    case 'share':
      return formatShare(measured);
    case 'perSecond':
      return formatRate(measured);
    case 'apdex':
      return measured.toFixed(2);
    default:
      return unit satisfies never;
  }
}

/** What an expert would notice, with the numbers that say so. */
export function findingBlocks({ findings }: Pick<RunResult, 'findings'>): Block[] {
  if (findings.length === 0) return text('Nothing out of the ordinary was noticed.');
  return findings.map((finding, index): Block => ({ kind: 'finding', number: index + 1, finding }));
}

/** How much the server of a run can do; its head-room stands among the findings. */
export function runCapacityBlocks(result: RunResult): Block[] {
  const capacity = capacityOfRun(result);
  return [
    ...list('How much it can do', capacitySentences({ ...capacity, headroom: null })),
    ...cycleBlocks(capacity.cycles),
    ...levelBlocks(capacity),
  ];
}

/** The same of a series, and its matrix where it goes through two fields of the load. */
export function seriesCapacityBlocks(result: SeriesResult): Block[] {
  const capacity = capacityOfSeries(result);
  return [
    ...matrixTexts(result.rows).flatMap(({ title, table: [head = [], ...rows], notes }) => [
      ...table(title, numbersFrom(head, 1), rows, 'What is no whole measurement says what became of it instead of a figure.'),
      ...list('What became of them', notes),
    ]),
    ...list('How much it can do', capacitySentences(capacity)),
    ...levelBlocks(capacity),
  ];
}

function cycleBlocks(cycles: readonly Cycle[]): Block[] {
  if (cycles.length < 2) return [];
  const counted = cycles[0]?.counted ?? 'requests';
  return table(
    'Cycle by cycle',
    ['Cycle', '#At a time', `#Good ${counted}/s`, '#In all', '#Failed', '#Fastest', '#Mean', '#19 of 20', '#Slowest', '#Apdex'],
    cycles.map(({ name, at, perSecond, total, failed, times, apdex }) => [
      name,
      formatCount(at),
      perSecond === null ? '–' : formatNumber(perSecond),
      formatCount(total),
      total === 0 ? '–' : formatPercent(failed / total),
      ...[times.min, times.mean, times.p95, times.max].map(timeCell),
      apdexWords(apdex),
    ]),
    'Times are of what was answered. Apdex is of whole pages; where single requests were sent none is told.',
  );
}

function levelBlocks({ sets }: Capacity): Block[] {
  return sets.flatMap((one) => {
    const [head = [], ...rows] = scalingTable(one);
    return table(one.set.name === '' ? 'Levels and the curve' : `Levels and the curve: ${one.set.name}`, numbersFrom(head, 1), rows);
  });
}

function numbersFrom(head: readonly string[], first: number): string[] {
  return head.map((name, index) => (index < first ? name : `#${name}`));
}
