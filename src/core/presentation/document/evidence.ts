import { objectivesOf } from '#core/plan/objectives.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import type { ObjectiveResult, RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { table, text } from './blocks.ts';
import type { Block } from './model.ts';
import { percentileText } from './words.ts';

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
