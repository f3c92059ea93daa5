import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { z } from 'zod';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { markStorable } from '#core/plan/hideSecrets.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { CellRun, SeriesResult } from '#core/series/result.ts';
import { seriesSchema, type SeriesDocument } from '#core/plan/schema/series.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';
import { freePort } from '#lab/freePort.ts';
import { BROWSER_VARIABLE } from '#backend/browser/findBrowser.ts';
import { createRedaction } from '#backend/redaction.ts';
import { openStore, type Store } from '#backend/store/store.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { recoverRunGroups } from './runGroupService.ts';
import { RunGroupSession, type RunGroupSessionParts } from './runGroupSession.ts';
import { seriesRecovery } from './seriesService.ts';
import { planRuns, SeriesSteps } from './seriesSteps.ts';

const UNREACHABLE_URL = 'http://127.0.0.1:9/';

describe('a series', () => {
  let target: TestTarget;
  let backend: TestBackend;
  let scratch = '';
  /** A series of two variants with two repeats each, shared by several tests. */
  let whole: SeriesResult;
  beforeAll(async () => {
    target = await startTarget({ serviceMs: 2 });
    backend = await startTestBackend({ runsCommands: true, visitsWithoutLoad: 1 });
    const variants = [{ name: 'page' }, { name: 'other', targets: [{ url: `${target.url}other/` }] }];
    whole = (await play(backend.client, buildDocument({ variants, repeats: 2 }))).result;
  });
  afterAll(async () => {
    await backend.close();
    await target.close();
  });
  beforeEach(() => {
    scratch = temporaryDirectory();
  });

  function buildDocument(series: z.input<typeof seriesSchema>, plan: Partial<PlanInput> = {}): SeriesDocument {
    const quick = { coolDownSeconds: 0, readySeconds: 0, baselineSeconds: 5, ...series };
    return { plan: planFor(target.url, { name: 'Comparison', ...plan }), series: seriesSchema.parse(quick) };
  }
  const file = (name: string): string => join(scratch, name);

  it('runs each cell as a separate run, and shows their results in its table', async () => {
    expect(whole.series).toMatchObject({ state: 'finished', endedBecause: null, name: 'Comparison' });
    expect(whole.rows.map(({ cell, state, values }) => `${cell}: ${state} ${values}`)).toEqual(['page: value 2', 'other: value 2']);
    for (const row of whole.rows) {
      for (const { runId, figures, cell, repeat, rest } of row.runs) {
        const ownResult = await backend.client.call('runs.result', { runId: runId ?? '' });
        expect(ownResult.run.series).toEqual({ id: whole.series.id, name: 'Comparison', cell, repeat });
        expect(ownResult.generators[0]?.engine).toBe(whole.engine.name);
        expect(figures).toMatchObject({
          sent: ownResult.outcomes.requests.sent,
          ok: ownResult.outcomes.requests.ok,
          completedPerSecond: ownResult.rates.completedPerSecond,
          p50: ownResult.latency.response.p50,
          p95: ownResult.latency.response.p95,
          p99: ownResult.latency.response.p99,
          outcome: ownResult.verdict.outcome,
        });
        expect(rest === null || rest.reached !== false, 'connections were closed before the next').toBe(true);
      }
      const rates = row.runs.map(({ figures }) => figures?.completedPerSecond ?? 0);
      expect(row.throughput?.median).toBeCloseTo(((rates[0] ?? 0) + (rates[1] ?? 0)) / 2, 9);
    }
    expect(target.log.filter(({ path }) => path.startsWith('/other')).length, 'the server’s own count').toBe(100);
    const inTime = whole.rows.flatMap(({ runs }) => runs).sort((a, b) => a.position - b.position);
    expect(inTime.map(({ cell, repeat }) => `${cell} ${repeat}`)).toEqual(['page 1', 'other 1', 'other 2', 'page 2']);
    const listed = await backend.client.call('series.list', {});
    expect(listed.series.find(({ id }) => id === whole.series.id)).toMatchObject({ done: 4, planned: 4 });
  });

  it('continues after an unreachable target and an invalid cell, and reports both', async () => {
    const variants = [{ name: 'gone', targets: [{ url: UNREACHABLE_URL }] }, { name: 'there' }];
    const { result } = await play(backend.client, buildDocument({ variants, levels: { connections: [2, 100] } }));
    expect(result.rows.map(({ cell, state }) => `${cell}: ${state}`)).toEqual([
      'gone · 2 connections: refused',
      'gone · 100 connections: refused',
      'there · 2 connections: value',
      'there · 100 connections: refused',
    ]);
    expect(result.rows[0]?.note).toBe('Refused: 127.0.0.1:9 did not accept a connection (ECONNREFUSED).');
    expect(result.rows[3]?.note).toMatch(/^refused: .*100 connections/i);
    expect(result.rows[0]?.runs[0]?.runId).toBeNull();
  });

  it('reports that watched pages are visited before the load', { timeout: 120_000 }, async () => {
    vi.stubEnv(BROWSER_VARIABLE, browserOfWalks());
    onTestFinished(() => void vi.unstubAllEnvs());
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 1 }] };
    const phases = new Set<string>();
    await play(backend.client, buildDocument({ variants: [{ name: 'page' }] }, { load, watchPages: [{ url: '/' }] }), ({ rows }, stop) => {
      const phase = rows[0]?.runs[0]?.phase ?? '';
      phases.add(phase);
      if (phase === 'load') stop();
    });
    expect([...phases].filter((phase) => phase === 'visits' || phase === 'load')).toEqual(['visits', 'load']);
  });

  it('can be stopped, keeps what was measured, and runs the rest when resumed', async () => {
    const variants = [{ name: 'short' }, { name: 'long', targets: [{ url: `${target.url}hang/` }] }, { name: 'last' }];
    const stopAtLoad = ({ rows }: SeriesResult, stop: () => void): void => {
      if (rows[1]?.runs[0]?.phase === 'load') stop();
    };
    // The long time-out keeps the load running until it is stopped.
    const load: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, requests: 4 }] };
    const document = buildDocument({ variants }, { drainSeconds: 0, timeoutSeconds: 1, load });
    const { result: first } = await play(backend.client, document, stopAtLoad);
    expect(first.series).toMatchObject({ state: 'stopped', endedBecause: 'You stopped it.' });
    expect(first.rows.map(({ state }) => state)).toEqual(['value', 'aborted', 'notRun']);
    expect(first.rows[1]?.note).toMatch(/^Aborted after \d+ of 4 requests: You stopped it\.$/);
    expect(first.rows[1]?.runs[0]?.figures).not.toBeNull();
    expect(first.notes).toContain('1 of 3 runs were not made.');

    const { id } = first.series;
    const { seriesId } = await backend.client.call('series.resume', { seriesId: id });
    expect(seriesId).toBe(id);
    const again = await follow(backend.client, id);
    expect(again.series).toMatchObject({ id, state: 'finished', endedBecause: null, startedAt: first.series.startedAt });
    expect(again.rows[0]?.runs, 'what was measured is left alone').toEqual(first.rows[0]?.runs);
    expect(again.rows.map(({ runs }) => runs.length)).toEqual([1, 1, 1]);
    expect(again.rows[2]).toMatchObject({ state: 'value', values: 1 });
    expect(again.rows[1]?.runs[0]?.runId).not.toBe(first.rows[1]?.runs[0]?.runId);
    const cut = await backend.client.call('runs.result', { runId: first.rows[1]?.runs[0]?.runId ?? '' });
    expect(cut.run.endedBecause?.text, 'its measured part stays').toBe('You stopped it.');
    if (again.rows.every(({ state }) => state === 'value'))
      await expect(backend.client.call('series.resume', { seriesId: id })).rejects.toMatchObject({ code: 'NOTHING_LEFT' });
  });

  it('can be deleted after its end, which keeps its runs', async () => {
    const { seriesId } = await backend.client.call('series.start', { document: buildDocument({ repeats: 2 }) });
    await expect(backend.client.call('series.remove', { seriesId })).rejects.toMatchObject({ code: 'SERIES_GOING' });
    const { rows } = await follow(backend.client, seriesId);
    await backend.client.call('series.remove', { seriesId });
    await expect(backend.client.call('series.result', { seriesId })).rejects.toMatchObject({ code: 'NO_SUCH_SERIES' });
    const { series } = await backend.client.call('series.list', {});
    expect([series.some(({ id }) => id === seriesId), series.some(({ id }) => id === whole.series.id)]).toEqual([false, true]);
    const { outcomes } = await backend.client.call('runs.result', { runId: rows[0]?.runs[0]?.runId ?? '' });
    expect(outcomes.requests.ok).toBe(50);
  });

  it('can be combined with another series of the same test into one table', async () => {
    const low = await play(backend.client, buildDocument({ levels: { requests: [20, 30] } }));
    const high = await play(backend.client, buildDocument({ levels: { requests: [30] } }));
    const batches = [low, high].map(({ result }) => ({ seriesId: result.series.id }));
    const mergedResult = await backend.client.call('series.merge', { batches });
    expect(mergedResult.rows.map(({ cell, values }) => [cell, values])).toEqual([
      ['20 requests', 1],
      ['30 requests', 2],
    ]);
    expect(mergedResult.rows[1]?.runs.map(({ repeat }) => repeat)).toEqual([1, 2]);
    expect(mergedResult.notes.slice(0, 2)).toEqual([
      expect.stringMatching(/^Batch 1, s-.*: 2 cells, 2 runs, 50 requests, 50 successful\.$/),
      expect.stringMatching(/^Batch 2, s-.*: 1 cell, 1 run, 30 requests, 30 successful\.$/),
    ]);
    const other = await play(
      backend.client,
      buildDocument({ levels: { requests: [20] } }, { journey: [{ name: 'other', path: 'other' }] }),
    );
    const different = [...batches.slice(1), { seriesId: other.result.series.id }];
    await expect(backend.client.call('series.merge', { batches: different })).rejects.toMatchObject({
      code: 'NOT_ONE_TEST',
      message: expect.stringContaining('journey'),
    });
  });

  it("runs commands around each cell with the cell's name, and stores no secret from commands or plan", async () => {
    const { secret } = await backend.client.call('secrets.keep', { value: 'hunter-2-hunter' });
    const note = `echo "$HOLDFAST_VARIANT $HOLDFAST_REPEAT hunter-2-hunter" | tee -a ${file('notes')}`;
    const plain = [{ url: target.url, cookie: 'login=hunter-2' }];
    const variants = [
      { name: 'a', before: [note], after: [`echo after >> ${file('notes')}`] },
      { name: 'b', targets: plain },
    ];
    const document = buildDocument({ variants }, { targets: [{ url: target.url, cookie: { secret } }] });
    // The error would contain the command without the secret.
    const agreedKeys = listAsks(document).map(askKey);
    const { seriesId } = await backend.client.call('series.start', { document, agreed: agreedKeys });
    const result = await follow(backend.client, seriesId);
    expect(await readFile(file('notes'), 'utf8')).toBe('a 1 hunter-2-hunter\nafter\n');
    const [run] = result.rows[0]?.runs ?? [];
    expect(run?.commands).toMatchObject([
      { when: 'before', exitCode: 0, output: 'a 1 [secret]\n', problem: null },
      { when: 'after', exitCode: 0, problem: null },
    ]);
    expect(result.rows.map(({ state }) => state)).toEqual(['value', 'value']);
    expect(JSON.stringify(result)).not.toContain('hunter-2');
    for (const sent of ['hunter-2-hunter', 'login=hunter-2']) expect(target.log.some(({ cookie }) => cookie === sent)).toBe(true);
    const ownResult = await backend.client.call('runs.result', { runId: run?.runId ?? '' });
    expect(ownResult.events[0]).toMatchObject({ kind: 'command', data: { output: 'a 1 [secret]\n' } });
  });

  it('skips the load of a cell whose command fails or times out, and still runs the commands after it', async () => {
    const slow = { run: 'sleep 60', timeoutSeconds: 0.1 };
    const back = `echo back >> ${file('notes')}`;
    const variants = [{ name: 'fails', before: ['exit 3'] }, { name: 'hangs', before: [slow] }, { name: 'fine' }];
    const before = target.log.length;
    const { result } = await play(backend.client, buildDocument({ variants, after: [back] }));
    expect(result.rows.map(({ state }) => state)).toEqual(['notRun', 'notRun', 'value']);
    expect(result.rows[0]?.note).toBe('Not run: The command “exit 3” failed. It ended with code 3.');
    expect(result.rows[1]?.note).toContain('did not end within 0.1 s');
    expect(target.log.length - before).toBe(50);
    expect(await readFile(file('notes'), 'utf8')).toBe('back\nback\nback\n');
  });

  it('waits until a target that a command starts accepts connections', async () => {
    const port = await freePort();
    const serve = `require('http').createServer((q, r) => r.end('x')).listen(${port}, '127.0.0.1')`;
    await writeFile(file('serve.cjs'), `setTimeout(() => { ${serve} }, 300)`);
    const up = `"${process.execPath}" ${file('serve.cjs')} >/dev/null 2>&1 & echo $! > ${file('pid')}`;
    const down = `kill $(cat ${file('pid')})`;
    const targets = [{ url: `http://127.0.0.1:${port}/` }];
    const document = buildDocument({ repeats: 2, before: [up], after: [down], readySeconds: 20 }, { targets });
    const { result } = await play(backend.client, document);
    expect(result.rows[0]).toMatchObject({ state: 'value', values: 2 });
  });

  it('runs no command without an agreement, and none if commands are not allowed', async () => {
    const document = buildDocument({ repeats: 2, before: [`echo x > ${file('x')}`] });
    await expect(backend.stranger.call('series.start', { document })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    const page = await startTestBackend();
    await expect(page.client.call('series.start', { document })).rejects.toMatchObject({ code: 'COMMANDS_NOT_ALLOWED' });
    await page.close();
    await expect(readFile(file('x'))).rejects.toThrow('ENOENT');
  });

  it('excludes other loads, also between its cells', async () => {
    const document = buildDocument({ repeats: 2, coolDownSeconds: 30 });
    const attempts: string[] = [];
    const tryOtherLoads = (result: SeriesResult, stop: () => void): void => {
      if (result.rows[0]?.runs[0]?.phase !== 'rest' || attempts.length > 0) return;
      attempts.push('');
      const others = [backend.client.call('runs.start', { plan: planFor(target.url) }), backend.client.call('series.start', { document })];
      void Promise.allSettled(others).then((settled) => {
        attempts.splice(0, 1, ...settled.map((one) => (one.status === 'rejected' ? String(one.reason.code) : 'started')));
        stop();
      });
    };
    const { result } = await play(backend.client, document, tryOtherLoads);
    expect(attempts).toEqual(['SERIES_GOING', 'SERIES_GOING']);
    expect(result.rows[0]?.runs.map(({ state }) => state)).toEqual(['value', 'notRun']);
  });

  it('of a dead process reports finished and skipped runs once the results of its runs can be read', async () => {
    const store = openStore(backend.dataDirectory);
    const key = storeInterrupted(store, whole);
    const lostError = new HoldfastError({ code: 'RESULT_THREAD_LOST', message: 'It stopped.', hint: 'Ask again.' });
    const log = { file: '', info: () => {}, warn: () => {}, failure: () => {} };
    const kind = seriesRecovery(store, { read: () => Promise.reject(lostError) });
    await expect(recoverRunGroups(kind, { self: readOwnIdentity(), log, runs: { recover: () => {} } })).rejects.toBe(lostError);
    expect(store.series.runs(key).map(({ state }) => state)).toEqual(['value', 'running', 'waiting', 'waiting']);
    expect(store.series.find('s-dead').head.endedAt).toBeNull();
    store.close();
    const dead = await backend.client.call('series.result', { seriesId: 's-dead' });
    expect(dead.series).toMatchObject({ state: 'interrupted', endedBecause: 'The Holdfast that ran it ended before the series did.' });
    expect(dead.rows.map(({ runs }) => runs.map(({ state, figures }) => [state, figures?.sent ?? 0]))).toEqual([
      [
        ['value', 50],
        ['notRun', 0],
      ],
      [
        ['value', 50],
        ['notRun', 0],
      ],
    ]);
  });

  it('reports a cell whose result could not be read, and reports visits only with watched pages', async () => {
    const document = buildDocument({ repeats: 2 });
    const store = openStore(backend.dataDirectory);
    const head = {
      id: 's-unread',
      name: '',
      startedAt: new Date().toISOString(),
      endedAt: null,
      state: 'running',
      endedBecause: null,
    } as const;
    const runs = planRuns(document);
    const key = store.series.create({ head, document: markStorable(document), runs, owner: readOwnIdentity(), nowMs: Date.now() });
    const lostError = new HoldfastError({ code: 'RESULT_THREAD_LOST', message: 'It stopped.', hint: 'Ask again.' });
    const phases: CellRun['phase'][] = [];
    const table: RunGroupSessionParts<CellRun>['table'] = {
      saveRun(of, run, nowMs) {
        phases.push(run.phase);
        store.series.saveRun(of, run, nowMs);
      },
      end: (...given) => store.series.end(...given),
    };
    const parts = {
      called: 'series',
      table,
      log: { file: '', info: () => {}, warn: () => {}, failure: () => {} },
      redaction: createRedaction(),
      runs: { startGroupRun: () => Promise.resolve({ runId: 'r-1', done: Promise.resolve(), stop: () => {} }) },
      results: { read: () => Promise.reject(lostError) },
      onChange: () => {},
    } as const;
    await new RunGroupSession<CellRun>(parts, key, head, (work) => new SeriesSteps(parts, work, document, runs)).done;
    const seen = store.series.runs(key).map(({ state, runId, reason }) => ({ state, runId, reason }));
    const unread = { state: 'unread', runId: 'r-1', reason: 'It stopped. Ask again.' };
    expect(seen).toEqual([unread, unread]);
    expect(phases).toContain('load');
    expect(phases).not.toContain('visits');
    store.close();
  });

  it('rejects an unknown id', async () => {
    await expect(backend.client.call('series.result', { seriesId: 's-none' })).rejects.toMatchObject({ code: 'NO_SUCH_SERIES' });
  });
});

