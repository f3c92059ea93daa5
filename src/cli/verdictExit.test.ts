import { describe, expect, it } from 'vitest';
import { VERDICT_OUTCOMES, type RunHead, type Verdict } from '#core/result/schema.ts';
import { exitCodeOf } from './verdictExit.ts';

const head: RunHead = {
  id: 'r1',
  name: 'A run',
  note: '',
  preset: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  state: 'finished',
  endedBecause: null,
  holdfastVersion: '0.1.0',
};

function verdict(outcome: Verdict['outcome']): Verdict {
  return { outcome, sentence: '', reasons: [], exercised: [], notExercised: [], next: [] };
}

describe('exitCodeOf', () => {
  it('tells the verdict of a run that went to its end', () => {
    const codes = VERDICT_OUTCOMES.map((outcome) => [outcome, exitCodeOf({ run: head, verdict: verdict(outcome) })]);
    expect(Object.fromEntries(codes)).toEqual({ holds: 0, breaks: 99, inconclusive: 98, measured: 0 });
  });

  it.each([
    ['user', 130],
    ['safety', 97],
    ['failure', 1],
    ['ownerGone', 1],
  ] as const)('tells that %s ended it, whatever was measured', (code, exit) => {
    const run: RunHead = { ...head, state: 'stopped', endedBecause: { code, text: '' } };
    for (const outcome of VERDICT_OUTCOMES) expect(exitCodeOf({ run, verdict: verdict(outcome) })).toBe(exit);
  });
});
