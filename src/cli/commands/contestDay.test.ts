import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { GivenOptions } from '#core/lab/listing.ts';
import { resultSchema, type RunResult } from '#core/report/result.ts';
import { startHarness } from '../testing/harness.ts';

/** Runs a test of the contest preset on a practice server of its own. */
async function play(
  options: GivenOptions,
  answers: Record<string, number | string>,
): Promise<{ code: number; lab: RunningContest; result: RunResult; out: string }> {
  const cli = await startHarness();
  const lab = await contestLab.start({ 'service-ms': 5, accounts: 60, 'one-password': true, ...options }, testSurroundings());
  onTestFinished(() => lab.stop());
  const password = join(cli.directory, 'password');
  await writeFile(password, 'practice\n', { mode: 0o600 });
  const given = {
    target: lab.urls.join(','),
    ...(answers['test'] === 'workers' ? {} : { scale: 5 }),
    accountsPassword: `file:${password}`,
    ...answers,
  };
  const settings = Object.entries(given).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const { code, out, err } = await cli.run('run', 'cms-contest', ...settings, '--json', 'result.json');
  // So small a contest is warned of limits that it cannot decide; without a result there was something worse.
  const saved = await readFile(join(cli.directory, 'result.json'), 'utf8').catch(() => Promise.reject(new Error(err)));
  const result = resultSchema.parse(JSON.parse(saved));
  return { code, lab, result, out };
}

it('counts each step of the rehearsal as the contest does, polls for news beside it included', async () => {
  const { lab, result } = await play(
    { evaluators: 20, 'evaluation-ms': 20 },
    { test: 'rehearsal', participants: 60, pauseSeconds: 0.5, pollSeconds: 15, minutes: 0.3, arrivalMinutes: 0.1, rushMinutes: 0.1 },
  );
  const { log } = lab;
  const ofTasks = (method: string, path: string, status: number): number =>
    ['coprobber', 'lanterns', 'harbour'].reduce((sum, task) => sum + log.countOf(method, `/tasks/${task}/${path}`, status), 0);
  const sent = (step: string): number | undefined => result.requestsByStep[step]?.sent;
  expect(result.ledger.requests.sent).toBe(result.ledger.requests.ok);
  expect({
    login: sent('login'),
    description: sent('description'),
    statement: sent('statement'),
    submit: sent('submit'),
    submissions: sent('submissions'),
    evaluation: sent('evaluation'),
    notifications: sent('notifications'),
    all: result.ledger.requests.sent,
  }).toEqual({
    login: log.countOf('POST', '/login', 302),
    description: ofTasks('GET', 'description', 200),
    statement: ofTasks('GET', 'statements/en', 200),
    submit: ofTasks('POST', 'submit', 302),
    submissions: ofTasks('GET', 'submissions', 200),
    evaluation: Array.from({ length: 200 }, (_, index) => ofTasks('GET', `submissions/${index + 1}`, 200)).reduce(
      (sum, each) => sum + each,
    ),
    notifications: log.countOf('GET', '/notifications', 200),
    all: log.requests,
  });
  // 60 open pages, for the 5.3 s or so that they are open, of an interval of 15 s.
  expect(sent('notifications')).toBeGreaterThan(8);
  expect(sent('notifications')).toBeLessThan(40);
});

it('takes a solution that the contest refuses for a failure, says why, and never calls such a run good', async () => {
  const { code, lab, result, out } = await play(
    { 'submit-seconds': 3_600, evaluators: 10, 'evaluation-ms': 20 },
    { test: 'workers', participants: 2, jobs: 40, submitSeconds: 2, prefetch: 'cold', workers: 10, jobSeconds: 0.02 },
  );
  expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 99, outcome: 'breaks' });
  // Two contestants may hand in one solution each for three tasks, and 40 came.
  const submit = result.requestsByStep['submit'];
  expect(submit?.sent).toBe(40);
  expect(submit?.ok).toBe(6);
  expect(submit?.wrongBody).toBe(34);
  expect(
    ['coprobber', 'lanterns', 'harbour'].reduce((sum, task) => sum + lab.log.countOf('GET', `/tasks/${task}/submissions`, 200), 0),
  ).toBe(6);
  expect(out).toMatch(/submission_id/);
});
