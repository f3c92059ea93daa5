import { expect, it } from 'vitest';
import type { LineToAgent } from '#contract/agent/frames.ts';
import { codeOf } from '#core/base/errors.ts';
import { planWith } from '#core/testing/plans.ts';
import { describeProposal } from '#core/review/proposal.ts';
import { jobDigest } from '#engine/jobDigest.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { JobGate } from './jobGate.ts';

const URL_OF_TARGET = 'http://shop.example/page';

type Job = Extract<Extract<LineToAgent, { type: 'message' }>['message'], { type: 'run' }>['job'];

function createJob(changes: Parameters<typeof buildJob>[1] = {}): Job {
  return JSON.parse(
    JSON.stringify(
      buildJob([URL_OF_TARGET], {
        graceSeconds: 0,
        load: { model: 'connections', stages: [{ connections: 2, requests: 50 }] },
        ...changes,
      }),
    ),
  );
}

function gateFor(job: Job): JobGate {
  const agreed = describeProposal(job.plan, { ...job, digest: jobDigest(job) });
  if (agreed === null) throw new Error('the plan cannot be proposed');
  return new JobGate(agreed);
}

/** Returns the code of the refusal, or null. */
function refusal(gate: JobGate, job: Job): string | null {
  try {
    gate.check({ type: 'message', number: 1, message: { type: 'run', job } });
    return null;
  } catch (thrown) {
    return codeOf(thrown);
  }
}

it('JobGate lets the agreed job through once', () => {
  const job = createJob();
  const gate = gateFor(job);
  for (const line of [{ type: 'hello', protocol: 1 }, { type: 'alive' }, { type: 'bye' }] as const) gate.check(line);
  expect(refusal(gate, job)).toBeNull();
  expect(gate.job).toBe(job);
  expect(refusal(gate, job)).toBe('OTHER_LOAD');
});

it('JobGate refuses every other job', () => {
  const agreed = createJob();
  const { plan } = agreed;
  const others: Readonly<Record<string, Job>> = {
    moreLoad: createJob({ load: { model: 'connections', stages: [{ connections: 999, requests: 50 }] } }),
    otherPath: createJob({ journey: [{ name: 'page', path: '/admin' }] }),
    otherMethod: createJob({ journey: [{ name: 'page', method: 'DELETE' }] }),
    otherPlanTarget: { ...agreed, plan: { ...plan, targets: plan.targets.map((one) => ({ ...one, url: 'http://bank.example/' })) } },
    otherTarget: { ...agreed, targets: [{ url: 'http://bank.example/page', headers: {} }] },
    moreTargets: { ...agreed, targets: [...agreed.targets, { url: 'http://bank.example/page', headers: {} }] },
    pinned: { ...agreed, plan: { ...plan, connections: { ...plan.connections, resolve: ['shop.example:80:10.0.0.1'] } } },
    socket: { ...agreed, plan: { ...plan, connections: { ...plan.connections, socketPath: '/var/run/docker.sock' } } },
    query: createJob({ journey: [{ name: 'page', query: { all: 'yes' } }] }),
    queryInPath: createJob({ journey: [{ name: 'page', path: '?all=yes' }] }),
    header: createJob({ journey: [{ name: 'page', headers: { Accept: 'text/csv' } }] }),
    targetHeader: createJob({ targets: [{ url: URL_OF_TARGET, headers: { Accept: 'text/csv' } }] }),
    body: createJob({ journey: [{ name: 'page', method: 'POST', body: 'delete everything' }] }),
    redirects: createJob({ journey: [{ name: 'page', redirects: { follow: true } }] }),
    secret: { ...agreed, secrets: { token: 'another' } },
    feed: { ...agreed, feeds: { accounts: { columns: ['name'], rows: [['root']], order: 'random' } } },
    sentFile: { ...agreed, files: { 'a.txt': 'QUJD' } },
    resolvedBody: { ...agreed, steps: [{ headers: {}, body: 'delete everything' }] },
    resolvedHeader: { ...agreed, steps: [{ headers: { Accept: 'text/csv' }, body: null }] },
    userAgent: { ...agreed, userAgent: `<script>${agreed.runId}` },
    files: { ...agreed, largeFiles: { a: { path: '/etc/passwd', bytes: 1, modifiedMs: 1 } } },
    grace: { ...agreed, plan: { ...plan, graceSeconds: 30 } },
  };
  for (const [what, job] of Object.entries(others)) expect([what, refusal(gateFor(agreed), job)]).toEqual([what, 'OTHER_LOAD']);
});

