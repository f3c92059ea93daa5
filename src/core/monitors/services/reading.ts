/** What a service says of itself at one moment. What it does not say is not there: never zero. */
export interface ServiceReading {
  /** Levels, as they stand, by name. */
  readonly gauges: Readonly<Record<string, number>>;
  /** Counts since the service began: what counts is by how much they rise. A fall is a restart. */
  readonly counters: Readonly<Record<string, number>>;
  /** What a gauge cannot go beyond, by the name of the gauge. */
  readonly limits: Readonly<Record<string, number>>;
}

/** A decimal number and nothing else; null for anything that is none, also for infinity. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.trim())) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Those of some values that are known, under other names. */
export function taken(names: Readonly<Record<string, string>>, valueOf: (name: string) => number | null): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [theirs, ours] of Object.entries(names)) {
    const value = valueOf(theirs);
    if (value !== null) found[ours] = value;
  }
  return found;
}
