import type { LevelReading } from '../reading.ts';

/** A level that was borne without anything to be said of it. */
export function heldAt(level: number, changes: Partial<LevelReading> = {}): LevelReading {
  return {
    kind: 'level',
    level,
    outcome: 'held',
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
    sickSeconds: 0,
    isShared: false,
    ...changes,
  };
}

/** A level at which a queue grew. */
export function brokeAt(level: number, changes: Partial<LevelReading> = {}): LevelReading {
  return heldAt(level, { outcome: 'broke', because: 'queue', text: 'A queue grew.', ...changes });
}
