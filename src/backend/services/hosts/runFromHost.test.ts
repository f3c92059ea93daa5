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
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunEvent, RunResult } from '#core/result/schema.ts';
import type { SshSurroundings } from '#backend/remote/ssh/surroundings.ts';
import { hasSshServer, startSshServer, type SshServer, type SshServerOptions } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { ensureBuild } from '#tools/launch/build.mjs';

const root = new URL('../../../../', import.meta.url).pathname;

/** How often an agent is killed at a moment of its own; HOLDFAST_KILLS=20 for a thorough run. */
const KILLS = Number(process.env.HOLDFAST_KILLS ?? 2);

/** Of requests: a load that is planned for long is warmed up for. */
const ENDLESS: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, requests: 30_000 }] };

const startSchema = z.object({ startedAt: z.iso.datetime(), errorMs: z.number() });

let target: TestTarget;
let server: SshServer;
let test: TestBackend;

beforeEach(async () => {
  target = await startTarget({ serviceMs: 20 });
});
afterEach(async () => {
  await test?.close();
  await server?.stop();
  await target.close();
});

/** A host called `there`, whose key is known, and a backend that knows it. */
async function there(options: SshServerOptions = {}, ssh: Partial<SshSurroundings> = {}): Promise<void> {
  server = await startSshServer(options);
  const home = temporaryDirectory();
  const known = join(home, 'known');
  writeFileSync(known, server.knownHosts);
  test = await startTestBackend({ ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: known, ...ssh } });
  const host = { name: 'there', address: '127.0.0.1', port: server.port, keyPath: server.clientKey };
  await test.client.call('hosts.add', { host });
}

const start = (changes: Partial<PlanInput> = {}): Promise<{ runId: string }> =>
  test.client.call('runs.start', { plan: planFor(`${target.url}page`, changes), on: ['there'] });

async function run(changes: Partial<PlanInput> = {}): Promise<RunResult> {
  const { runId } = await start(changes);
  await watchToEnd(test.client, runId);
  return test.client.call('runs.result', { runId });
}

/** Starts a load that does not end by itself, and waits for its first windows. */
async function going(changes: Partial<PlanInput> = {}): Promise<{ runId: string; ended: Promise<RunResult> }> {
  const { runId } = await start({ ...changes, load: ENDLESS });
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched = watchToEnd(test.client, runId, ({ points }) => points.length > 0 && resolve());
  await promise;
  return { runId, ended: watched.then(() => test.client.call('runs.result', { runId })) };
}

/** A run that has lost its only agent for this reason keeps what had come, is in order, and proves nothing. */
function expectLost(result: RunResult, why: RegExp): void {
  expect(result).toMatchObject({ run: { state: 'failed', endedBecause: { code: 'failure' } }, balances: true });
  expect(result.run.endedBecause?.text).toMatch(why);
  expect(result.windows.length).toBeGreaterThan(0);
  expect(result.verdict.outcome).not.toBe('holds');
}

const agentFiles = (): string[] => readdirSync(join(server.home, '.cache/holdfast'));

