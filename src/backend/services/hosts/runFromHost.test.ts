import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunEvent, RunResult } from '#core/result/schema.ts';
import { type HostsBackend, startHostsBackend } from '#backend/remote/testing/hostsBackend.ts';
import { startNodeRegistry } from '#backend/remote/testing/nodeRegistry.ts';
import { hasSshServer, startSshServer, type SshServer, type SshServerOptions } from '#backend/remote/testing/sshServer.ts';
import { watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { ensureBuild } from '#tools/launch/build.mjs';

const root = new URL('../../../../', import.meta.url).pathname;

/** Number of times that an agent is killed at different moments; HOLDFAST_KILLS=20 for a thorough test. */
const KILLS = Number(process.env.HOLDFAST_KILLS ?? 1);

/** A load that does not end by itself. It is limited by requests, because a load with a long planned duration would include a warm-up. */
const ENDLESS: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, requests: 30_000 }] };

const startSchema = z.object({ startedAt: z.iso.datetime(), errorMs: z.number() });

let target: TestTarget;
/** The host named `there`. */
let server: SshServer;
let test: HostsBackend;

beforeEach(async () => {
  target = await startTarget({ serviceMs: 20 });
});
afterEach(() => target.close());

/** Shares one host among all tests of a block. */
function sharedHost(options: SshServerOptions = {}): void {
  beforeAll(async () => {
    server = await startSshServer(options);
    test = await startHostsBackend();
    await test.know('there', server);
  });
  afterAll(async () => {
    await test?.close();
    await server?.stop();
  });
}

/** Starts a host and a backend for a single test that stops one of them. */
async function ownHost(options: SshServerOptions = {}, signEveryMs?: number): Promise<void> {
  const ownSshServer = await startSshServer(options);
  onTestFinished(() => ownSshServer.stop());
  const backend = await startHostsBackend(signEveryMs === undefined ? {} : { ssh: { signEveryMs } });
  onTestFinished(() => backend.close());
  await backend.know('there', ownSshServer);
  [server, test] = [ownSshServer, backend];
}

const start = (changes: Partial<PlanInput> = {}): Promise<{ runId: string }> =>
  test.client.call('runs.start', { plan: planFor(`${target.url}page`, changes), on: ['there'] });

async function run(changes: Partial<PlanInput> = {}): Promise<RunResult> {
  const { runId } = await start(changes);
  await watchToEnd(test.client, runId);
  return test.client.call('runs.result', { runId });
}

/** Starts a load that does not end by itself, and waits for its first windows. */
async function startLongRun(changes: Partial<PlanInput> = {}): Promise<{ runId: string; ended: Promise<RunResult> }> {
  const { runId } = await start({ ...changes, load: ENDLESS });
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched = watchToEnd(test.client, runId, ({ points }) => points.length > 0 && resolve());
  await promise;
  return { runId, ended: watched.then(() => test.client.call('runs.result', { runId })) };
}

/** Asserts that a run whose only agent was lost keeps its data, that its request outcomes add up, and that it reaches no verdict. */
function expectLost(result: RunResult, why: RegExp): void {
  expect(result).toMatchObject({ run: { state: 'failed', endedBecause: { code: 'failure' } }, balances: true });
  expect(result.run.endedBecause?.text).toMatch(why);
  expect(result.windows.length).toBeGreaterThan(0);
  expect(result.verdict.outcome).not.toBe('passed');
}

const agentFolder = (): string => join(server.home, '.cache/holdfast');

