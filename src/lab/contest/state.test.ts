import { describe, expect, it } from 'vitest';
import { ContestState, statusOf } from './state.ts';
import { TASKS, type Task } from './tasks.ts';

function firstTask(): Task {
  const [task] = TASKS;
  if (!task) throw new Error('The contest has no task.');
  return task;
}

describe('ContestState', () => {
  it('moves a submission from compiling through evaluating to a score', () => {
    const submission = { number: 1, submittedAtMs: 1_000, bytes: 100, job: null };
    expect(statusOf(submission, 2_500, 1_000).status).toBe(1);
    expect(statusOf(submission, 2_500, 2_100).status).toBe(3);
    expect(statusOf(submission, 2_500, 60_000)).toMatchObject({ status: 5, max_public_score: 100, public_score: 700 % 101 });
  });

  it('accepts a limited number of solutions per user', () => {
    const state = new ContestState(2_500);
    for (let round = 0; round < 1_000; round += 1) expect(state.submit('a', firstTask(), 10, round)?.number).toBe(round + 1);
    expect(state.submit('a', firstTask(), 10, 2_000)).toBeNull();
    expect(state.submit('b', firstTask(), 10, 2_000)?.number).toBe(1);
  });

  it('keeps a limited number of notifications, and returns those after a given time', () => {
    const state = new ContestState(2_500);
    for (let second = 1; second <= 80; second += 1) state.notify('a', 'subject', `text ${second}`, second * 1_000);
    expect(state.notificationsSince('a', 0)).toHaveLength(50);
    expect(state.notificationsSince('a', 79).map(({ text }) => text)).toEqual(['text 80']);
  });
});
