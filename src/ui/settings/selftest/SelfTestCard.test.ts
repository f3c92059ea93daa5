import { describe, expect, it } from 'vitest';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';
import { IDLE, nextSelfTestState, type SelfTestEvent, type SelfTestState } from './SelfTestCard.tsx';

const progress: SelfTestProgress = {
  done: 1,
  total: 13,
  current: 'Fixed 50 ms (native)',
  checks: [],
  limits: { requestsPerSecond: null, arrivalsPerSecond: null, lagLimitMs: 5, connectionsPerSecond: null },
  report: null,
};
const after = (...events: readonly SelfTestEvent[]): SelfTestState => events.reduce(nextSelfTestState, IDLE);
const problem = (code: string) => ({ code, message: 'It failed.', hint: '' });

describe('a self-test on the page', () => {
  it('shows the latest progress and is idle after its end', () => {
    expect(after({ kind: 'started' })).toEqual({ status: 'running', progress: null });
    expect(after({ kind: 'started' }, { kind: 'progress', progress })).toEqual({ status: 'running', progress });
    expect(after({ kind: 'started' }, { kind: 'progress', progress }, { kind: 'ended', problem: null })).toEqual(IDLE);
  });

  it('distinguishes a lost connection from a failure', () => {
    expect(after({ kind: 'started' }, { kind: 'ended', problem: problem('GONE') })).toEqual({ status: 'lost' });
    expect(after({ kind: 'started' }, { kind: 'ended', problem: problem('RUN_GOING') })).toMatchObject({ status: 'failed' });
  });

  it('ignores late events after a stop', () => {
    const stopped: SelfTestEvent[] = [{ kind: 'started' }, { kind: 'stopped' }];
    expect(after(...stopped, { kind: 'progress', progress })).toEqual(IDLE);
    expect(after(...stopped, { kind: 'ended', problem: problem('CANCELLED') })).toEqual(IDLE);
  });
});