describe.skipIf(!hasSshServer)('a load from a host', () => {
  beforeAll(() => ensureBuild(root), 300_000);
  sharedHost();

  it('rejects a host that is not in the list', async () => {
    await expect(test.client.call('runs.start', { plan: planFor(target.url), on: ['nowhere'] })).rejects.toMatchObject({
      code: 'NO_SUCH_HOST',
    });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
  });

  it('counts what the server counted with both engines, copies its agent once with private access, and replaces a modified one', async () => {
    const loads = {
      autocannon: { model: 'connections', stages: [{ connections: 3, requests: 200 }] },
      native: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 100, seconds: 1 }] },
    } satisfies Record<string, PlanInput['load']>;
    const inodes = new Set<number>();
    for (const [engine, load] of Object.entries(loads)) {
      const before = target.log.length;
      const result = await run({ load });
      expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
      const counted = target.log.length - before;
      expect([result.outcomes.requests.sent, result.outcomes.requests.ok]).toEqual([counted, counted]);
      expect(result.generators).toMatchObject([
        { name: 'there', engine, nodeVersion: process.version, sharesMachineWithTarget: true, selfTest: null },
      ]);
      const { startedAt, errorMs } = startSchema.parse(result.events.find(({ kind }) => kind === 'clock')?.data);
      // The host has the same clock as this machine, so its start lies within the run.
      expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(result.run.startedAt) - errorMs - 1);
      expect(Date.parse(startedAt)).toBeLessThanOrEqual(Date.parse(result.run.endedAt ?? ''));
      const files = readdirSync(agentFolder());
      expect(files).toEqual([expect.stringMatching(/^holdfast-agent-[0-9a-f]{32}\.mjs$/)]);
      const { mode, ino } = statSync(join(agentFolder(), files[0] ?? ''));
      expect([statSync(agentFolder()).mode & 0o777, mode & 0o777]).toEqual([0o700, 0o600]);
      inodes.add(ino);
    }
    expect(inodes.size).toBe(1);
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);

    const [name = ''] = readdirSync(agentFolder());
    const path = join(agentFolder(), name);
    const content = readFileSync(path);
    writeFileSync(path, Buffer.alloc(content.length, 'x'));
    expect((await run()).run.state).toBe('finished');
    expect(readFileSync(path).equals(content)).toBe(true);
    chmodSync(agentFolder(), 0o770);
    await expect(start()).rejects.toMatchObject({ code: 'HOST_FILES', message: expect.stringContaining('others can write') });
    rmSync(agentFolder(), { recursive: true });
    mkdirSync(join(server.home, 'elsewhere'));
    symlinkSync(join(server.home, 'elsewhere'), agentFolder());
    await expect(start()).rejects.toMatchObject({ code: 'HOST_FILES' });
    unlinkSync(agentFolder());
  });

  it('exposes no secrets in arguments, environment, files or logs, and balances after a stop', async () => {
    const secret = 'a-secret-that-nobody-sees';
    const { secret: reference } = await test.client.call('secrets.keep', { value: secret });
    const { runId, ended } = await startLongRun({ targets: [{ url: `${target.url}page`, cookie: { secret: reference } }] });
    const pids = server.pidsOf('holdfast-agent');
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids)
      for (const file of ['cmdline', 'environ']) expect(readFileSync(`/proc/${pid}/${file}`, 'utf8')).not.toContain(secret);
    await test.client.call('runs.stop', { runId });
    const result = await ended;
    expect(result).toMatchObject({ run: { state: 'stopped' }, balances: true });
    expect(result.outcomes.requests.sent).toBe(target.log.length);
    expect(target.log.every(({ cookie }) => cookie === secret)).toBe(true);
    for (const directory of [server.home, test.dataDirectory])
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name)).includes(secret), entry.name).toBe(false);
  });

  it.each(Array.from({ length: KILLS }, (_, turn) => turn))(
    'ends at once when its agent is killed, keeps its windows and balances (%i)',
    async (turn) => {
      const { runId, ended } = await startLongRun();
      // Kills the agent at a different moment of the second each time.
      await new Promise((resolve) => setTimeout(resolve, (turn * 370) % 2_000));
      server.killAll('holdfast-agent');
      const result = await ended;
      expectLost(result, /^The agent on there ended unexpectedly/);
      const { sent } = result.outcomes.requests;
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThanOrEqual(target.log.length);
      expect(result.outcomes.journeys.planned).toBe(30_000);
      const { runs } = await test.client.call('runs.list', {});
      expect(runs.find(({ id }) => id === runId)).toMatchObject({ state: 'failed' });
    },
  );

  it('resumes after each broken connection and counts what the server counted', async () => {
    const { runId } = await start({ load: ENDLESS });
    const countEvents = (events: readonly RunEvent[], kind: string): number => events.filter((event) => event.kind === kind).length;
    let cuts = 0;
    let backs = 0;
    let seconds = 0;
    await watchToEnd(test.client, runId, ({ points, events }) => {
      backs += countEvents(events, 'connectionBack');
      seconds += points.length;
      if (seconds === 0 || backs < cuts) return;
      seconds = 0;
      cuts += 1;
      // The first cut happens during the first connection, the second during the second connection.
      if (cuts <= 2) server.cut();
      else void test.client.call('runs.stop', { runId });
    });
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'stopped' }, balances: true, generators: [{ lost: null }] });
    expect([countEvents(result.events, 'connectionLost'), countEvents(result.events, 'connectionBack')]).toEqual([2, 2]);
    const { sent, ok } = result.outcomes.requests;
    expect(sent).toBeGreaterThan(100);
    expect([sent, ok]).toEqual([target.log.length, target.log.length]);
    expect(result.windows.map(({ second }) => second)).toEqual(result.windows.map((_, index) => index));
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('ends when its agent ends while the connection is lost', async () => {
    const { ended } = await startLongRun();
    const pids = server.pidsOf('holdfast-agent');
    server.cut();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expectLost(await ended, /It could not be restored: The agent on there ended while it had no connection\./);
  });

  it('ends on both sides when its connection breaks, if the plan sets no grace period', async () => {
    const { ended } = await startLongRun({ graceSeconds: 0 });
    server.cut();
    expectLost(await ended, /^The connection to there was lost/);
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });
});

