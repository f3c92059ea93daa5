import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLog } from '../readLog.ts';
import { Evaluation } from './evaluation.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-evaluation-'));
});
afterEach(() => rm(directory, { recursive: true }));

const evaluationWith = (burn: (evaluator: number) => Promise<number>, failures: string[]) =>
  new Evaluation({
    evaluators: 1,
    evaluationMs: 1,
    coldMs: 0,
    log: join(directory, 'evaluations.log'),
    burn,
    onFailed: (why) => failures.push(why),
  });

it('evaluation: a failure is reported, and the next solution is still evaluated', async () => {
  const failures: string[] = [];
  const burns: number[] = [];
  const evaluation = evaluationWith((evaluator) => {
    burns.push(evaluator);
    return burns.length === 1 ? Promise.reject(new Error('evaluator-1 said nothing.')) : Promise.resolve(12);
  }, failures);
  const jobs = ['first', 'second', 'third'].map((path) => evaluation.submit(path, 10));
  await expect.poll(() => jobs[2]?.endedAtMs ?? null, { timeout: 10_000 }).not.toBeNull();
  await evaluation.close();
  expect(failures).toEqual(['evaluator-1 said nothing.']);
  expect(burns).toEqual([1, 1, 1]);
  const loggedRequests = await readLog(join(directory, 'evaluations.log'));
  expect(loggedRequests.map(({ path, server }) => [path, server])).toEqual([
    ['second', 'evaluator-1'],
    ['third', 'evaluator-1'],
  ]);
});

it('evaluation: evaluations that are aborted at the end are neither reported nor logged', async () => {
  const failures: string[] = [];
  const burn = Promise.withResolvers<number>();
  const evaluation = evaluationWith(() => burn.promise, failures);
  evaluation.submit('first', 10);
  await sleep(20);
  await evaluation.close();
  burn.resolve(12);
  await sleep(20);
  expect(failures).toEqual([]);
  expect(await readLog(join(directory, 'evaluations.log'))).toEqual([]);
});
