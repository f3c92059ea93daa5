import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { type Harness, startHarness } from '../testing/harness.ts';

interface Exam {
  readonly url: string;
  /** Users in the order of their submissions. */
  readonly handedIn: string[];
}

async function startExam(spent: readonly string[] = []): Promise<Exam> {
  const handedIn: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('Content-Type', 'text/html');
    const form = new URLSearchParams(await text(request));
    const user = form.get('user') ?? '';
    if (request.method !== 'POST')
      return void response.end(page('<form method="post"><input name="user"><input name="password" type="password"></form>'));
    if (spent.includes(user) || handedIn.includes(user)) return void response.end(page('<p class="error">You have no attempts left.</p>'));
    handedIn.push(user);
    response.end(page('<h1>Handed in</h1>'));
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { handedIn, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/` };
}

const page = (body: string): string => `<!doctype html><html><title>Exam</title><body>${body}</body></html>`;
const accountNames = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `s${String(from + index).padStart(2, '0')}`);

async function writePlan(cli: Harness, url: string, accounts: readonly string[], load: PlanInput['load']): Promise<string> {
  await writeFile(join(cli.directory, 'accounts.csv'), `username,password\n${accounts.map((name) => `${name},pw-${name}\n`).join('')}`);
  const plan: PlanInput = {
    holdfast: 1,
    name: 'exam',
    targets: [{ url }],
    feeds: { account: { file: 'accounts.csv', order: 'once' } },
    journey: [
      { name: 'form', path: 'exam' },
      {
        name: 'hand in',
        path: 'exam',
        method: 'POST',
        form: { user: '{{account.username}}', password: '{{account.password}}' },
        checks: [{ kind: 'page', withoutErrors: true }],
      },
    ],
    criteria: [{ kind: 'errors', step: 'form', maxShare: 0.6 }],
    load,
  };
  const path = join(cli.directory, 'plan.json');
  await writeFile(path, JSON.stringify(plan));
  return path;
}

const arrivals = (count: number): PlanInput['load'] => ({ model: 'arrivals', stages: [{ kind: 'count', arrivals: count, seconds: 1 }] });
const parseResult = (out: string): RunResult => resultSchema.parse(JSON.parse(out));

it('accounts are used only once across tries and runs, and used ones are named', async () => {
  const [cli, exam] = [await startHarness(), await startExam()];
  const plan = await writePlan(cli, exam.url, accountNames(1, 10), arrivals(4));

  const tried = await cli.run('try', plan);
  expect(tried.code, tried.err).toBe(0);
  expect(tried.err).toContain('accounts.csv: 10 of 10 accounts are left.');
  const first = await cli.run('run', plan);
  expect(first.code, first.err + first.out).toBe(0);
  expect(first.err).toContain('accounts.csv: 9 of 10 accounts are left. Spent: s01.');
  const second = await cli.run('run', plan);
  expect(second.code, second.err + second.out).toBe(0);
  expect(second.err).toContain('accounts.csv: 5 of 10 accounts are left. Spent: s01, s02, s03, s04, s05.');
  expect(exam.handedIn.toSorted()).toEqual(accountNames(1, 9));

  const third = await cli.run('run', plan);
  expect(third.code).not.toBe(0);
  expect(third.err).toContain('“account” needs 4 that were never used.');
  expect(third.err).toContain('1 of 10 accounts are left. Spent: s01, s02, s03, s04, s05, s06, s07, s08 and 1 more.');
  expect(exam.handedIn).toHaveLength(9);

  exam.handedIn.length = 0;
  const again = await cli.run('run', plan, '--reuse-rows');
  expect(again.code, again.err).toBe(0);
  expect(again.err).toContain('accounts.csv: 10 of 10 accounts are left.');
  expect(exam.handedIn.toSorted()).toEqual(accountNames(1, 4));
});

it('accounts of a file count as unused at another server', async () => {
  const [cli, first, second] = [await startHarness(), await startExam(), await startExam()];
  await cli.run('run', await writePlan(cli, first.url, accountNames(1, 6), arrivals(4)));
  const elsewhere = await cli.run('run', await writePlan(cli, second.url, accountNames(1, 6), arrivals(4)));
  expect(elsewhere.err).toContain('accounts.csv: 6 of 6 accounts are left.');
  expect([first, second].map(({ handedIn }) => handedIn.toSorted())).toEqual([accountNames(1, 4), accountNames(1, 4)]);
  const back = await cli.run('run', await writePlan(cli, first.url, accountNames(1, 6), arrivals(2)));
  expect(back.err).toContain('accounts.csv: 2 of 6 accounts are left. Spent: s01, s02, s03, s04.');
  expect(first.handedIn.toSorted()).toEqual(accountNames(1, 6));
});

it('accounts that the server rejects as used are named', async () => {
  const [cli, exam] = [await startHarness(), await startExam(['s03', 's07'])];
  const { code, out } = await cli.run('run', await writePlan(cli, exam.url, accountNames(1, 12), arrivals(12)), '--json', '-');
  expect(code).toBe(99);
  const { findings } = parseResult(out);
  expect(findings[0]?.sentence).toBe('2 of 12 accounts were refused at “hand in”: s03, s07. The server says: “You have no attempts left.”');
});

it.each<[string, PlanInput['load']]>([
  [
    'users',
    {
      model: 'users',
      stages: [
        { users: 3, seconds: 20 },
        { users: 3, seconds: 20 },
      ],
    },
  ],
  ['connections', { model: 'connections', stages: [{ connections: 3, seconds: 20 }] }],
])('accounts: the load of %s ends when each account has walked the journey', async (_model, load) => {
  const [cli, exam] = [await startHarness(), await startExam()];
  const began = performance.now();
  const { out } = await cli.run('run', await writePlan(cli, exam.url, accountNames(1, 11), load), '--json', '-');
  expect(exam.handedIn.toSorted()).toEqual(accountNames(1, 11));
  expect(parseResult(out).outcomes).toMatchObject({ requests: { sent: 22, ok: 22 }, journeys: { started: 11, finished: 11 } });
  expect(performance.now() - began).toBeLessThan(15_000);
});
