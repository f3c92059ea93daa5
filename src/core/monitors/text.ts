import { formatSeconds } from '../units.ts';
import { formatQuantity, valueWords } from './format.ts';
import { keyParts, type Quantity } from './quantity.ts';
import type { MonitorResult } from './result.ts';

/** Told by the whole machine's, and too many for a terminal. */
const LEFT_OUT = new Set(['core.used', 'load.oneMinute']);
const WIDTH = 50;

/** What monitors have read, for a terminal: mean and highest value of each quantity, and when it was highest. What stayed 0 is left out. */
export function monitorsText(monitors: readonly MonitorResult[]): string[] {
  const watched = monitors.filter(({ second, problem, role }) => second.length > 0 || (problem !== null && role === 'target'));
  if (watched.length === 0) return [];
  const head = `  ${''.padEnd(WIDTH)}${['mean', 'highest', 'at'].map((name) => name.padStart(12)).join('')}`;
  return ['How machines and services were', head, ...watched.flatMap(linesOf)];
}

function linesOf(monitor: MonitorResult): string[] {
  const { name, role, problem, state, second } = monitor;
  const trouble =
    state === 'lost' || state === 'unavailable' ? ` – ${second.length === 0 ? 'nothing is known' : 'lost'}: ${problem ?? ''}` : '';
  const lines = monitor.quantities.flatMap((quantity) => (LEFT_OUT.has(quantity.id) ? [] : valuesOf(monitor, quantity)));
  return [`  ${name}${role === 'generator' ? ' (makes the load)' : ''}${trouble}`, ...lines];
}

function valuesOf({ values, second, width }: MonitorResult, quantity: Quantity): string[] {
  const keys = Object.keys(values).filter((key) => keyParts(key).id === quantity.id);
  return keys.flatMap((key) => {
    const known = (values[key] ?? []).flatMap((value, row) => (value === null ? [] : [{ value, row, seconds: width[row] ?? 1 }]));
    const highest = known.reduce<(typeof known)[number] | null>(
      (most, one) => (most === null || one.value > most.value ? one : most),
      null,
    );
    if (highest === null || highest.value === 0) return [];
    const seconds = known.reduce((sum, one) => sum + one.seconds, 0);
    const mean = known.reduce((sum, one) => sum + one.value * one.seconds, 0) / seconds;
    const words = `${quantity.chart}: ${valueWords(key, quantity)}`;
    const cells = [
      formatQuantity(Number(mean.toPrecision(3)), quantity.unit),
      formatQuantity(highest.value, quantity.unit),
      formatSeconds(Math.floor(second[highest.row] ?? 0)),
    ];
    return [`    ${words.slice(0, WIDTH - 2).padEnd(WIDTH - 2)}${cells.map((cell) => cell.padStart(12)).join('')}`];
  });
}
