import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { seriesDocumentSchema } from '#core/plan/schema/series.ts';
import { type SearchDocument, searchDocumentSchema } from '#core/search/result.ts';
import { type HostsBackend, startHostsBackend } from '#backend/remote/testing/hostsBackend.ts';
import { hasSshServer, type SshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { ensureBuild } from '#tools/launch/build.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
/** Number of times that an agent is killed at different moments; HOLDFAST_KILLS=20 for a thorough test. */
const KILLS = Number(process.env.HOLDFAST_KILLS ?? 1);

let target: TestTarget;
let servers: readonly SshServer[];
let test: HostsBackend;
/** The last live snapshot of the last run. */
let lastItem: LiveSnapshot | undefined;

describe.skipIf(!hasSshServer)('a load from several hosts', { timeout: 60_000 }, () => {
  beforeAll(() => ensureBuild(root), 300_000);

  beforeAll(async () => {
    servers = [await startSshServer(), await startSshServer()];
    test = await startHostsBackend();
    for (const [index, server] of servers.entries()) await test.know(['one', 'two'][index] ?? '', server);
  });
  afterAll(async () => {
    await test?.close();
    for (const server of servers ?? []) await server.stop();
  });
  beforeEach(async () => {
    target = await startTarget({ serviceMs: 5 });
  });
  afterEach(() => target.close());

  const start = (on: string[], changes: Partial<PlanInput>): Promise<{ runId: string }> =>
    test.client.call('runs.start', { plan: planFor(`${target.url}page`, changes), on });

  async function run(on: string[], changes: Partial<PlanInput>): Promise<RunResult> {
    const { runId } = await start(on, changes);
    const lives = await watchToEnd(test.client, runId);
    lastItem = lives.at(-1);
    return test.client.call('runs.result', { runId });
  }

  /** Starts a load and waits for its first second. */
  async function startLoad(changes: Partial<PlanInput>): Promise<{ ended: Promise<RunResult> }> {
    const { runId } = await start(['one', 'two'], changes);
    const { promise, resolve } = Promise.withResolvers<void>();
    const watched = watchToEnd(test.client, runId, ({ points }) => points.length > 0 && resolve());
    await promise;
    return { ended: watched.then(() => test.client.call('runs.result', { runId })) };
  }

  it.each([
    [
      'autocannon',
      {
        model: 'connections',
        stages: [
          { connections: 7, requests: 200 },
          { connections: 3, requests: 101 },
        ],
      },
      301,
    ],
    ['native', { model: 'arrivals', stages: [{ kind: 'count', arrivals: 100, seconds: 1 }] }, 100],
  ] as const)('with %s equals the load of one generator, and counts what the server counted', async (engine, load, planned) => {
    const result = await run(['one', 'here', 'two'], { load: { ...load, stages: [...load.stages] } as PlanInput['load'] });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    const { sent, ok } = result.outcomes.requests;
    expect([sent, ok]).toEqual([target.log.length, target.log.length]);
    expect(sent).toBe(planned);
    const names = result.generators.map(({ name, engine: used, lost }) => [name, used, lost]);
    expect(names).toEqual([
      ['one', engine, null],
      ['this computer', engine, null],
      ['two', engine, null],
    ]);
    // Each generator sent its part, and the parts add up to the whole.
    const parts = result.generators.map(({ figures }) => figures?.sent ?? 0);
    expect(parts.every((part) => part > planned / 4)).toBe(true);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(planned);
    // Live figures show each generator, and their sum is the number of sent requests.
    expect(lastItem?.generators.map(({ name, figures }) => [name, figures?.sent])).toEqual(
      result.generators.map(({ name, figures }) => [name, figures?.sent]),
    );
    for (const { figures } of result.generators)
      expect(figures?.points.reduce((sum, { completed }) => sum + completed, 0)).toBe(figures?.sent);
    for (const { threads } of result.generators) expect(threads).toBe(result.generators[0]?.threads);
    expect(result.events.filter(({ kind }) => kind === 'clock')).toHaveLength(2);
  });

  it.each(Array.from({ length: KILLS }, (_, turn) => turn))(
    'continues when an agent is killed, reports that, keeps its windows and balances (%i)',
    async (turn) => {
      const { ended } = await startLoad({ load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 60, seconds: 3 }] } });
      // Kills the agent at a different moment each time.
      await new Promise((resolve) => setTimeout(resolve, (turn * 373) % 1_500));
      servers[1]?.killAll('holdfast-agent');
      const result = await ended;
      expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
      const [one, two] = result.generators;
      expect(one?.lost).toBeNull();
      expect(two?.lost?.text).toMatch(/^The agent on two ended unexpectedly/);
      expect(result.outcomes.journeys.planned).toBe(180);
      const { sent } = result.outcomes.requests;
      // The result has all requests of the first generator and those that the second had reported. These are no more than the server saw.
      expect(sent).toBeGreaterThan(90);
      expect(sent).toBeLessThanOrEqual(target.log.length);
      expect(result.outcomes.journeys.started + result.outcomes.journeys.notStarted.stopped).toBe(180);
      expect(result.verdict.outcome).not.toBe('passed');
      expect(result.verdict.reasons.find(({ code }) => code === 'generator.lost')?.text).toContain('two');
    },
  );

  it('runs a series with each cell on its own generators', async () => {
    const document = seriesDocumentSchema.parse({
      plan: planFor(`${target.url}page`),
      series: { variants: [{ name: 'near' }, { name: 'far', on: ['two', 'one'] }], on: ['one'], coolDownSeconds: 0 },
    });
    const { seriesId } = await test.client.call('series.start', { document });
    await new Promise<void>((resolve, reject) =>
      test.client.open('series.watch', { seriesId }, { onItem() {}, onEnd: (problem) => (problem ? reject(problem) : resolve()) }),
    );
    const { rows, series } = await test.client.call('series.result', { seriesId });
    expect(series.state).toBe('finished');
    const places = await Promise.all(
      rows.map(async ({ cell, runs }) => {
        const result = await test.client.call('runs.result', { runId: runs[0]?.runId ?? '' });
        return [cell, runs[0]?.state, result.generators.map(({ name }) => name)];
      }),
    );
    expect(places).toEqual([
      ['near', 'value', ['one']],
      ['far', 'value', ['two', 'one']],
    ]);
    expect(target.log).toHaveLength(100);
    // A host that cannot be reached is reported before the first cell, and no series is stored.
    const elsewhere = { ...document, series: { ...document.series, on: ['nowhere'] } };
    await expect(test.client.call('series.start', { document: elsewhere })).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    expect((await test.client.call('series.list', {})).total).toBe(1);
  });

  it('runs a search in which each run uses as many generators as it has parts for', { timeout: 180_000 }, async () => {
    const settings = { from: 1, to: 2, secondsEach: 1, coolDownSeconds: 0, baselineSeconds: 0, warmUpSeconds: 0 };
    const search = (on: string[]): SearchDocument =>
      searchDocumentSchema.parse({
        kind: 'breakingPoint',
        plan: planFor(`${target.url}page`, { load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] } }),
        settings,
        on,
      });
    const { searchId } = await test.client.call('searches.start', { document: search(['two', 'one']) });
    await new Promise<void>((resolve, reject) =>
      test.client.open('searches.watch', { searchId }, { onItem() {}, onEnd: (problem) => (problem ? reject(problem) : resolve()) }),
    );
    const { conclusion, runs, document } = await test.client.call('searches.result', { searchId });
    expect(conclusion).toMatchObject({ sustained: 2, breakingPoint: null });
    expect(document.on).toEqual(['two', 'one']);
    const made = await Promise.all(
      runs.map(async ({ level, runId }) => {
        const { generators } = await test.client.call('runs.result', { runId: runId ?? '' });
        return [level, generators.map(({ name }) => name)];
      }),
    );
    expect(made).toEqual([
      // The first run sends a single request, from one generator.
      [null, ['two']],
      [1, ['two']],
      [2, ['two', 'one']],
    ]);
    expect(
      runs.reduce((sum, { requests }) => sum + requests, 0),
      'the server’s own count',
    ).toBe(target.log.length);
    // A host that cannot be reached is reported before the first run, and no search is stored.
    await expect(test.client.call('searches.start', { document: search(['nowhere']) })).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    await expect(test.client.call('searches.start', { document: search(['one', 'ONE']) })).rejects.toMatchObject({ code: 'PLACE_TWICE' });
    expect((await test.client.call('searches.list', {})).total).toBe(1);
  });

  it('stops when an agent is killed, if the plan says so', async () => {
    const { ended } = await startLoad({
      onLostGenerator: 'stop',
      // Limited by requests, because a load with a long planned duration would include a warm-up.
      load: { model: 'connections', stages: [{ connections: 2, requests: 100_000 }] },
    });
    servers[1]?.killAll('holdfast-agent');
    const result = await ended;
    expect(result).toMatchObject({ run: { state: 'failed' }, balances: true });
    expect(result.run.endedBecause?.text).toMatch(/^The agent on two ended unexpectedly/);
    expect(result.outcomes.requests.sent).toBeLessThanOrEqual(target.log.length);
  });
});
