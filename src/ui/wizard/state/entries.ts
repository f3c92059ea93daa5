import { type NumberEntry, percentOf, shareOf } from '#ui/components/numbers.ts';
import type { Objective, Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import type { HeaderEntry, KeptCookie, ObjectiveEntry, TargetEntry } from './types.ts';
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

export function fromObjective(objective: Objective, newId: NewId): ObjectiveEntry {
  const scope = {
    id: newId(),
    step: objective.step ?? '',
    stage: objective.stage ?? '',
    of: ('of' in objective ? objective.of : undefined) ?? ('requests' as const),
  };
  switch (objective.kind) {
    case 'responseTime':
      return { ...scope, kind: objective.kind, percentile: objective.percentile, limitMs: objective.limitMs };
    case 'errors':
      return { ...scope, kind: objective.kind, maxPercent: percentOf(objective.maxShare) };
    case 'throughput':
      return { ...scope, kind: objective.kind, minPerSecond: objective.minPerSecond };
    case 'apdex':
      return { ...scope, kind: objective.kind, thresholdMs: objective.thresholdMs, min: objective.min };
    default:
      return objective satisfies never;
  }
}

/** Returns the criterion, or null while a number is invalid. */
export function toObjective(entry: ObjectiveEntry): Objective | null {
  const scope = { ...(entry.step ? { step: entry.step } : {}), ...(entry.stage ? { stage: entry.stage } : {}) };
  const judged = { ...scope, ...(entry.of === 'requests' ? {} : { of: entry.of }) };
  const isNumber = (value: NumberEntry): value is number => typeof value === 'number';
  switch (entry.kind) {
    case 'responseTime':
      return isNumber(entry.limitMs) ? { kind: entry.kind, ...judged, percentile: entry.percentile, limitMs: entry.limitMs } : null;
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
