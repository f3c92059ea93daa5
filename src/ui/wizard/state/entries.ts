import { completeUrl } from '#core/plan/url.ts';
import type { Criterion, Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import { percentOf, shareOf } from '#ui/components/numbers.ts';
import { numbersIn, numbersOfPlan } from './loadEntry.ts';
import { type HeaderEntry, CRITERION_NUMBERS, type CriterionEntry, type TargetEntry } from './types.ts';

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
  if (value.kind === 'kept') return { secret: value.secret };
  return value.kind === 'clear' ? value.text : '';
}

/** Converts a target to an entry. A plain-text cookie, which is possible in a hand-written plan, is removed. */
export function fromTarget({ url, name = '', headers, cookie }: Target, id: number): TargetEntry {
  return {
    id,
    url,
    name,
    headers: Object.entries(headers).map(([header, value], index) => ({
      id: -1 - index,
      name: header,
      value: typeof value === 'string' ? { kind: 'clear', text: value } : { kind: 'kept', secret: value.secret },
    })),
    cookie: typeof cookie === 'object' ? { secret: cookie.secret, names: [], from: 'plan' } : null,
  };
}

export function fromCriterion(criterion: Criterion, id: number): CriterionEntry {
  const { kind, step = '', stage = '' } = criterion;
  const numbers = numbersOfPlan(CRITERION_NUMBERS[kind], criterion);
  const { maxShare } = numbers;
  return {
    id,
    kind,
    step,
    stage,
    of: ('of' in criterion ? criterion.of : undefined) ?? 'requests',
    numbers: maxShare === undefined ? numbers : { maxShare: percentOf(maxShare) },
  };
}

/** Converts the criteria of a plan to rows. The rows have negative ids; rows that the user adds have positive ids. */
export function fromCriteria(criteria: readonly Criterion[]): CriterionEntry[] {
  return criteria.map((criterion, index) => fromCriterion(criterion, -1 - index));
}

/** Returns the criterion without validating it; null while a number is invalid. */
export function toCriterion({ kind, step, stage, of, numbers }: CriterionEntry): Readonly<Record<string, unknown>> | null {
  const values = numbersIn(CRITERION_NUMBERS[kind], numbers);
  return (
    values && {
      kind,
      ...(step ? { step } : {}),
      ...(stage ? { stage } : {}),
      ...(of === 'requests' || kind === 'throughput' ? {} : { of }),
      ...values,
      ...(values['maxShare'] === undefined ? {} : { maxShare: shareOf(values['maxShare']) }),
    }
  );
}
