import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { startHarness } from '../testing/harness.ts';

/** Setting for the duration of the stage with the bell, which is 14 s by default, much longer than 40 participants need. */
const AFTER_BELL = 'load.stages[1].seconds';

/** Runs a test of the contest preset against its own practice server. */
async function playTest(
  options: GivenOptions,
  answers: Record<string, number | string>,
  during: (lab: RunningContest) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ code: number; lab: RunningContest; result: RunResult; out: string }> {
  const cli = await startHarness();
  const lab = await contestLab.start({ 'service-ms': 5, accounts: 60, 'one-password': true, ...options }, testSurroundings());
  onTestFinished(() => lab.stop());
  const password = join(cli.directory, 'password');
  await writeFile(password, 'practice\n', { mode: 0o600 });
  const settings = {
    target: lab.urls.join(','),
    ...(answers['test'] === 'workers' ? {} : { scale: 5 }),
    accountsPassword: `file:${password}`,
    ...answers,
  };
  const setArguments = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const running = cli.run('run', 'cms-contest', ...setArguments, '--no-trial', '--full', '--json', 'result.json');
  await during(lab);
  const { code, out, err } = await running;
  // A contest this small may only get a warning that criteria cannot be decided, but a missing result is an error.
  const saved = await readFile(join(cli.directory, 'result.json'), 'utf8').catch(() => Promise.reject(new Error(err)));
  const result = resultSchema.parse(JSON.parse(saved));
  return { code, lab, result, out };
}

const secondsOf = ({ run }: RunResult): number => (Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt)) / 1_000;

it("contest rehearsal: request counts of each step equal the server's, with polls and spectators", async () => {
  const { lab, result } = await playTest(
    { evaluators: 20, 'evaluation-ms': 20, scoreboard: true },
    {
      test: 'rehearsal',
      participants: 60,
      pauseSeconds: 0.5,
      pollSeconds: 15,
      minutes: 0.2,
      arrivalMinutes: 0.1,
      rushMinutes: 0.1,
      audience: 'spectators',
      spectators: 30,
      board: 'other',
      boardPath: 'scoreboard/',
    },
  );
  const { log } = lab;
  const { streams, requestsByStep } = result;
  const countForTasks = (method: string, path: string, status: number): number =>
    ['coprobber', 'lanterns', 'harbour'].reduce((sum, task) => sum + log.countOf(method, `/tasks/${task}/${path}`, status), 0);
  const countSent = (...steps: string[]): number => steps.reduce((sum, step) => sum + (requestsByStep[step]?.sent ?? 0), 0);
  expect(result.outcomes.requests.sent).toBe(result.outcomes.requests.ok);
  expect({
    login: countSent('login'),
    description: countSent('first description', 'description'),
    statement: countSent('statement'),
    submit: countSent('submit'),
    submissions: countSent('form', 'submissions'),
    evaluation: countSent('evaluation'),
    notifications: countSent('notifications'),
    scoreboard: countSent('scoreboard'),
    all: result.outcomes.requests.sent,
  }).toEqual({
    login: log.countOf('POST', '/login', 302),
    description: countForTasks('GET', 'description', 200),
    statement: countForTasks('GET', 'statements/en', 200),
    submit: countForTasks('POST', 'submit', 302),
    submissions: countForTasks('GET', 'submissions', 200),
    evaluation: Array.from({ length: 200 }, (_, index) => countForTasks('GET', `submissions/${index + 1}`, 200)).reduce(
      (sum, each) => sum + each,
    ),
    notifications: log.countOf('GET', '/notifications', 200),
    scoreboard: log.countOf('GET', '/scoreboard/', 200),
    all: log.requests,
  });
  // Each of 60 pages polls every 15 s. A page is open for about 4 s, and at most as long as the run.
  expect(countSent('notifications')).toBeGreaterThan(8);
  expect(countSent('notifications')).toBeLessThan((60 / 15) * secondsOf(result));
  // Each spectator opens one stream.
  expect([countSent('login'), countSent('scoreboard'), countSent('events')]).toEqual([60, 30, 30]);
  expect(streams?.outcomes).toMatchObject({ opened: 30, left: 30, ended: 0, lost: 0, open: 0 });
  // Each spectator receives the scores of the submitted solutions.
  expect(streams?.outcomes.events).toBeGreaterThan(30);
  // The verdict is about the contest and not about its streams.
  expect(result.verdict.sentence).not.toContain('events');
  // By default, an interrupted stream is a failure of its step.
  expect(result.criteria.filter(({ criterion, isDefault }) => criterion.step === 'events' && isDefault === true)).toHaveLength(1);
}, 120_000);