/** Stores a series of four runs whose process ended during the second run. */
function storeInterrupted(store: Store, result: SeriesResult): number {
  const owner = { pid: 1, startTime: '', bootId: 'another boot', pidNamespace: '' };
  const inTime = result.rows.flatMap(({ runs }) => runs).sort((a, b) => a.position - b.position);
  const runs = inTime.map((run, index): CellRun => {
    if (index === 0) return run;
    if (index === 1) return { ...run, state: 'running', phase: 'load', figures: null };
    return { ...run, state: 'waiting', phase: null, runId: null, figures: null, rest: null };
  });
  const head = { ...result.series, id: 's-dead', endedAt: null, state: 'running' } as const;
  return store.series.create({ head, document: markStorable(result.document), runs, owner, nowMs: 1 });
}

/** Starts a series and follows it to its end; `onItem` gets each state and may stop it. */
async function play(
  client: Client,
  document: SeriesDocument,
  onItem: (result: SeriesResult, stop: () => void) => void = () => {},
): Promise<{ result: SeriesResult }> {
  const { seriesId } = await client.call('series.start', { document });
  return { result: await follow(client, seriesId, onItem) };
}

/** Watches a series to its end. */
async function follow(
  client: Client,
  seriesId: string,
  onItem: (result: SeriesResult, stop: () => void) => void = () => {},
): Promise<SeriesResult> {
  const stop = (): void => void client.call('series.stop', { seriesId });
  await new Promise<void>((resolve, reject) => {
    client.open(
      'series.watch',
      { seriesId },
      { onItem: (item) => onItem(item, stop), onEnd: (problem) => (problem ? reject(problem) : resolve()) },
    );
  });
  return client.call('series.result', { seriesId });
}
