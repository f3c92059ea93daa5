import { expect, it } from 'vitest';
import type { LineToAgent } from '#contract/agent/frames.ts';
import { codeOf } from '#core/base/errors.ts';
import { planWith } from '#core/testing/plans.ts';
import { describeProposal } from '#core/review/proposal.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { JobGate } from './agentRelay.ts';

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
  const agreed = describeProposal(job.plan);
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
    files: { ...agreed, largeFiles: { a: { path: '/etc/passwd', bytes: 1, modifiedMs: 1 } } },
    grace: { ...agreed, plan: { ...plan, graceSeconds: 30 } },
  };
  for (const [what, job] of Object.entries(others)) expect([what, refusal(gateFor(agreed), job)]).toEqual([what, 'OTHER_LOAD']);
});

it('JobGate refuses to measure the network and to take over a connection', () => {
  const gate = gateFor(createJob());
  expect(() => gate.check({ type: 'message', number: 1, message: { type: 'path', url: URL_OF_TARGET } })).toThrow('measure the network');
  expect(() => gate.check({ type: 'resume', protocol: 1, received: 0 })).toThrow('another connection');
});

it('describeProposal returns null for what an invited computer cannot send', () => {
  expect(describeProposal(planWith({ connections: { socketPath: '/run/x.sock' } }))).toBeNull();
});
