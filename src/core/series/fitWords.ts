import { formatBytes, formatCount, formatMs, formatNumber, formatPercent } from '#core/base/units.ts';
import type { Fit } from './answers.ts';

interface Varied {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** ms for one unit. */
  readonly slope: number;
}

/**
 * The amount that a cost is told for: the power of ten below the smallest step between two values, and more where that would cost less than a millisecond, but
 * no more than all that was varied. With its words: "1,000 rows", "1 kB of photo".
 */
export function eachOf({ name, unit, values, slope }: Varied): { readonly amount: number; readonly each: string } {
  const sorted = [...new Set(values)].toSorted((one, other) => one - other);
  const steps = sorted.slice(1).map((value, index) => value - (sorted[index] ?? 0));
  const most = powerBelow((sorted.at(-1) ?? 1) - (sorted[0] ?? 0));
  let amount = powerBelow(Math.min(...steps));
  while (amount < most && Math.abs(slope) * amount < 1) amount *= 10;
  return { amount, each: amountWords(amount, name, unit) };
}

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value) + 1e-9);
}

function amountWords(amount: number, name: string, unit: string): string {
  if (unit === 'B') return `${formatBytes(amount)} of ${name}`;
  const number = amount >= 1 ? formatCount(amount) : formatNumber(amount);
  return unit === '' ? `${number} ${name}` : `${number} ${unit} of ${name}`;
}

interface Told extends Pick<Fit, 'condition' | 'factors'> {
  readonly names: string;
  readonly base: { readonly ms: number; readonly low: number; readonly high: number };
  readonly worstMiss: number;
  readonly cells: number;
}

/** "Time over rows and bytes: each 1,000 rows cost 12 ms (10 ms to 14 ms); no effect of bytes is seen …". */
export function fitText({ condition, names, factors, base, worstMiss, cells }: Told): string {
  const told = factors.map(({ name, each, ms, low, high, matters }) => {
    if (!matters) return `no effect of ${name} is seen (each ${each}: ${signed(low)} to ${signed(high)})`;
    const [from, to] = ms > 0 ? [low, high] : [-high, -low];
    return `each ${each} ${ms > 0 ? 'cost' : 'save'} ${formatMs(Math.abs(ms))} (${formatMs(from)} to ${formatMs(to)})`;
  });
  const rest = base.low > 0 ? ` ${formatMs(base.ms)} (${formatMs(base.low)} to ${formatMs(base.high)}) are there without any of them.` : '';
  return `${headOf(condition, names)}: ${told.join('; ')}.${rest} The line is at most ${formatPercent(worstMiss, 2)} beside what was measured, over ${formatCount(cells)} cells.`;
}

export function refusedText(condition: string, names: string, refused: string): string {
  return `${headOf(condition, names)}: no line is told. ${refused}`;
}

/** Why no line is told: what it would say of the cell that it misses most. */
export function missText(cell: string, measuredMs: number, lineMs: number): string {
  return `The times lie on no straight line: “${cell}” took ${formatMs(measuredMs)}, where the line says ${formatMs(lineMs)}. Something grows faster or slower than in proportion.`;
}

function headOf(condition: string, names: string): string {
  return `${condition === '' ? 'Time' : `At ${condition}, time`} of half of the answers over ${names}`;
}

function signed(ms: number): string {
  return ms < 0 ? `−${formatMs(-ms)}` : formatMs(ms);
}
