import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { tryReportSchema, type TryReport } from '#core/work/samples/tryPlan.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { startHarness, type Harness } from '../testing/harness.ts';

let cli: Harness;
let lab: RunningContest;
beforeAll(async () => {
  lab = await contestLab.start({ 'service-ms': 1, 'evaluation-ms': 300 }, testSurroundings());
});
afterAll(() => lab.stop());
beforeEach(async () => {
  cli = await startHarness();
  cli.environment['CONTEST_PASSWORD'] = lab.accounts[0]?.password ?? '';
});

const countLogins = (): number => lab.log.countOf('POST', '/login', 302);

const home = { name: 'home', path: '/' };
const fields = { username: 'contestant1', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' };
const login = {
  name: 'login',
  method: 'POST' as const,
  path: '/login',
  form: fields,
  redirects: { follow: true as const },
  checks: [{ kind: 'contains' as const, text: 'contestant1' }],
  captures: [{ from: 'body' as const, as: 'task', pattern: 'href="/tasks/(\\w+)/description"' }],
};
const description = { name: 'description', path: '/tasks/{{task}}/description', thinkTime: { kind: 'fixed' as const, seconds: 3_600 } };

async function planFile(journey: PlanInput['journey'], changes: Partial<PlanInput> = {}): Promise<string> {
  const plan: PlanInput = {
    holdfast: 1,
    name: 'contest',
    targets: [{ url: lab.urls[0] ?? '' }],
    variables: { password: { kind: 'secret', secret: 'env:CONTEST_PASSWORD' } },
    journey,
    load: { model: 'users', stages: [{ users: 3, seconds: 1 }] },
    criteria: [{ kind: 'errors', maxShare: 0.5 }],
    ...changes,
  };
  const path = join(cli.directory, 'plan.json');
  // The process environment must contain the secrets that the plan references as env:.
  process.env['CONTEST_PASSWORD'] = cli.environment['CONTEST_PASSWORD'];
  onTestFinished(() => void delete process.env['CONTEST_PASSWORD']);
  await writeFile(path, JSON.stringify(plan));
  return path;
}

async function tryOnce(journey: PlanInput['journey'], changes: Partial<PlanInput> = {}): Promise<TryReport & { code: number }> {
  const { code, out, err } = await cli.run('try', await planFile(journey, changes), '--json');
  expect(err).not.toContain('INTERNAL');
  return { ...tryReportSchema.parse(JSON.parse(out)), code };
}

// wrongResponses.test.ts tests each kind of failure.
describe('a journey that is tried once', () => {
  it('shows every request and response without secrets', async () => {
    const before = countLogins();
    const path = await planFile([home, login, description]);
    const { code, out } = await cli.run('try', path);
    expect(code).toBe(0);
    expect(out).toContain('✓ home');
    expect(out).toContain('✓ login › redirects');
    expect(out).toMatch(/\{\{task\}\} = \w+/);
    expect(out).toMatch(/> GET \/tasks\/\w+\/description HTTP\/1\.1/);
    expect(out).toContain('One user ran every step, and each response was as expected.');
    expect(out).not.toContain(lab.accounts[0]?.password);
    expect(countLogins() - before).toBe(1);
    // The trial is not stored.
    expect((await cli.run('runs')).out).not.toContain('contest');
  });
});

describe('a stream that is tried', () => {
  it('shows the opening response even if the first event arrives together with it', async () => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: first\n\n');
    });
    onTestFinished(() => server.close());
    const { samples } = await tryOnce([{ name: 'news', stream: {} }], { targets: [{ url: server.url }] });
    expect(samples[0]).toMatchObject({ failure: null, received: { head: expect.stringMatching(/^HTTP\/1\.1 200 OK\n/) } });
  });
});

describe('a run whose journeys fail', () => {
  it('never passes, and keeps the first failures of each kind', async () => {
    cli.environment['CONTEST_PASSWORD'] = 'wrong-one';
    const { code } = await cli.run('run', await planFile([home, login, description]), '--no-trial', '--quiet');
    expect(code).toBe(99);
    const { out } = await cli.run('show', 'last', '--samples', '--json');
    const samples = sampleSchema.array().parse(JSON.parse(out));
    expect(samples.map(({ request, failure }) => `${request}: ${failure}`)).toEqual(
      Array<string>(3).fill('login › redirects: LEADS_TO_LOGIN /?login_error@check'),
    );
    expect(samples[0]?.sent?.head).toContain('GET /?login_error=true');
    expect(out).not.toContain('wrong-one');
    expect((await cli.run('show', 'last', '--samples')).out).toContain('it sends on to a login page');
  });
});

