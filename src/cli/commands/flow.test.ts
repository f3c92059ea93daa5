import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contestLab } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { resultSchema } from '#core/result/schema.ts';
import { tryReportSchema } from '#core/work/samples/tryPlan.ts';
import { startHarness } from '../testing/harness.ts';

/** Starts a server whose responses are right, except that it reports itself as out of order for every tenth question. */
async function startOracle(): Promise<{ url: string; readonly asked: number }> {
  let requestCount = 0;
  const server = createServer((_request, response) => {
    requestCount += 1;
    response.writeHead(requestCount % 10 === 0 ? 500 : 200).end(JSON.stringify({ language: 'en' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    get asked() {
      return requestCount;
    },
  };
}

function contestPlan(contestUrl: string, oracleUrl: string): PlanInput {
  return {
    holdfast: 1,
    name: 'contest',
    targets: [{ url: contestUrl }],
    feeds: { accounts: { file: 'accounts.csv', order: 'unique' } },
    sideHosts: ['127.0.0.1'],
    journey: [
      { name: 'home', path: '/', once: true },
      {
        name: 'login',
        method: 'POST',
        path: '/login',
        form: { username: '{{accounts.username}}', password: '{{accounts.password}}', _xsrf: '{{cookie._xsrf}}' },
        redirects: { follow: true },
        once: true,
      },
      { name: 'language', path: `${oracleUrl}language`, measured: false, captures: [{ from: 'json', as: 'language', path: '$.language' }] },
      { name: 'statement', path: '/tasks/coprobber/statements/{{language}}', budgetMs: 5_000 },
      { name: 'description', path: '/tasks/coprobber/description' },
      { name: 'news', path: '/notifications?last_notification=0', background: { everySeconds: 0.4, after: 'login' } },
    ],
    flow: [
      'home',
      'login',
      'language',
      {
        repeat: 3,
        flow: [
          {
            choose: [
              { weight: 1, flow: ['statement'] },
              { weight: 3, flow: ['description'] },
            ],
          },
        ],
      },
    ],
    load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.03 }, stages: [{ users: 10, seconds: 3 }] },
  };
}

it("flow with choices, polls and side calls: request counts equal the contest's log", async () => {
  const cli = await startHarness();
  const lab = await contestLab.start({ 'service-ms': 1, accounts: 20 }, testSurroundings());
  onTestFinished(() => lab.stop());
  const responses = await startOracle();
  await writeFile(
    join(cli.directory, 'accounts.csv'),
    `username,password\n${lab.accounts.map(({ username, password }) => `${username},${password}`).join('\n')}\n`,
  );
  const path = join(cli.directory, 'plan.json');
  await writeFile(path, JSON.stringify(contestPlan(lab.urls[0] ?? '', responses.url)));

  const tried = await cli.run('try', path, '--json');
  const report = tryReportSchema.parse(JSON.parse(tried.out));
  expect(report.notReached).toEqual([]);
  expect(report.isGood).toBe(true);
  expect(new Set(report.samples.map(({ request }) => request))).toContain('news');

  const [logged, asked] = [lab.log.requests, responses.asked];
  const { out, err } = await cli.run('run', path, '--no-trial', '--json', '-', '--quiet');
  expect(err).not.toContain('INTERNAL');
  const result = resultSchema.parse(JSON.parse(out));
  expect(result.balances).toBe(true);
  expect(result.outcomes.requests.sent).toBe(lab.log.requests - logged);
  const countSent = (name: string): number => result.steps.find((step) => step.name === name)?.requests.sent ?? 0;
  expect(result.steps.map(({ name }) => name)).not.toContain('language');
  expect(result.outcomes.sideCalls?.sent).toBe(responses.asked - asked);
  expect(result.outcomes.sideCalls?.httpError).toBeGreaterThan(0);
  expect(result.outcomes.journeys.abandoned).toBeGreaterThanOrEqual(result.outcomes.sideCalls?.httpError ?? 0);
  expect(result.findings.map(({ id }) => id)).toContain('sideCallsFailed.language');
  const drawn = countSent('statement') + countSent('description');
  expect(drawn).toBeGreaterThan(200);
  expect(Math.abs(countSent('statement') - drawn / 4)).toBeLessThan(5 * Math.sqrt((drawn * 3) / 16) + 10);
  expect(countSent('news')).toBeGreaterThan(10 * 4);
  expect(countSent('login')).toBe(10);
  const statement = result.steps.find(({ name }) => name === 'statement');
  expect(statement?.budget).toEqual({ maxMs: 5_000, within: countSent('statement'), of: countSent('statement'), share: 1 });
  const written = result.criteria.filter(({ isDefault }) => isDefault !== true);
  expect(written.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(['statement passed']);
  const shown = await cli.run('show', 'last', '--full');
  expect(shown.out).toContain('side calls of “language” were made, not included in any figure');
  expect(shown.out).toMatch(/statement +5 s +100 % +[\d,]+/);
});
