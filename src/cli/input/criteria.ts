import type { PlanInput } from '#core/plan/schema/plan.ts';
import { type OptionReader, parseDurationSeconds } from './optionReader.ts';

type Criterion = NonNullable<PlanInput['criteria']>[number];

const CRITERION_HINT = 'Write for example p95<=500ms, errors<=1%, errors=0 for no failed request, or rate>=100.';

/** Reads pass criteria of the command line; undefined without any. */
export function readCriteria(texts: readonly string[], reader: OptionReader): Criterion[] | undefined {
  const found = texts.flatMap((text): Criterion[] => {
    const criterion = criterionOf(text.replaceAll(' ', ''));
    if (criterion === null) reader.refuse('--criterion', text, CRITERION_HINT);
    return criterion === null ? [] : [criterion];
  });
  return found.length === 0 ? undefined : found;
}

function criterionOf(text: string): Criterion | null {
  const [, percentile, time = ''] = /^p(\d{1,2}(?:\.\d+)?)<=?(.+)$/i.exec(text) ?? [];
  const seconds = parseDurationSeconds(time);
  if (percentile !== undefined && Number(percentile) > 0 && seconds !== null)
    return { kind: 'responseTime', percentile: Number(percentile), maxMs: seconds * 1_000 };
  const [, share] = /^errors(?:<=?|=)(\d+(?:\.\d+)?)%?$/i.exec(text) ?? [];
  if (share !== undefined && Number(share) < 100) return { kind: 'errors', maxShare: Number(share) / 100 };
  const [, rate] = /^rate>=?(\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  return rate !== undefined && Number(rate) > 0 ? { kind: 'throughput', minPerSecond: Number(rate) } : null;
}
