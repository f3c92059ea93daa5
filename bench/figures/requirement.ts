/** Something that the product must achieve, and the measured value. */
export interface Requirement {
  readonly what: string;
  /** Measured value; null if a measurement is missing. */
  readonly value: number | null;
  readonly unit: string;
  readonly limit: { readonly kind: 'atLeast' | 'above' | 'atMost'; readonly value: number };
  /** A better value than the limit, at which the project aims; null if there is none. */
  readonly aim: number | null;
}

export type Outcome = 'met' | 'missed' | 'unknown';

/** Returns the outcome of a requirement. The measured value is judged and not the rounded one. */
export function decideOutcome({ value, limit }: Requirement): Outcome {
  if (value === null || Number.isNaN(value)) return 'unknown';
  switch (limit.kind) {
    case 'atLeast':
      return value >= limit.value ? 'met' : 'missed';
    case 'above':
      return value > limit.value ? 'met' : 'missed';
    case 'atMost':
      return value <= limit.value ? 'met' : 'missed';
    default:
      return limit.kind satisfies never;
  }
}

export function reachesAim(requirement: Requirement): boolean {
  const { aim, limit } = requirement;
  return aim !== null && decideOutcome({ ...requirement, limit: { ...limit, value: aim } }) === 'met';
}

const SIGNS = { atLeast: '≥', above: '>', atMost: '≤' } as const;

/** Returns the cells of a table row: what, measured, required, aim, outcome. */
export function requirementCells(requirement: Requirement): readonly string[] {
  const { what, value, unit, limit, aim } = requirement;
  const formatValue = (number: number): string => `${Number(number.toFixed(Math.abs(number) < 10 ? 3 : 1))}${unit}`;
  const outcome = decideOutcome(requirement);
  return [
    what,
    value === null || Number.isNaN(value) ? '–' : formatValue(value),
    `${SIGNS[limit.kind]} ${formatValue(limit.value)}`,
    aim === null ? '–' : formatValue(aim),
    outcome === 'met' && reachesAim(requirement) ? 'met, the aim too' : outcome,
  ];
}