it("contest rehearsal: a rejected solution counts as a failure, the site's reason is quoted, and the run fails", async () => {
  const { code, lab, result, out } = await playTest(
    { 'submit-seconds': 3_600, evaluators: 10, 'evaluation-ms': 20, shards: 1 },
    { test: 'workers', participants: 2, jobs: 40, submitSeconds: 2, prefetch: 'cold', workers: 10, jobSeconds: 0.02 },
  );
  expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 99, outcome: 'failed' });
  // The server accepts two solutions from each contestant for each of three tasks, so 40 arrived.
  const submit = result.requestsByStep['submit'];
  expect(submit?.sent).toBe(40);
  expect(submit?.ok).toBe(6);
  expect(submit?.wrongBody).toBe(34);
  expect(
    ['coprobber', 'lanterns', 'harbour'].reduce((sum, task) => sum + lab.log.countOf('GET', `/tasks/${task}/submissions`, 200), 0),
    // These are the requests for the form of each task, and for the list of accepted submissions.
  ).toBe(46);
  expect(out).toMatch(/submission_id/);
  expect(result.outcomes.sideCalls).toMatchObject({ sent: 34 });
  expect(out).toContain('the site itself gave the reason for a failure: Invalid submission! At most one solution in 3600 s is accepted.');
});

it('contest rehearsal: statements, fields and languages of an Italian contest with a URL prefix and four C++ versions are found', async () => {
  const { lab, result } = await playTest(
    { evaluators: 20, 'evaluation-ms': 20, prefix: 'italia', statements: 'it', languages: 'four-cpp' },
    { test: 'rehearsal', participants: 20, pauseSeconds: 0.5, minutes: 0.1, arrivalMinutes: 0.05, rushMinutes: 0.05 },
  );
  const { requests } = result.outcomes;
  expect({ ...requests, ok: requests.sent }).toEqual(requests);
  const handedIn = result.requestsByStep['submit'];
  expect(handedIn?.sent).toBeGreaterThan(0);
  expect(result.requestsByStep['statement']?.ok).toBeGreaterThan(0);
  expect(requests.sent).toBe(lab.log.requests);
});

it.each(['made', 'folder'])(
  'contest rehearsal: one program, two programs or output files are submitted, as the form of each task requires: %s',
  async (solutions) => {
    const folder = temporaryDirectory();
    await writeFile(join(folder, 'one.cpp'), 'int main() {}');
    await writeFile(join(folder, 'other.cpp'), 'int main() { return 1; }');
    const { code, lab, result } = await playTest(
      { evaluators: 10, 'evaluation-ms': 20, languages: 'one', 'task-files': 'kinds' },
      {
        test: 'workers',
        participants: 30,
        jobs: 30,
        submitSeconds: 3,
        prefetch: 'cold',
        workers: 10,
        jobSeconds: 0.02,
        solutions,
        ...(solutions === 'folder' ? { solutionsFolder: folder } : {}),
      },
    );
    const taken = ['coprobber', 'lanterns', 'harbour'].map((task) => lab.log.countOf('POST', `/tasks/${task}/submit`, 302));
    expect(taken.every((count) => count > 0)).toBe(true);
    expect([result.requestsByStep['submit']?.sent, result.requestsByStep['submit']?.ok]).toEqual([30, 30]);
    expect(result.outcomes.sideCalls).toMatchObject({ sent: 0 });
    expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 0, outcome: 'passed' });
  },
);