describe('a feed of accounts', () => {
  const feeds: PlanInput['feeds'] = { accounts: { file: 'accounts.csv', order: 'unique' } };
  const form = { username: '{{accounts.username}}', password: '{{accounts.password}}', _xsrf: '{{cookie._xsrf}}' };
  const withFeed = { ...login, form, checks: [{ kind: 'contains' as const, text: '{{accounts.username}}' }] };

  async function writeAccounts(lines: readonly string[]): Promise<void> {
    await writeFile(join(cli.directory, 'accounts.csv'), `username,password\n${lines.join('\n')}\n`);
  }

  it('logs all accounts in and shows no password', async () => {
    await writeAccounts(lab.accounts.map(({ username, password }) => `${username},${password}`));
    const path = await planFile([home, withFeed, { ...description, thinkTime: { kind: 'fixed', seconds: 0.2 } }], { feeds });
    const before = countLogins();
    const tried = await cli.run('try', path);
    expect(tried.code).toBe(0);
    const ran = await cli.run('run', path, '--json', '-');
    expect(ran.code).toBe(0);
    expect(countLogins() - before).toBeGreaterThanOrEqual(4);
    for (const { password } of lab.accounts.slice(0, 3)) expect(tried.out + ran.out).not.toContain(password);
  });

  it('is rejected with all its problems: bad row, missing column, too few rows', async () => {
    await writeAccounts(['contestant1,anchor-11', 'contestant2', 'contestant3,compass-33,']);
    const path = await planFile([home, { ...withFeed, form: { ...form, pin: '{{accounts.pine}}' } }], { feeds });
    for (const command of ['try', 'run']) {
      const { code, err } = await cli.run(command, path);
      expect(code).toBe(2);
      expect(err).toContain('accounts.csv, line 3: it has 1 value, and the first line names 2.');
      expect(err).toContain('accounts.csv, line 4: it has 3 values, and the first line names 2.');
      expect(err).toContain('has no column “pine”');
      expect(err).not.toContain('anchor-11');
    }
    await writeAccounts(['contestant1,anchor-11', 'contestant2,beacon-22']);
    const few = await cli.run('run', await planFile([home, withFeed], { feeds }));
    expect(few.code).toBe(2);
    expect(few.err).toContain('“accounts” needs 3 rows, one for each user, and');
    await writeFile(join(cli.directory, 'accounts.csv'), '');
    expect((await cli.run('try', path)).err).toContain('line 1: it is empty');
  });
});

describe('a solution that is submitted', () => {
  const account = { username: 'contestant1', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' };
  const submit = {
    name: 'submit',
    method: 'POST' as const,
    path: '/tasks/coprobber/submit',
    multipart: [
      { name: '_xsrf', value: '{{cookie._xsrf}}' },
      { name: 'coprobber.%l', file: 'solution.cpp', type: 'text/plain' },
    ],
    expectStatus: [302],
    captures: [{ from: 'header' as const, as: 'submission', name: 'Location', pattern: 'submission_id=([^&]+)' }],
  };
  const evaluation = {
    name: 'evaluation',
    path: '/tasks/coprobber/submissions/1',
    poll: { until: [{ kind: 'json' as const, path: '$.public_score' }], firstSeconds: 0.05, factor: 1.4, mostSeconds: 30 },
  };

  it('is uploaded from its file, then polled until evaluated', async () => {
    await writeFile(join(cli.directory, 'solution.cpp'), 'int main() {}\n');
    const path = await planFile([home, { ...login, form: account, captures: [] }, submit, evaluation]);
    const { code, out, err } = await cli.run('try', path);
    expect(err).toContain('CONTEST_PASSWORD: sends it with requests');
    expect(out).toMatch(/\{\{submission\}\} = \S+/);
    expect(code, out.slice(-3_000)).toBe(0);
  });

  it('requires its file', async () => {
    const { code, err } = await cli.run('run', await planFile([home, submit]));
    expect(code).toBe(1);
    expect(err).toMatch(/solution\.cpp cannot be read \(ENOENT\)/);
  });
});
