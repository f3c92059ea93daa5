import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { LoadSize } from '#core/work/load/stages.ts';
import { laterWords } from '../words/laterWords.ts';

/** Returns a short text about the load of a run, such as “60 connections for 30 s” or “200/s for 5 min”. Empty if the load is unknown. */
export function loadSizeText(size: LoadSize | null): string {
  if (size === null) return '';
  const { unit, highest, seconds, requests } = size;
  const loadWords = laterWords.history.load;
  const level = loadWords.levels[unit](unit === 'arrivalsPerSecond' ? formatNumber(highest) : formatCount(highest), highest === 1);
  if (seconds !== null) return loadWords.forTime(level, formatSeconds(seconds));
  return requests === null ? level : loadWords.forRequests(level, formatCount(requests));
}