it('contest rehearsal: a task is found after the login, with or without a trailing slash in the address', async () => {
  const cli = await startHarness();
  const lab = await contestLab.start({ 'service-ms': 1, accounts: 1, prefix: 'italia', shards: 1 }, testSurroundings());
  onTestFinished(() => lab.stop());
  const [account] = lab.accounts;
  for (const [index, slash] of ['', '/'].entries()) {
    const settings = { target: `${lab.urls[0] ?? ''}${slash}`, username: account?.username ?? '', password: account?.password ?? '' };
    const setArguments = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const { code, err } = await cli.run('try', 'cms-contest', ...setArguments);
    expect([code, err]).toEqual([0, expect.stringContaining('/italia/tasks/coprobber/description, found on')]);
    expect(lab.log.countOf('GET', '/italia/tasks/coprobber/description', 200)).toBe(index + 1);
  }
});

it('contest rehearsal: each participant logs in separately, even if a shared login is given', async () => {
  const { lab, result } = await playTest(
    { evaluators: 10, 'evaluation-ms': 20, shards: 1 },
    {
      test: 'workers',
      jobs: 10,
      submitSeconds: 1,
      prefetch: 'cold',
      workers: 10,
      jobSeconds: 0.02,
      username: 'contestant1',
      password: 'practice',
    },
  );
  expect(result.outcomes.requests.ok).toBe(result.outcomes.requests.sent);
  expect(result.requestsByStep['login']?.ok).toBe(10);
  expect(lab.log.countOf('POST', '/login', 302)).toBe(11);
});

it('first minutes: everybody reloads at the bell until the contest shows its tasks', async () => {
  const { code, lab, result } = await playTest(
    { shards: 1, 'starts-seconds': 86_400 },
    { test: 'opening', participants: 40, arrivalMinutes: 0.1, begin: 'reload' },
    async ({ log, control }) => {
      // The start page before and after the login, with one reload each, which shows no tasks.
      await expect.poll(() => log.countOf('GET', '/', 200), { timeout: 120_000 }).toBeGreaterThan(3.5 * 40);
      await fetch(`${control}actions/start-contest`, { method: 'POST' });
    },
  );
  expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 0, outcome: 'passed' });
  expect(result.bells).toMatchObject([
    { bell: 'start', step: 'tasks', expected: 40, waited: 40, late: 0, absent: 0, served: 40, failed: 0 },
  ]);
  const { log } = lab;
  const tasks = result.requestsByStep['tasks'];
  expect(tasks?.sent).toBeGreaterThan(40);
  // The start page is requested before the login, after it, and at each reload.
  expect(log.countOf('GET', '/', 200)).toBe(2 * 40 + (tasks?.sent ?? 0));
  expect(result.outcomes.requests.sent).toBe(log.requests);
}, 240_000);

it('first minutes: each participant of a contest with own times presses “Start!” at the bell', async () => {
  const { code, lab, result } = await playTest(
    { shards: 1, phase: 'own-start', 'lasts-seconds': 600 },
    { test: 'opening', participants: 40, arrivalMinutes: 0.1, begin: 'button', [AFTER_BELL]: 7 },
  );
  expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 0, outcome: 'passed' });
  expect(result.bells).toMatchObject([{ bell: 'start', step: 'start', waited: 40, served: 40 }]);
  expect(lab.log.countOf('POST', '/start', 302)).toBe(40);
  expect(result.requestsByStep['statement']?.ok).toBe(40);
  expect(result.verdict.headline).not.toContain('not verified');
}, 120_000);

it('last minutes: each of the solutions that everybody submits at the end is in the list', async () => {
  const { code, lab, result } = await playTest(
    { shards: 1 },
    { test: 'closing', participants: 40, arrivalMinutes: 0.1, rushMinutes: 0.2, rushEach: 2, [AFTER_BELL]: 7 },
  );
  expect({ code, outcome: result.verdict.outcome }).toEqual({ code: 0, outcome: 'passed' });
  expect(result.bells).toMatchObject([{ bell: 'end', step: 'form', waited: 40, served: 40 }]);
  const taken = ['coprobber', 'lanterns', 'harbour'].reduce((sum, task) => sum + lab.log.countOf('POST', `/tasks/${task}/submit`, 302), 0);
  expect([result.requestsByStep['submit']?.ok, result.requestsByStep['submissions']?.ok, taken]).toEqual([80, 80, 80]);
}, 120_000);
