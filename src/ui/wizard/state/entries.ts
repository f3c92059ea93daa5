import { type NumberEntry, percentOf, shareOf } from '#ui/components/numbers.ts';
import type { Criterion, Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import type { HeaderEntry, KeptCookie, CriterionEntry, TargetEntry } from './types.ts';
import { completeUrl } from '#core/plan/url.ts';

/** Returns a new row id. Stable ids keep a row's focus while other rows are added and removed. */
export type NewId = () => number;

export function toTarget({ url, name, headers, cookie }: TargetEntry): Target {
  const usable = headers.filter((header) => header.name.trim() !== '' && header.value.kind !== 'toKeep');
  return {
    url: completeUrl(url),
    ...(name.trim() ? { name: name.trim() } : {}),
    headers: Object.fromEntries(usable.map((header) => [header.name.trim(), headerValue(header.value)])),
    ...(cookie ? { cookie: { secret: cookie.secret } } : {}),
  };
}

function headerValue(value: HeaderEntry['value']): TextOrSecret {
  switch (value.kind) {
    case 'clear':
      return value.text;
    case 'kept':
      return { secret: value.secret };
    case 'toKeep':
      return '';
    default:
      return value satisfies never;
  }
}

export function fromTarget(target: Target, newId: NewId): TargetEntry {
  return {
    id: newId(),
    url: target.url,
    name: target.name ?? '',
    headers: Object.entries(target.headers).map(([name, value]) => ({
      id: newId(),
      name,
      value: typeof value === 'string' ? { kind: 'clear', text: value } : { kind: 'kept', secret: value.secret },
    })),
    cookie: cookieOf(target.cookie),
  };
}

/** Returns a cookie reference. A plain-text cookie, possible in a hand-written plan, is dropped. */
function cookieOf(cookie: TextOrSecret | undefined): KeptCookie | null {
  return typeof cookie === 'object' ? { secret: cookie.secret, names: [], from: 'plan' } : null;
}

export function fromCriterion(criterion: Criterion, newId: NewId): CriterionEntry {
  const scope = {
    id: newId(),
    step: criterion.step ?? '',
    stage: criterion.stage ?? '',
    of: ('of' in criterion ? criterion.of : undefined) ?? ('requests' as const),
  };
  switch (criterion.kind) {
    case 'responseTime':
      return { ...scope, kind: criterion.kind, percentile: criterion.percentile, maxMs: criterion.maxMs };
    case 'errors':
      return { ...scope, kind: criterion.kind, maxPercent: percentOf(criterion.maxShare) };
    case 'throughput':
      return { ...scope, kind: criterion.kind, minPerSecond: criterion.minPerSecond };
    case 'apdex':
      return { ...scope, kind: criterion.kind, thresholdMs: criterion.thresholdMs, min: criterion.min };
    default:
      return criterion satisfies never;
  }
}

/** Returns the criterion, or null while a number is invalid. */
export function toCriterion(entry: CriterionEntry): Criterion | null {
  const scope = { ...(entry.step ? { step: entry.step } : {}), ...(entry.stage ? { stage: entry.stage } : {}) };
  const judged = { ...scope, ...(entry.of === 'requests' ? {} : { of: entry.of }) };
  const isNumber = (value: NumberEntry): value is number => typeof value === 'number';
  switch (entry.kind) {
    case 'responseTime':
      return isNumber(entry.maxMs) ? { kind: entry.kind, ...judged, percentile: entry.percentile, maxMs: entry.maxMs } : null;
    case 'errors':
      return isNumber(entry.maxPercent) ? { kind: entry.kind, ...judged, maxShare: shareOf(entry.maxPercent) } : null;
    case 'throughput':
      return isNumber(entry.minPerSecond) ? { kind: entry.kind, ...scope, minPerSecond: entry.minPerSecond } : null;
    case 'apdex':
      return isNumber(entry.thresholdMs) && isNumber(entry.min)
        ? { kind: entry.kind, ...judged, thresholdMs: entry.thresholdMs, min: entry.min }
        : null;
    default:
      return entry satisfies never;
  }
}
