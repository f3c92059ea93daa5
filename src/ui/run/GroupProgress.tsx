import { useEffect, useState } from 'react';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { laterWords } from '../words/laterWords.ts';
import type { Progress } from './progress.ts';
import styles from './GroupProgress.module.css';

const texts = laterWords.live.progress;
const TICK_MS = 1_000;

/** Returns the progress of a series. Remaining runs are assumed to take as long as the previous ones. */
export function seriesProgress({ done, planned }: Pick<SeriesResult, 'done' | 'planned'>, elapsedSeconds: number): Progress {
  // The active run counts as half done, because that is true on average.
  const made = done + 0.5;
  const remaining = Math.max(0, planned - made) * (elapsedSeconds / made);
  return {
    share: planned === 0 ? null : Math.min(1, done / planned),
    done: texts.ofRuns(formatCount(done), formatCount(planned)),
    left: done === 0 ? '' : texts.aboutLeft(formatSeconds(Math.ceil(remaining))),
  };
}

/**
 * Returns the progress of a search. Once a level has failed, the remaining halvings are counted. Before that, the number of levels is
 * unknown.
 */
export function searchProgress(
  { document, conclusion, runs }: Pick<SearchResult, 'document' | 'conclusion' | 'runs'>,
  elapsedSeconds: number,
): Progress {
  const done = texts.runsSoFar(formatCount(runs.length));
  const { maxSeconds } = document.settings;
  const maxLeft = maxSeconds === undefined ? '' : texts.atMostLeft(formatSeconds(Math.max(0, Math.ceil(maxSeconds - elapsedSeconds))));
  if (document.kind === 'characterize' || conclusion.kind === 'characterize') return { share: null, done, left: maxLeft };
  const { sustained, breakingPoint } = conclusion;
  const levels = new Set(runs.flatMap(({ level }) => level ?? [])).size;
  if (sustained === null || breakingPoint === null || levels === 0) return { share: null, done, left: maxLeft || texts.untilOneFails };
  const halvings = Math.log2(Math.log(breakingPoint / sustained) / Math.log(1 + document.settings.precision));
  const isWhole = conclusion.unit !== 'arrivalsPerSecond';
  const remaining = Math.max(0, Math.ceil(isWhole ? Math.min(halvings, Math.log2(breakingPoint - sustained)) : halvings));
  const seconds = Math.ceil((elapsedSeconds / levels) * remaining);
  return { share: levels / (levels + remaining), done, left: remaining === 0 ? '' : texts.aboutLeft(formatSeconds(seconds)) };
}

interface GroupProgressProps {
  readonly startedAt: string;
  /** Returns the progress at the given elapsed time. */
  readonly progressAt: (elapsedSeconds: number) => Progress;
}

/** Progress bar that shows the remaining time. */
export function GroupProgress({ startedAt, progressAt }: GroupProgressProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const { share, done, left } = progressAt(Math.max(0, (now - Date.parse(startedAt)) / 1_000));
  return (
    <div className={styles.progress}>
      {share === null ? null : <progress value={share} aria-label={texts.label} className={styles.bar} />}
      <p>{[done, left].filter(Boolean).join(' · ')}</p>
    </div>
  );
}