describe.skipIf(!hasSshServer)('a load from a host that is lost', () => {
  it('ends after the grace period on both sides, keeps its windows, and balances', async () => {
    await ownHost();
    const { ended } = await startLongRun({ graceSeconds: 1 });
    await server.stop();
    expectLost(await ended, /^The connection to there was lost.* It could not be restored within 1 s: /);
    const counted = target.log.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(target.log.length).toBe(counted);
  });

  it('ends when the host falls silent, keeps its windows and balances', async () => {
    await ownHost({}, 700);
    const { ended } = await startLongRun({ graceSeconds: 0 });
    server.freeze();
    expectLost(await ended, /^The connection to there was lost|^The agent on there has not reported/);
  });

  it('ends on the host when the local process has ended', async () => {
    await ownHost();
    const { ended } = await startLongRun();
    expect(server.pidsOf('holdfast-agent').length).toBeGreaterThan(0);
    await test.backend.close();
    await ended.catch(() => {});
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('is refused if the host has no disk space, and leaves nothing behind', async () => {
    await ownHost({ diskBytes: 400_000 });
    await expect(start()).rejects.toMatchObject({ code: 'HOST_DISK_FULL', message: expect.stringContaining('The disk of there is full') });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
  });
});

describe.skipIf(!hasSshServer)('a load from a host without Node', () => {
  sharedHost({ hasNode: false });
  afterEach(() => rmSync(join(server.home, '.volta'), { recursive: true, force: true }));

  /** Puts a fake Node where a version manager would install it. */
  function putNode(script: string): void {
    mkdirSync(join(server.home, '.volta/bin'), { recursive: true });
    writeFileSync(join(server.home, '.volta/bin/node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  it('is rejected', async () => {
    await expect(start()).rejects.toMatchObject({ code: 'HOST_NO_NODE', message: expect.stringContaining('there has no Node') });
    expect(existsSync(join(server.home, '.cache'))).toBe(false);
  });

  it.each([
    ['garbage', 'echo "not a frame"', 'AGENT_GARBLED'],
    ['a line without end', 'exec tr -d "\\n" < /dev/zero', 'AGENT_GARBLED'],
    [
      'another version',
      `echo '{"type":"hello","protocol":99,"nodeVersion":"","platform":"","release":"","hostname":"","cores":1,"memoryBytes":1}'; sleep 5`,
      'AGENT_VERSION',
    ],
    ['nothing and ends', 'echo oops >&2; exit 3', 'AGENT_LOST'],
  ])('is rejected if its Node prints %s', async (_, script, code) => {
    putNode(`if [ "$1" = --version ]; then echo v24.0.0; exit; fi\n${script}`);
    await expect(start()).rejects.toMatchObject({ code });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
  });

  it.each(['first', 'second'] as const)(
    'ends at once, on both sides, when its agent sends nonsense over its %s connection, whatever the grace period',
    async (which) => {
      // Writes to the agent's output from another process, once a trigger file exists.
      const trigger = join(server.home, `speak-${which}`);
      const speaker = `(while [ ! -e '${trigger}' ]; do sleep 0.05; done; echo; echo nonsense) &`;
      const beside = `case "$1 $2" in *.mjs\\ ${which === 'second' ? 'resume' : ''}) ${speaker} esac`;
      putNode(`${beside}\nexec '${process.execPath}' "$@"`);
      const { runId } = await start({ load: ENDLESS, graceSeconds: 600 });
      let hasCut = false;
      await watchToEnd(test.client, runId, ({ points, events }) => {
        const isBack = events.some(({ kind }) => kind === 'connectionBack');
        if (isBack || (which === 'first' && points.length > 0)) writeFileSync(trigger, '');
        else if (points.length > 0 && !hasCut) {
          hasCut = true;
          server.cut();
        }
      });
      expectLost(await test.client.call('runs.result', { runId }), /^there sent something that no agent sends/);
      await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 10_000 }).toEqual([]);
    },
  );

  it('installs Node from npm on request, and starts with it', { timeout: 120_000 }, async () => {
    const registry = await startNodeRegistry('26.9.9');
    onTestFinished(() => registry.close());
    for (const [variable, value] of Object.entries(registry.environment)) vi.stubEnv(variable, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { version, path } = await test.client.call('hosts.installNode', { name: 'there' });
    expect([version, path]).toEqual([registry.version, expect.stringMatching(/\/\.cache\/holdfast\/node-[0-9a-f]{32}$/)]);
    expect(await test.client.call('hosts.test', { name: 'there' })).toMatchObject({ node: { version, path, isEnough: true }, notes: [] });
    expect((await run()).generators).toMatchObject([{ name: 'there', nodeVersion: process.version }]);
  });
});
