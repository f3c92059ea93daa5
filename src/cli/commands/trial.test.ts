import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { startHarness, type Harness } from '../testing/harness.ts';

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
});

/** Writes a plan that logs in, opens a task and submits a solution. */
async function planFile(lab: RunningContest, changes: Partial<PlanInput> = {}): Promise<string> {
  const plan: PlanInput = {
    holdfast: 1,
    name: 'contest',
    targets: [{ url: lab.urls[0] ?? '' }],
    variables: { number: { kind: 'number', from: 1, to: 8 } },
    cookies: 'user',
    journey: [
      { name: 'home', path: '/', once: true },
      {
        name: 'login',
        method: 'POST',
        path: '/login',
        form: { username: 'contestant{{number}}', password: 'practice', _xsrf: '{{cookie._xsrf}}' },
        redirects: { follow: true },
        checks: [{ kind: 'contains', text: 'contestant{{number}}' }],
        captures: [{ from: 'body', as: 'task', pattern: 'href="/tasks/(\\w+)/description"' }],
        once: true,
      },
      {
        name: 'form',
        path: '/tasks/{{task}}/submissions',
        captures: [{ from: 'body', as: 'field', pattern: '<input type="file" name="([^"]+)"' }],
      },
      {
        name: 'submit',
        method: 'POST',
        path: '/tasks/{{task}}/submit',
        multipart: [
          { name: '_xsrf', value: '{{cookie._xsrf}}' },
          { name: '{{field}}', bytes: 100, type: 'text/x-c++src', fileName: 'a.cpp' },
        ],
        expectStatus: [302],
      },
    ],
    load: { model: 'users', stages: [{ users: 2, seconds: 0.5 }] },
    ...changes,
  };
  const path = join(cli.directory, 'plan.json');
  await writeFile(path, JSON.stringify(plan));
  return path;
}

const startContest = (options: Record<string, string>): Promise<RunningContest> =>
  contestLab.start({ 'service-ms': 1, 'evaluation-ms': 50, 'one-password': true, shards: 1, ...options }, testSurroundings());

describe('the trial before a load', () => {
  it.each([
    ['future', 'with the first account', 'has not started'],
    ['ended', 'with the first account', 'The contest has already ended.'],
    ['own-start', 'with the first account', 'By clicking on the button below'],
    ['hidden', 'with the first account', 'The page says: “Failed to log in.”'],
    ['late-half', 'with an account in the middle of the list', 'has not started'],
  ])('prevents the load if it fails, and quotes the page: %s', async (phase, who, words) => {
    const lab = await startContest({ phase });
    const { code, err } = await cli.run('run', await planFile(lab));
    expect(code).toBe(95);
    expect(err).toContain('No load was sent, because the trial before it failed');
    expect(err).toContain(who);
    expect(err).toContain(words);
    expect(lab.log.countOf('POST', '/tasks/coprobber/submit', 302)).toBe(0);
    expect((await cli.run('runs')).out).not.toContain('contest');
    await lab.stop();
  });

  it('submits nothing and does not count as part of the run', async () => {
    const lab = await startContest({});
    const { code, out } = await cli.run('run', await planFile(lab));
    expect({ code, out }).toMatchObject({ code: 0 });
    // Three logins come from the trial and two from the users.
    expect(lab.log.countOf('POST', '/login', 302)).toBe(5);
    await lab.stop();
  });

  it.each([
    ['unique', 1, 0],
    ['unique', 2, 95],
    ['sequential', 1, 95],
  ] as const)('uses only accounts that the load uses: order %s, %i users', async (order, users, expected) => {
    const lab = await startContest({});
    const accounts = join(cli.directory, 'accounts.csv');
    await writeFile(accounts, 'username,password\ncontestant1,practice\nnobody,practice\n');
    const path = await planFile(lab, {
      variables: {},
      feeds: { account: { file: accounts, order } },
      journey: [
        { name: 'home', path: '/', once: true },
        {
          name: 'login',
          method: 'POST',
          path: '/login',
          form: { username: '{{account.username}}', password: '{{account.password}}', _xsrf: '{{cookie._xsrf}}' },
          redirects: { follow: true },
          checks: [{ kind: 'contains', text: '{{account.username}}' }],
          once: true,
        },
        { name: 'list', path: '/' },
      ],
      load: { model: 'users', stages: [{ users, seconds: 0.5 }] },
    });
    const { code, err } = await cli.run('run', path);
    expect({ code, err }).toMatchObject({ code: expected });
    await lab.stop();
  });

  it('can be turned off', async () => {
    const lab = await startContest({ phase: 'future' });
    const { code } = await cli.run('run', await planFile(lab), '--no-trial');
    expect(code).not.toBe(95);
    await lab.stop();
  });
});
