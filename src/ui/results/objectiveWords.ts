import type { ObjectiveResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import { formatMs, formatPercent, formatRate, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import { percentileWords } from './timeWords.ts';

const texts = words.results.objectives;

/** What was measured, in the unit of the objective. */
export function measuredWords({ objective, measured, unit }: ObjectiveResult): string {
  if (unit === 'ms') return percentileWords(measured, objective.kind === 'responseTime' ? objective.percentile : 100);
  return valueWords(measured, unit);
}

export function limitWords({ limit, unit }: ObjectiveResult): string {
  return valueWords(limit, unit);
}

function valueWords(value: TimeMs, unit: ObjectiveResult['unit']): string {
  if (value === null) return NOT_KNOWN;
  if (value === 'never') return words.common.never;
  switch (unit) {
    case 'ms':
      return formatMs(value);
    case 'share':
      return formatShare(value);
    case 'perSecond':
      return formatRate(value);
    case 'apdex':
      return value.toFixed(2);
    default:
      return unit satisfies never;
  }
}

/** The bounds of the share over the limit; empty where the objective is not about a share. Percent on both sides, to compare. */
export function intervalWords({ shareLow, shareHigh }: ObjectiveResult): string {
  if (shareLow === null || shareHigh === null) return '';
  return texts.between(formatPercent(shareLow), formatPercent(shareHigh));
}

/** The stage and step that were judged. */
export function whereWords({ stage, step }: ObjectiveResult): string {
  return step === null ? stage : texts.whereStep(stage, step);
}