it('JobGate refuses a job whose resolved parts contradict the plan that was shown, even if the digest was made of them', () => {
  const job = createJob();
  const liars: Readonly<Record<string, Job>> = {
    target: { ...job, targets: [{ url: 'http://bank.example/page', headers: {} }] },
    header: { ...job, targets: [{ url: URL_OF_TARGET, headers: { Cookie: 'a=b' } }] },
    body: { ...job, steps: [{ headers: {}, body: 'delete everything' }] },
    stepHeader: { ...job, steps: [{ headers: { Accept: 'text/csv' }, body: null }] },
    userAgent: { ...job, userAgent: `Mozilla ${job.runId}` },
    run: { ...job, runId: '<script>', userAgent: 'Holdfast/1 (run <script>)' },
  };
  for (const [what, liar] of Object.entries(liars)) expect([what, refusal(gateFor(liar), liar)]).toEqual([what, 'OTHER_LOAD']);
  const honest = { ...job, userAgent: `Holdfast/1.2.3 (run ${job.runId})` };
  expect(refusal(gateFor({ ...honest, runId: '', userAgent: 'Holdfast/1.2.3 (run )' }), honest)).toBeNull();
});

it('a proposal shows what a plan sends, without its secrets', () => {
  const { plan } = createJob({
    targets: [{ url: URL_OF_TARGET, headers: { 'X-Key': { secret: 'env:KEY' }, Accept: 'text/html' } }],
    journey: [
      { name: 'search', path: '/search?q=shoes&token=s3cr3t-t0ken', query: { page: '2' } },
      { name: 'log in', method: 'POST', path: '/login', form: { user: 'ann', password: 'hunter2-hunter2' } },
      { name: 'order', method: 'POST', path: '/order', json: { item: 7 } },
    ],
  });
  const feeds = { accounts: { columns: ['user', 'password'], rows: [['ann', 'hunter2-hunter2']], order: 'random' as const } };
  const proposal = describeProposal(plan, { feeds, files: { 'a.txt': 'QUJD' }, digest: 'd' });
  expect(proposal?.steps).toEqual(['GET /search?q=shoes&token=•••', 'POST /login', 'POST /order']);
  expect(proposal?.contents).toEqual([
    'every request, header X-Key: •••',
    'every request, header Accept: text/html',
    'search, query: page=2',
    'log in, form: user=ann&password=•••',
    'order, body: {"item":7}',
  ]);
  expect(proposal?.data).toEqual(['accounts: 1 row of user, password', 'file a.txt: 3 B']);
  expect(JSON.stringify(proposal)).not.toMatch(/hunter2|s3cr3t|env:KEY/);
});

it('JobGate refuses to measure the network and to take over a connection', () => {
  const gate = gateFor(createJob());
  expect(() => gate.check({ type: 'message', number: 1, message: { type: 'path', url: URL_OF_TARGET } })).toThrow('measure the network');
  expect(() => gate.check({ type: 'resume', protocol: 1, received: 0 })).toThrow('another connection');
});

it('describeProposal returns null for what an invited computer cannot send', () => {
  expect(describeProposal(planWith({ connections: { socketPath: '/run/x.sock' } }), { feeds: {}, files: {}, digest: '' })).toBeNull();
});