describe.skipIf(!hasSshServer)('a load from a host', () => {
  beforeAll(() => ensureBuild(root), 300_000);

  it.each([
    ['autocannon', { model: 'connections', stages: [{ connections: 3, requests: 200 }] }],
    ['native', { model: 'arrivals', stages: [{ kind: 'count', arrivals: 100, seconds: 1 }] }],
  ] as const)('is run by %s there, and counts what the server counted', async (engine, load) => {
    await there();
    const result = await run({ load: { ...load, stages: [...load.stages] } as PlanInput['load'] });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    expect([result.ledger.requests.sent, result.ledger.requests.ok]).toEqual([target.log.length, target.log.length]);
    expect(result.generators).toMatchObject([
      { name: 'there', engine, nodeVersion: process.version, sharesMachineWithTarget: true, selfTest: null },
    ]);
    const { startedAt, errorMs } = startSchema.parse(result.events.find(({ kind }) => kind === 'clock')?.data);
    // The host has the clock of this machine: its start lies within the run as this machine saw it.
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(result.run.startedAt) - errorMs - 1);
    expect(Date.parse(startedAt)).toBeLessThanOrEqual(Date.parse(result.run.endedAt ?? ''));
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('brings its agent once, gives it to nobody else, and replaces one that was tampered with', async () => {
    await there();
    await run();
    const [name = ''] = agentFiles();
    const path = join(server.home, '.cache/holdfast', name);
    expect(agentFiles()).toEqual([expect.stringMatching(/^holdfast-agent-[0-9a-f]{32}\.mjs$/)]);
    expect([statSync(join(path, '..')).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    const { ino } = statSync(path);
    await run();
    expect(statSync(path).ino).toBe(ino);
    const content = readFileSync(path);
    writeFileSync(path, Buffer.alloc(content.length, 'x'));
    expect((await run()).run.state).toBe('finished');
    expect(readFileSync(path).equals(content)).toBe(true);
    chmodSync(join(path, '..'), 0o770);
    await expect(start()).rejects.toMatchObject({ code: 'HOST_FILES', message: expect.stringContaining('others can write') });
    rmSync(join(path, '..'), { recursive: true });
    mkdirSync(join(server.home, 'elsewhere'));
    symlinkSync(join(server.home, 'elsewhere'), join(path, '..'));
    await expect(start()).rejects.toMatchObject({ code: 'HOST_FILES' });
    unlinkSync(join(path, '..'));
  });

  it('has its secrets in no argument, environment, file or log', async () => {
    await there();
    const secret = 'a-secret-that-nobody-sees';
    const { secret: reference } = await test.client.call('secrets.keep', { value: secret });
    const { runId } = await test.client.call('runs.start', {
      plan: planFor(`${target.url}page`, {
        targets: [{ url: `${target.url}page`, cookie: { secret: reference } }],
        load: { model: 'connections', stages: [{ connections: 1, seconds: 2 }] },
      }),
      on: ['there'],
    });
    const pids = server.pidsOf('holdfast-agent');
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids)
      for (const file of ['cmdline', 'environ']) expect(readFileSync(`/proc/${pid}/${file}`, 'utf8')).not.toContain(secret);
    await watchToEnd(test.client, runId);
    expect(target.log.every(({ cookie }) => cookie === secret)).toBe(true);
    for (const directory of [server.home, test.dataDirectory])
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name)).includes(secret), entry.name).toBe(false);
  });

  it('stops when it is told to, with its books in order', async () => {
    await there();
    const { runId, ended } = await going();
    await test.client.call('runs.stop', { runId });
    const result = await ended;
    expect(result).toMatchObject({ run: { state: 'stopped' }, balances: true });
    expect(result.ledger.requests.sent).toBe(target.log.length);
  });

  it.each(Array.from({ length: KILLS }, (_, turn) => turn))(
    'whose agent is killed ends at once, keeps its windows and balances (%i)',
    async (turn) => {
      await there();
      const { ended } = await going();
      // At another moment of the second each time.
      await new Promise((resolve) => setTimeout(resolve, (turn * 370) % 2_000));
      server.killAll('holdfast-agent');
      const result = await ended;
      expectLost(result, /^The agent on there ended unexpectedly/);
      const { sent } = result.ledger.requests;
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThanOrEqual(target.log.length);
      expect(result.ledger.journeys.planned).toBe(30_000);
      expect(await test.client.call('runs.list', {})).toMatchObject({ runs: [{ state: 'failed' }] });
    },
  );

  it('whose connection breaks off is taken up again, each time, and counts what the server counted', async () => {
    await there();
    const { runId } = await start({ load: ENDLESS });
    const told = (events: readonly RunEvent[], kind: string): number => events.filter((event) => event.kind === kind).length;
    let cuts = 0;
    let backs = 0;
    let seconds = 0;
    await watchToEnd(test.client, runId, ({ points, events }) => {
      backs += told(events, 'connectionBack');
      seconds += points.length;
      if (seconds === 0 || backs < cuts) return;
      seconds = 0;
      cuts += 1;
      // First while something comes over the first connection, then while it comes over the second.
      if (cuts <= 2) server.cut();
      else void test.client.call('runs.stop', { runId });
    });
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'stopped' }, balances: true, generators: [{ lost: null }] });
    expect([told(result.events, 'connectionLost'), told(result.events, 'connectionBack')]).toEqual([2, 2]);
    const { sent, ok } = result.ledger.requests;
    expect(sent).toBeGreaterThan(100);
    expect([sent, ok]).toEqual([target.log.length, target.log.length]);
    expect(result.windows.map(({ second }) => second)).toEqual(result.windows.map((_, index) => index));
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('whose agent ends while its connection is away ends too', async () => {
    await there();
    const { ended } = await going();
    const pids = server.pidsOf('holdfast-agent');
    server.cut();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expectLost(await ended, /It could not be restored: The agent on there ended while it had no connection\./);
  });

  it.each(['first', 'second'] as const)(
    'whose agent says nonsense over its %s connection ends at once, here and there, whatever the time of grace',
    async (which) => {
      await there({ hasNode: false });
      // A Node beside which somebody else writes to the same output, once a file tells so.
      const trigger = join(server.home, 'speak');
      mkdirSync(join(server.home, '.volta/bin'), { recursive: true });
      const speaker = `(while [ ! -e '${trigger}' ]; do sleep 0.05; done; echo; echo nonsense) &`;
      const beside = `case "$1 $2" in *.mjs\\ ${which === 'second' ? 'resume' : ''}) ${speaker} esac`;
      writeFileSync(join(server.home, '.volta/bin/node'), `#!/bin/sh\n${beside}\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
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

  it('whose connection breaks off ends with it where the plan wants that, here and there', async () => {
    await there();
    const { ended } = await going({ graceSeconds: 0 });
    server.cut();
    expectLost(await ended, /^The connection to there was lost/);
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('whose host is gone ends when the time of grace is over, keeps its windows and balances, and so does the load', async () => {
    await there();
    const { ended } = await going({ graceSeconds: 2 });
    await server.stop();
    expectLost(await ended, /^The connection to there was lost.* It could not be restored within 2 s: /);
    const counted = target.log.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(target.log.length).toBe(counted);
  });

  it('whose host falls silent without a word ends, keeps its windows and balances', async () => {
    await there({}, { signEveryMs: 700 });
    const { ended } = await going({ graceSeconds: 0 });
    server.freeze();
    expectLost(await ended, /^The connection to there was lost|^The agent on there has not reported/);
  });

  it('ends on the host when the one who wanted it is gone', async () => {
    await there();
    const { ended } = await going();
    expect(server.pidsOf('holdfast-agent').length).toBeGreaterThan(0);
    await test.backend.close();
    await ended.catch(() => {});
    await expect.poll(() => server.pidsOf('holdfast-agent'), { timeout: 20_000 }).toEqual([]);
  });

  it('without room on the disk there is refused, and leaves nothing behind', async () => {
    await there({ diskBytes: 400_000 });
    await expect(start()).rejects.toMatchObject({ code: 'HOST_DISK_FULL', message: expect.stringContaining('The disk of there is full') });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
  });

  it('without Node there is refused', async () => {
    await there({ hasNode: false });
    await expect(start()).rejects.toMatchObject({ code: 'HOST_NO_NODE', message: expect.stringContaining('there has no Node') });
    expect(existsSync(join(server.home, '.cache'))).toBe(false);
  });

  it('without Node gets one from npm when that is wanted', { timeout: 240_000 }, async () => {
    await there({ hasNode: false });
    const { version, path } = await test.client.call('hosts.installNode', { name: 'there' });
    expect([Number(version.split('.')[0]), path]).toEqual([26, expect.stringMatching(/\/\.cache\/holdfast\/node-[0-9a-f]{32}$/)]);
    expect(await test.client.call('hosts.test', { name: 'there' })).toMatchObject({ node: { version, path, isEnough: true }, notes: [] });
    expect((await run()).generators).toMatchObject([{ name: 'there', nodeVersion: `v${version}` }]);
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
  ])('from a host whose Node says %s is refused', async (_, script, code) => {
    await there({ hasNode: false });
    mkdirSync(join(server.home, '.volta/bin'), { recursive: true });
    const text = `#!/bin/sh\nif [ "$1" = --version ]; then echo v24.0.0; exit; fi\n${script}\n`;
    writeFileSync(join(server.home, '.volta/bin/node'), text, { mode: 0o755 });
    await expect(start()).rejects.toMatchObject({ code });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
  });

  it('that is not in the list is refused', async () => {
    await there();
    await expect(test.client.call('runs.start', { plan: planFor(target.url), on: ['nowhere'] })).rejects.toMatchObject({
      code: 'NO_SUCH_HOST',
    });
    // Another one may start all the same.
    expect((await run()).run.state).toBe('finished');
  });
});
