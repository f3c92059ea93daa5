import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSettled, nextPhase, PREPARING, type RunPhase, type RunSignal } from './runPhase.ts';

const USER_STOP = { code: 'user', text: 'You stopped it.' } as const;
const DISK_FAILURE = { code: 'failure', text: 'The disk is full.' } as const;
const problem = { code: 'X', message: 'Too many errors.', hint: 'Look at the server.' };
const phaseAfter = (...signals: RunSignal[]): RunPhase => signals.reduce(nextPhase, PREPARING);
const COMPLETED = { kind: 'ended', reason: 'completed', problem: null } as const;

describe('nextPhase', () => {
  it('leads from preparing through running and draining to finished', () => {
    expect(phaseAfter({ kind: 'stage', stage: 0 })).toEqual({ state: 'running', stage: 0, because: null });
    expect(phaseAfter({ kind: 'stage', stage: 0 }, { kind: 'stage', stage: 1 })).toMatchObject({ stage: 1 });
    expect(phaseAfter({ kind: 'stage', stage: 0 }, { kind: 'draining' })).toEqual({ state: 'draining', stage: null, because: null });
    expect(phaseAfter({ kind: 'stage', stage: 0 }, { kind: 'draining' }, COMPLETED)).toEqual({
      state: 'finished',
      stage: null,
      because: null,
    });
  });

  it('keeps “stopped by the user” as the reason', () => {
    const stopped = { kind: 'ended', reason: 'stopped', problem: null } as const;
    expect(phaseAfter({ kind: 'window' }, { kind: 'stopRequested', because: USER_STOP }, stopped)).toMatchObject({
      state: 'stopped',
      because: USER_STOP,
    });
  });

  it('ignores a stop after the load has completed', () => {
    expect(phaseAfter({ kind: 'draining' }, { kind: 'stopRequested', because: USER_STOP }, COMPLETED)).toMatchObject({
      state: 'finished',
      because: null,
    });
  });

  it('keeps the safety limit as the reason', () => {
    const limit = { kind: 'ended', reason: 'safety', problem } as const;
    expect(phaseAfter(limit)).toMatchObject({ state: 'stopped', because: { code: 'safety', text: 'Too many errors.' } });
  });

  it('becomes failed if the store failed, however the engine ended', () => {
    for (const reason of ['completed', 'stopped', 'safety', 'failed'] as const)
      expect(phaseAfter({ kind: 'stopRequested', because: DISK_FAILURE }, { kind: 'ended', reason, problem })).toEqual({
        state: 'failed',
        stage: null,
        because: DISK_FAILURE,
      });
  });

  it('never leads back from draining to a stage', () => {
    expect(phaseAfter({ kind: 'draining' }, { kind: 'stage', stage: 1 })).toMatchObject({ state: 'draining', stage: null });
  });

  it('never changes a settled phase, and keeps the first reason', () => {
    const because = fc.constantFrom(USER_STOP, DISK_FAILURE);
    const signal: fc.Arbitrary<RunSignal> = fc.oneof(
      fc.record({ kind: fc.constant('stage' as const), stage: fc.nat(5) }),
      fc.constant({ kind: 'window' as const }),
      fc.constant({ kind: 'draining' as const }),
      fc.record({ kind: fc.constant('stopRequested' as const), because }),
      fc.record({
        kind: fc.constant('ended' as const),
        reason: fc.constantFrom('completed' as const, 'stopped' as const, 'safety' as const, 'failed' as const),
        problem: fc.constantFrom(problem, null),
      }),
      fc.constant({ kind: 'abandoned' as const }),
    );
    fc.assert(
      fc.property(fc.array(signal), fc.array(signal), (first, late) => {
        const settledRunPhase = [...first, COMPLETED].reduce(nextPhase, PREPARING);
        expect(isSettled(settledRunPhase)).toBe(true);
        expect(late.reduce(nextPhase, settledRunPhase)).toBe(settledRunPhase);
      }),
    );
  });
});
