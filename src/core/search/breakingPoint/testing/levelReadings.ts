import type { SearchRun } from '#core/search/run.ts';
import type { LevelReading, ProbeReading, RecoveryReading } from '../reading.ts';

/** Returns the reading of a passed level. */
export function passedLevel(level: number, changes: Partial<LevelReading> = {}): LevelReading {
  return {
    kind: 'level',
    level,
    outcome: 'passed',
    because: 'fine',
    text: 'All pass criteria passed, and no queue grew.',
    isSure: true,
    sent: 10 * level,
    okPerSecond: level,
    meanMs: 50,
    p50: 50,
    p95: 60,
    failed: 0,
    timeouts: 0,
    growthMsPerSecond: 0,
    growthShare: null,
    seconds: 10,
    wantedSeconds: null,
    freeze: null,
    overloadedSeconds: 0,
    isShared: false,
    ...changes,
  };
}

/** Returns the reading of a level at which a queue grew. */
export function failedLevel(level: number, changes: Partial<LevelReading> = {}): LevelReading {
  return passedLevel(level, { outcome: 'failed', because: 'queue', text: 'A queue grew.', ...changes });
}

/** The first probe of a search. */
export const probe: ProbeReading = { kind: 'probe', sent: 20, failed: 0, p50Ms: 50, p90Ms: 55 };

/** Reading of a server that recovered 8 s after an overload. */
export const recovered: RecoveryReading = {
  kind: 'recovery',
  calmLevel: 20,
  overloadLevel: 60,
  overloadSeconds: 10,
  seconds: 8,
  resolutionSeconds: 1,
  watchedSeconds: 30,
  beforeMs: 50,
  worstMs: 900,
  reason: null,
};

/** Returns a run of a search with the given reading, at its position. */
export function readRun(
  reading: LevelReading | ProbeReading | RecoveryReading,
  position: number,
  changes: Partial<SearchRun> = {},
): SearchRun {
  return {
    position,
    purpose: reading.kind,
    name: 'a run',
    level: reading.kind === 'level' ? reading.level : null,
    repeat: 1,
    state: 'value',
    phase: null,
    reason: null,
    runId: null,
    reading,
    spentSeconds: 4,
    requests: 10,
    ...changes,
  };
}
