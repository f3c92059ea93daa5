import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { Totals } from '#core/result/totals.ts';
import { decodeWindow } from '#core/measurement/windowCodec.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { AGENT_PROTOCOL, type FromAgent, type ToAgent } from '#contract/agent/frames.ts';
import { AgentTalk } from './testing/agentTalk.ts';

let server: TestServer;
let talk: AgentTalk;

beforeEach(async () => {
  server = await httpServer((_, response) => setTimeout(() => response.end('hello'), 5));
  talk = new AgentTalk();
});
afterEach(async () => {
  talk.process.kill();
  await server.close();
});

/** A load that does not end by itself during a test. */
const ENDLESS: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, requests: 100_000 }] };

/** A “run” message, with the job as the agent parses it. */
function run(plan: Partial<PlanInput>): ToAgent {
  return { type: 'run', job: JSON.parse(JSON.stringify(buildJob([server.url], plan))) };
}

type MessageOf<Type extends FromAgent['type']> = Extract<FromAgent, { type: Type }>;

function only<Type extends FromAgent['type']>(received: readonly FromAgent[], type: Type): MessageOf<Type>[] {
  return received.filter((message): message is MessageOf<Type> => message.type === type);
}

const makeWindows = (received: readonly FromAgent[]) =>
  only(received, 'window').map(({ bytes }) => decodeWindow(Buffer.from(bytes, 'base64')));

describe('the agent', () => {
  it('greets, runs jobs with exact counts one after the other, stops on request, and uses one clock for all times', async () => {
    expect(await talk.greet()).toMatchObject({ type: 'hello', protocol: AGENT_PROTOCOL, nodeVersion: process.versions.node });
    for (const requests of [500, 7]) {
      const before = server.requests;
      talk.say(run({ threads: 2, load: { model: 'connections', stages: [{ connections: 5, requests }] } }));
      const received = await talk.hearUntil('end');
      expect(received.slice(0, 2)).toMatchObject([{ type: 'started', threads: 2, sharesMachineWithTarget: true }, { type: 'began' }]);
      expect(received.at(-1)).toMatchObject({ end: { reason: 'completed', firstBodyLengths: [5] } });
      const ok = makeWindows(received)
        .flatMap(({ cells }) => cells)
        .reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0);
      expect([ok, server.requests - before]).toEqual([requests, requests]);
    }
    talk.say({ type: 'clock', id: 7 });
    talk.say(run({ load: ENDLESS }));
    const received = await talk.hearUntil('window');
    const [clock] = only(received, 'clock');
    const [began] = only(received, 'began');
    expect(clock?.id).toBe(7);
    // The time of “began” is from the same clock.
    expect((began?.atMs ?? 0) - (clock?.nowMs ?? Infinity)).toBeGreaterThan(0);
    talk.say({ type: 'stop' });
    expect((await talk.hearUntil('end')).at(-1)).toMatchObject({ end: { reason: 'stopped' } });
  });

  it('reports for how long its process was suspended, loses no request, and marks the seconds of the suspension as overloaded', async () => {
    await talk.greet();
    const stages = [{ kind: 'constant' as const, perSecond: 40, seconds: 3.9 }];
    talk.say(run({ threads: 2, load: { model: 'arrivals', stages } }));
    const before = await talk.hearUntil('window');
    talk.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    talk.process.kill('SIGCONT');
    const received = [...before, ...(await talk.hearUntil('end'))];
    const readings = only(received, 'window').map(({ reading }) => reading);
    const stoodStillMs = readings.reduce((sum, reading) => sum + (reading.stoodStillMs ?? 0), 0);
    expect(stoodStillMs).toBeGreaterThan(1_900);
    const marked = readings.filter(({ overloadedBy }) => overloadedBy.includes('standstill'));
    expect(marked.map(({ second }) => second)).toEqual(
      readings.flatMap((reading) => ((reading.stoodStillMs ?? 0) > 0 ? [reading.second] : [])),
    );
    expect(marked.length).toBeGreaterThanOrEqual(2);
    expect(only(received, 'end')[0]?.end.reason).toBe('completed');
    const totals = new Totals();
    for (const window of makeWindows(received)) totals.add(window);
    const { outcomes, balances } = totals.outcomes(buildJob([server.url], { load: { model: 'arrivals', stages } }).plan, true);
    expect([balances, outcomes.requests.sent]).toEqual([true, server.requests]);
  });
});

describe('an agent that has lost its connection', () => {
  /** Starts a load, and waits for its first window. `graceSeconds` in the plan is the time allowed for reconnecting. */
  async function going(plan: Partial<PlanInput>): Promise<{ readonly received: FromAgent[]; readonly door: string | null }> {
    await talk.greet();
    talk.say(run(plan));
    const received = await talk.hearUntil('window');
    return { received, door: only(received, 'started')[0]?.door ?? null };
  }

  it('ends after the grace period, and removes its socket folder', async () => {
    const { door } = await going({ load: ENDLESS, graceSeconds: 0.5 });
    const folder = dirname(door ?? '');
    expect([statSync(folder).mode & 0o777, statSync(door ?? '').isSocket()]).toEqual([0o700, true]);
    const exited = talk.exited();
    talk.drop();
    expect(await exited).toEqual([0, null]);
    expect(existsSync(folder)).toBe(false);
    const counted = server.requests;
    // A reconnect after the agent has ended is rejected.
    await expect(talk.resume(door ?? '')).rejects.toThrow('The agent has ended.');
    expect(await talk.exited()).toEqual([3, null]);
    expect(server.requests).toBe(counted);
  });

  it('keeps its socket file if connecting to it fails for another reason than a missing agent', async () => {
    talk.drop();
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-door-'));
    const door = join(folder, 'door');
    try {
      // A symbolic link to itself exists, but cannot be connected to.
      symlinkSync('door', door);
      await expect(talk.resume(door)).rejects.toThrow('The agent has ended.');
      expect(await talk.exited()).toEqual([1, null]);
      expect(readdirSync(folder)).toEqual(['door']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ends at once after “bye”', async () => {
    const { door } = await going({ load: ENDLESS, graceSeconds: 600 });
    const exited = talk.exited();
    talk.write({ type: 'bye' });
    expect(await exited).toEqual([0, null]);
    expect(existsSync(dirname(door ?? ''))).toBe(false);
  });

  it('sends its missed messages once after a reconnect, and acts on messages that were sent to it in the meantime', async () => {
    const { received, door } = await going({ load: ENDLESS });
    const agent = talk.process;
    for (let turn = 0; turn < 2; turn += 1) {
      talk.drop();
      // This message is sent without a connection, so it must be sent again.
      if (turn === 1) talk.say({ type: 'stop' });
      await talk.resume(door ?? '');
      if (turn === 0) received.push(...(await talk.hearUntil('window')));
    }
    received.push(...(await talk.hearUntil('end')));
    expect(only(received, 'end')[0]?.end.reason).toBe('stopped');
    const windows = makeWindows(received);
    expect(windows.map(({ second }) => second)).toEqual(windows.map((_, index) => index));
    const started = windows.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell.started, 0);
    expect([started, windows.at(-1)?.inFlight]).toEqual([server.requests, 0]);
    talk.write({ type: 'bye' });
    await expect.poll(() => agent.exitCode, { timeout: 10_000 }).toBe(0);
  });
});
