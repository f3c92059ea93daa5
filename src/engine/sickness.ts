import type { GeneratorReading } from '#core/report/result.ts';
import type { SickCause, Window } from '#core/stats/window.ts';

const MAX_THREAD_CPU = 0.9;
const MAX_EVENT_LOOP_DELAY_MS = 20;
const MAX_STEAL = 0.02;

/** Why a second of the generator is not to be trusted; docs/method.md sets the limits. What is not known is no cause. */
export function sickCauses(reading: Omit<GeneratorReading, 'sick'>, window: Window): SickCause[] {
  const causes: SickCause[] = [];
  if (isAbove(reading.threadCpu, MAX_THREAD_CPU)) causes.push('threadCpu');
  if (isAbove(reading.eventLoopDelayMs, MAX_EVENT_LOOP_DELAY_MS)) causes.push('eventLoopDelay');
  if (isAbove(reading.steal, MAX_STEAL)) causes.push('steal');
  for (const cause of ['noPort', 'noFile'] as const) {
    if (window.cells.some(({ outcomes }) => (outcomes[cause] ?? 0) > 0)) causes.push(cause);
  }
  return causes;
}

function isAbove(value: number | null, limit: number): boolean {
  return value !== null && value > limit;
}
