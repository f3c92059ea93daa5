import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { findIdleReading, chooseNextRun, usersReadings } from './table.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import { characterizeSettingsSchema } from './schema.ts';
import { calmReading } from './testing/frozenRuns.ts';

const plan = planWith();
const settings = characterizeSettingsSchema.parse({});
const run = (reading: UsersReading | IdleReading, changes: Partial<SearchRun> = {}): SearchRun => ({
  position: 0,
  purpose: reading.kind,
  name: 'a run',
  level: reading.kind === 'users' ? reading.users : null,
  repeat: 1,
  state: 'value',
  phase: null,
  reason: null,
  runId: null,
  reading,
  spentSeconds: 3,
  requests: 30,
  ...changes,
});
const idle: IdleReading = {
  kind: 'idle',
  closedAfterSeconds: 5,
  watchedSeconds: 10,
  statedSeconds: null,
  statedRequests: null,
  problem: null,
};
const lost = run(calmReading(2), { reading: null, state: 'aborted' });
/** Runs of a server that was as quick with 128 users, the maximum, as with one. */
const all = [run(calmReading(1)), run(calmReading(128))];
const next = (runs: readonly SearchRun[], changes: Partial<typeof settings> = {}) => chooseNextRun(plan, { ...settings, ...changes }, runs);

describe('chooseNextRun', () => {
  it('returns a run with one user, then with twice as many, or a repetition', () => {
    expect(next([])).toMatchObject({ kind: 'run', purpose: 'users', name: 'one user', level: 1, repeat: 1 });
    expect(next([run(calmReading(1))])).toMatchObject({ name: '2 users', level: 2, repeat: 1 });
    const overloaded = run(calmReading(2, { overloadedSeconds: 2 }));
    expect(next([run(calmReading(1)), overloaded])).toMatchObject({ level: 2, repeat: 2 });
  });

  it('ends the search if a run would exceed the maximum time', () => {
    // 3 s have been used. Two users start within 0.2 s and are counted for 3 s.
    const within = (maxSeconds: number) => next([run(calmReading(1))], { maxSeconds, idleSeconds: 0 });
    expect(within(6.2)).toMatchObject({ kind: 'run', level: 2 });
    expect(within(6.1)).toEqual({ kind: 'end', because: 'The maximum duration was reached.' });
  });

  it('returns an idle connection once, at the end, if requested', () => {
    expect(next(all)).toEqual({ kind: 'idle', purpose: 'idle', name: 'an idle connection', seconds: 10 });
    expect(next([...all, run(idle)])).toEqual({ kind: 'end', because: null });
    expect(next(all, { idleSeconds: 0 })).toEqual({ kind: 'end', because: null });
  });

  it('ends the search after a lost run with users', () => {
    expect(next([run(calmReading(1)), lost])).toEqual({ kind: 'end', because: null });
    expect(next([run(calmReading(1)), run(idle, { reading: null })])).toMatchObject({ kind: 'run', level: 2 });
  });

  it('uses the readings of the runs with users and of the idle connection', () => {
    expect(usersReadings([...all, run(idle), lost]).map(({ users }) => users)).toEqual([1, 128]);
    expect([findIdleReading([lost, ...all]), findIdleReading([lost, ...all, run(idle)])]).toEqual([null, idle]);
  });
});
