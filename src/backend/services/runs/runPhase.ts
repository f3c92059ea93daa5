import type { Problem } from '#core/base/errors.ts';
import { type Ending, isRunning, type RunState } from '#core/result/schema.ts';
import { STOPPED_BY_USER } from '../loadLock.ts';

/** The phase of a run. `stage` is the index of the active stage; null before the first and in the drain. */
export interface RunPhase {
  readonly state: RunState;
  readonly stage: number | null;
  /** What ends the run early, or null. */
  readonly because: Ending | null;
}

export type RunSignal =
  | { readonly kind: 'stage'; readonly stage: number }
  | { readonly kind: 'window' }
  | { readonly kind: 'draining' }
  /** A stop was requested: no new requests are sent, but outstanding ones are awaited. */
  | { readonly kind: 'stopRequested'; readonly because: Ending }
  | { readonly kind: 'ended'; readonly reason: 'completed' | 'stopped' | 'safety' | 'failed'; readonly problem: Problem | null }
  /** The process is ending and cannot wait for outstanding requests. */
  | { readonly kind: 'abandoned' };

export const PREPARING: RunPhase = { state: 'preparing', stage: null, because: null };

export function isSettled({ state }: RunPhase): boolean {
  return !isRunning(state);
}

/** Returns the phase after a signal. Late signals do not change a final phase, and only the first reason to end counts. */
export function nextPhase(phase: RunPhase, signal: RunSignal): RunPhase {
  if (isSettled(phase)) return phase;
  switch (signal.kind) {
    case 'stage':
      return phase.state === 'draining' ? phase : { ...phase, state: 'running', stage: signal.stage };
    case 'window':
      return phase.state === 'preparing' ? { ...phase, state: 'running' } : phase;
    case 'draining':
      return { ...phase, state: 'draining', stage: null };
    case 'stopRequested':
      return phase.because ? phase : { ...phase, because: signal.because };
    case 'ended':
      return { stage: null, ...phaseAtEnd(phase.because, signal) };
    case 'abandoned':
      return {
        state: 'interrupted',
        stage: null,
        because: phase.because ?? { code: 'ownerGone', text: 'Holdfast was closed during the run.' },
      };
    default:
      return signal satisfies never;
  }
}

function phaseAtEnd(
  because: Ending | null,
  { reason, problem }: Extract<RunSignal, { kind: 'ended' }>,
): Pick<RunPhase, 'state' | 'because'> {
  if (because?.code === 'failure') return { state: 'failed', because };
  switch (reason) {
    case 'completed':
      // A stop that was requested after the load had completed changed nothing.
      return { state: 'finished', because: null };
    case 'stopped':
      return { state: 'stopped', because: because ?? STOPPED_BY_USER };
    case 'safety':
      return { state: 'stopped', because: { code: 'safety', text: problem?.message ?? 'A safety limit stopped it.' } };
    case 'failed':
      return { state: 'failed', because: { code: 'failure', text: problem ? `${problem.message} ${problem.hint}` : 'The engine failed.' } };
    default:
      return reason satisfies never;
  }
}
