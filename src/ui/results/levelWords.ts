import type { RunResult } from '#core/result/schema.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { words } from '../words/words.ts';

type StageResult = RunResult['stages'][number];

const texts = words.results.stages.level;

/** What a stage put on the server: "50 at once", "500 users", "50/s", "10 → 50/s", with its peak where that lies between. */
export function levelWords({ unit, from, to, highest }: StageResult['level']): string {
  switch (unit) {
    case 'connections':
      return texts.connections(formatCount(highest));
    case 'users':
      return texts.users(formatCount(highest));
    case 'arrivalsPerSecond': {
      const [first, last, most] = [from, to, highest].map(formatNumber);
      if (first === undefined || last === undefined || most === undefined) return '';
      if (highest > Math.max(from, to)) return texts.peak(first, most, last);
      return from === to ? texts.constant(first) : texts.changing(first, last);
    }
    default:
      return unit satisfies never;
  }
}
