import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import { Cell } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { percentileWords } from './timeWords.ts';

const { columns } = words.results.times;
const SHOWN = [
  ['half', 'p50', 50],
  ['p95', 'p95', 95],
  ['p99', 'p99', 99],
  ['max', 'max', 100],
] as const;

/** The four times that tables of several rows compare. */
export function PercentileCells({ times }: { readonly times: LatencySummary }) {
  return SHOWN.map(([column, key, percent]) => (
    <Cell key={column} numeric label={columns[column]}>
      {percentileWords(times[key], percent)}
    </Cell>
  ));
}
