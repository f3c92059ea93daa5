import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeWindow } from '#core/stats/windowCodec.ts';
import { jobOf } from '#engine/testing/runLoad.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { fromAgentSchema, type FromAgent } from '#contract/agent/frames.ts';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));
let server: TestServer;
let agent: ChildProcessByStdio<Writable, Readable, null>;
let answers: AsyncIterator<string>;

beforeEach(async () => {
  server = await httpServer((_, response) => response.end('hello'));
  agent = spawn(process.execPath, [entry], { stdio: ['pipe', 'pipe', 'inherit'] });
  answers = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
});
afterEach(async () => {
  agent.kill();
  await server.close();
});

function say(frame: unknown): void {
  agent.stdin.write(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`);
}

async function hear(): Promise<FromAgent> {
  const { value, done } = await answers.next();
  if (done === true) throw new Error('The agent has ended.');
  return fromAgentSchema.parse(JSON.parse(value));
}

async function hearUntil(type: FromAgent['type']): Promise<FromAgent[]> {
  const heard = [await hear()];
  while (heard.at(-1)?.type !== type) heard.push(await hear());
  return heard;
}

describe('the agent', () => {
  it('greets, runs a job exactly, and is ready for the next', async () => {
    say({ type: 'hello', protocol: 4 });
    expect(await hear()).toMatchObject({ type: 'hello', protocol: 4, nodeVersion: process.versions.node });
    for (const requests of [500, 7]) {
      const before = server.requests;
      const stages = [{ connections: 5, requests }];
      say({ type: 'run', job: jobOf([server.url], { threads: 2, load: { model: 'connections', stages } }) });
      const heard = await hearUntil('end');
      expect(heard.slice(0, 2)).toMatchObject([{ type: 'started', threads: 2, sharesMachineWithTarget: true }, { type: 'began' }]);
      expect(heard.at(-1)).toMatchObject({ end: { reason: 'completed', firstBodyLengths: [5] } });
      const windows = heard.flatMap((frame) => (frame.type === 'window' ? [decodeWindow(Buffer.from(frame.bytes, 'base64'))] : []));
      const ok = windows.flatMap(({ cells }) => cells).reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0);
      expect([ok, server.requests - before]).toEqual([requests, requests]);
    }
  });

  it('stops when it is told to', async () => {
    say({ type: 'hello', protocol: 4 });
    say({ type: 'run', job: jobOf([server.url], { load: { model: 'connections', stages: [{ connections: 2, seconds: 600 }] } }) });
    await hearUntil('window');
    say({ type: 'stop' });
    expect((await hearUntil('end')).at(-1)).toMatchObject({ end: { reason: 'stopped' } });
  });

  it('ends with its standard input, and its load with it', async () => {
    say({ type: 'hello', protocol: 4 });
    say({ type: 'run', job: jobOf([server.url], { load: { model: 'connections', stages: [{ connections: 2, seconds: 600 }] } }) });
    await hearUntil('window');
    const exited = once(agent, 'exit');
    agent.stdin.end();
    expect(await exited).toEqual([0, null]);
  });

  it('ends when it hears nothing for as long as was agreed, and gives signs of life until then', async () => {
    const exited = once(agent, 'exit');
    say({ type: 'hello', protocol: 4, silenceSeconds: 0.5 });
    expect((await hearUntil('alive')).length).toBeGreaterThan(1);
    say({ type: 'alive' });
    expect(await exited).toEqual([0, null]);
  });

  it('tells the time by one clock, which began is told by too', async () => {
    say({ type: 'hello', protocol: 4 });
    say({ type: 'clock', id: 7 });
    say({ type: 'run', job: jobOf([server.url], { load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] } }) });
    const heard = await hearUntil('end');
    const clock = heard.find((frame) => frame.type === 'clock');
    const began = heard.find((frame) => frame.type === 'began');
    expect(clock?.id).toBe(7);
    expect((began?.atMs ?? 0) - (clock?.nowMs ?? Infinity)).toBeGreaterThan(0);
  });

  it.each([
    ['what is no JSON', 'hello?', 'BAD_FRAME'],
    ['what it does not know', { type: 'dance' }, 'BAD_FRAME'],
    ['another protocol', { type: 'hello', protocol: 99 }, 'OTHER_PROTOCOL'],
    ['a job before the greeting', { type: 'stop' }, 'NOT_GREETED'],
  ])('refuses %s and lives on', async (_, frame, code) => {
    say(frame);
    expect(await hear()).toMatchObject({ type: 'refused', problem: { code } });
    say({ type: 'hello', protocol: 4 });
    expect(await hear()).toMatchObject({ type: 'hello' });
  });

  it('runs one job at a time', async () => {
    const job = jobOf([server.url], { load: { model: 'connections', stages: [{ connections: 1, seconds: 600 }] } });
    say({ type: 'hello', protocol: 4 });
    say({ type: 'run', job });
    say({ type: 'run', job });
    expect((await hearUntil('refused')).at(-1)).toMatchObject({ problem: { code: 'AGENT_BUSY' } });
  });
});
