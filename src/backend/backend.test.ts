import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRow } from '#contract/replies.ts';
import { resultSchema } from '#core/result/schema.ts';
import { startTestBackend, watchToEnd, type TestBackend } from './testing/backend.ts';
import { planFor } from './testing/plans.ts';
import { startTarget, type TestTarget } from './testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

describe('the backend', () => {
  let target: TestTarget;
  let test: TestBackend;
  beforeAll(async () => {
    target = await startTarget({ serviceMs: 2 });
    test = await startTestBackend();
  });
  afterAll(async () => {
    await test.close();
    await target.close();
  });

  const getPage = (): string => new URL('page', target.url).href;
  const timedLoad = (seconds: number) => ({ load: { model: 'connections' as const, stages: [{ name: 'load', connections: 2, seconds }] } });

  it("runs a plan to its end, with the same figures as the target's own log", async () => {
    const before = target.log.length;
    const { runId } = await test.client.call('runs.start', { plan: planFor(getPage()) });
    const items = await watchToEnd(test.client, runId);
    expect(items.at(-1)).toMatchObject({
      run: { state: 'finished', endedBecause: null },
      outcomes: { requests: { sent: 50, ok: 50, inFlight: 0 } },
    });
    const requests = target.log.slice(before);
    expect(requests).toHaveLength(50);
    expect(new Set(requests.map(({ userAgent }) => userAgent))).toEqual(new Set([`Holdfast/0.0.0-test (run ${runId})`]));

    const result = await test.client.call('runs.result', { runId });
    expect(resultSchema.parse(result)).toMatchObject({
      balances: true,
      outcomes: { requests: { sent: 50, ok: 50 } },
      status: { '200': 50 },
    });
    expect(result.generators).toMatchObject([{ sharesMachineWithTarget: true, engine: 'autocannon' }]);
    expect(result.generators[0]?.readings).not.toHaveLength(0);
    expect(result.windows.reduce((sum, point) => sum + point.started, 0)).toBe(50);
    const { runs } = await test.client.call('runs.list', {});
    expect(runs.find(({ id }) => id === runId)).toMatchObject({ requests: 50, outcome: 'measured', state: 'finished', target: getPage() });
  });

  it('shows an ended run as one complete live item', async () => {
    const { runId } = await test.client.call('runs.start', { plan: planFor(getPage()) });
    await watchToEnd(test.client, runId);
    const items = await watchToEnd(test.client, runId);
    expect(items).toMatchObject([{ run: { id: runId, state: 'finished' }, outcomes: { requests: { sent: 50 } } }]);
  });

  it('stops on request, keeps what was measured, and rejects a second run during the first', async () => {
    const before = target.log.length;
    const endless = { load: { model: 'connections' as const, stages: [{ connections: 2, requests: 1_000_000 }] } };
    const { runId } = await test.client.call('runs.start', { plan: planFor(getPage(), endless) });
    await expect(test.client.call('runs.start', { plan: planFor(getPage()) })).rejects.toMatchObject({
      code: 'RUN_GOING',
      data: { runId },
    });
    await expect(test.client.call('runs.remove', { runId })).rejects.toMatchObject({ code: 'RUN_GOING' });
    let stopping: Promise<unknown> | undefined;
    const items = await watchToEnd(test.client, runId, ({ points }) => {
      if (points.length > 0) stopping ??= test.client.call('runs.stop', { runId });
    });
    await stopping;
    expect(items.at(-1)?.run).toMatchObject({ state: 'stopped', endedBecause: { code: 'user' } });
    const { outcomes, balances } = await test.client.call('runs.result', { runId });
    expect(balances).toBe(true);
    expect(outcomes.requests.sent).toBe(target.log.length - before);
    expect(outcomes.requests.sent).toBeGreaterThan(0);
    await test.client.call('runs.stop', { runId });
  });

  it('lists active runs', async () => {
    const seen: RunRow[][] = [];
    const ids: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const close = test.client.open(
        'runs.active',
        {},
        {
          onItem({ runs }) {
            seen.push(runs);
            if (ids.length > 0 && runs.length === 0) {
              close();
              resolve();
            }
          },
          onEnd: reject,
        },
      );
      void test.client.call('runs.start', { plan: planFor(getPage(), timedLoad(1)) }).then(({ runId }) => ids.push(runId), reject);
    });
    expect(seen[0]).toEqual([]);
    expect(seen.some(([run]) => run?.id === ids[0])).toBe(true);
  });

  it('renames, annotates, deletes, restores and exports runs', async () => {
    const { runId } = await test.client.call('runs.start', { plan: planFor(getPage()) });
    await watchToEnd(test.client, runId);
    await test.client.call('runs.rename', { runId, name: 'Friday, before / after' });
    await test.client.call('runs.note', { runId, note: 'with the new disk' });
    expect((await test.client.call('runs.result', { runId })).run).toMatchObject({
      name: 'Friday, before / after',
      note: 'with the new disk',
    });
    expect((await test.client.call('runs.list', { search: 'new disk' })).total).toBe(1);
    for (const [format, start] of [
      ['json', '{'],
      ['csv', ''],
      ['ab', ''],
      ['text', ''],
      ['html', '<!doctype html>'],
      ['markdown', '# Friday, before / after'],
      ['hlog', '#[Logged with Holdfast'],
    ] as const) {
      const file = await test.client.call('runs.export', { runId, format });
      expect(file.fileName).toMatch(/^holdfast-friday-before-after-[\w-]+\.(json|csv|txt|html|md|hlog)$/);
      expect(file.content.startsWith(start)).toBe(true);
      expect(file.content.length).toBeGreaterThan(100);
    }
    await test.client.call('runs.remove', { runId });
    await expect(test.client.call('runs.result', { runId })).rejects.toMatchObject({ code: 'NO_SUCH_RUN' });
    await test.client.call('runs.restore', { runId });
    expect((await test.client.call('runs.points', { runId, maxPoints: 10 })).length).toBeGreaterThan(0);
  });

  it('rejects a plan with all its problems, and a public host to which the user has not agreed', async () => {
    const wrong = planFor(getPage(), {
      load: { model: 'connections', stages: [{ connections: 2, requests: 5, seconds: 5 }, { connections: 2 }] },
    });
    const thrown: unknown = await test.client.call('runs.start', { plan: wrong }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'INVALID_PLAN', data: { issues: [{ level: 'error' }, { level: 'error' }] } });
    await expect(test.stranger.call('runs.start', { plan: planFor('http://contest.example.org/') })).rejects.toMatchObject({
      code: 'AGREEMENT_NEEDED',
      data: { asks: [{ kind: 'host', name: 'contest.example.org', reach: 'public' }] },
    });
    const secretly = planFor(getPage(), { targets: [{ url: getPage(), cookie: { secret: 'env:NO_SUCH_VARIABLE' } }] });
    await expect(test.client.call('runs.start', { plan: secretly })).rejects.toMatchObject({ code: 'SECRETS_MISSING' });
  });

  it('logs in and runs with the session cookie', async () => {
    const { cookie } = await test.client.call('targets.login', { url: target.url, username: 'ada', password: 'lovelace' });
    const url = new URL('members', target.url).href;
    const before = await test.client.call('targets.probe', { target: { url } });
    expect(before.redirect?.looksLikeLogin).toBe(true);
    expect(await test.client.call('targets.probe', { target: { url, cookie } })).toMatchObject({ status: 200, redirect: null });
    const { runId } = await test.client.call('runs.start', { plan: planFor(url, { targets: [{ url, cookie }] }) });
    await watchToEnd(test.client, runId);
    expect((await test.client.call('runs.result', { runId })).outcomes.requests).toMatchObject({ sent: 50, ok: 50 });
  });

  it('returns app info, plans, presets and machine checks', async () => {
    expect(await test.client.call('app.info', {})).toMatchObject({ version: '0.0.0-test', dataDirectory: test.dataDirectory });
    const { plan, issues } = await test.client.call('plans.parse', { source: 'holdfast: 1' });
    expect(plan).toBeNull();
    expect(issues.length).toBeGreaterThan(0);
    expect(await test.client.call('plans.asks', { plan: planFor(getPage()) })).toMatchObject({ open: [] });
    expect(await test.client.call('checks.machine', { plan: planFor(getPage()) })).toHaveLength(20);
    await expect(test.client.call('presets.build', { id: 'none', answers: {}, targets: [] })).rejects.toMatchObject({
      code: 'NO_SUCH_PRESET',
    });
  });

  it('skips an invalid preset and logs it', async () => {
    const presetsDirectory = temporaryDirectory();
    writeFileSync(join(presetsDirectory, 'broken.yaml'), 'holdfastPreset: 1\nid: [');
    const other = await startTestBackend({ presetsDirectory });
    expect(await other.client.call('presets.list', {})).toEqual([]);
    await other.close();
  });
});
