import { z } from 'zod';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calls, streams } from '#contract/api.ts';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { seriesDocumentSchema } from '#core/plan/schema/series.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '../testing/backend.ts';
import { planFor } from '../testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

let test: TestBackend;
let server: Server;
let url: string;
const askedNames: string[] = [];

beforeEach(async () => {
  askedNames.length = 0;
  server = createServer((request, response) => {
    askedNames.push(`${request.url} ${String(request.headers['x-key'])}`);
    response.end('5');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  test = await startTestBackend({ runsCommands: true });
});

afterEach(async () => {
  await test.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Returns a hostile plan that would send a file from this computer to the plan's target. */
function stealingPlan(changes: Partial<PlanInput> = {}): Plan {
  const folder = temporaryDirectory();
  mkdirSync(folder, { recursive: true });
  const key = join(folder, 'id_rsa');
  writeFileSync(key, 'private');
  return planFor(url, {
    targets: [{ url, headers: { 'X-Key': { secret: `file:${key}` } } }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    feeds: { people: { file: join(folder, 'id_rsa') } },
    populate: { feed: 'people', journey: [{ name: 'make', path: '/make' }] },
    ...changes,
  });
}

type Attempt = (plan: Plan, agreedKeys?: string[]) => Promise<unknown>;

/** Calls that send or open something that a plan names. */
const attempts: Readonly<Record<string, Attempt>> = {
  'plans.try': (plan, agreedKeys) => test.stranger.call('plans.try', { plan, agreed: agreedKeys }),
  'targets.probe': (plan, agreedKeys) => test.stranger.call('targets.probe', { target: plan.targets[0] ?? { url }, agreed: agreedKeys }),
  'targets.login': (_plan, agreedKeys) =>
    test.stranger.call('targets.login', { url: 'http://login.example/', username: 'u', password: 'secret', agreed: agreedKeys }),
  'databases.rights': (_plan, agreedKeys) =>
    test.stranger.call('databases.rights', { connection: 'postgres://me:secret@login.example/x', agreed: agreedKeys }),
  'checks.path': (plan, agreedKeys) => test.stranger.call('checks.path', { plan, agreed: agreedKeys }),
  'runs.start': (plan, agreedKeys) => test.stranger.call('runs.start', { plan, agreed: agreedKeys }),
  'series.start': (plan, agreedKeys) =>
    test.stranger.call('series.start', { document: seriesDocumentSchema.parse({ plan, series: { repeats: 2 } }), agreed: agreedKeys }),
  'searches.start': (plan, agreedKeys) =>
    test.stranger.call('searches.start', { document: searchDocumentSchema.parse({ kind: 'characterize', plan }), agreed: agreedKeys }),
  'populate.preview': (plan, agreedKeys) => test.stranger.call('populate.preview', { plan, agreed: agreedKeys }),
  'populate.reuseRows': (plan, agreedKeys) => test.stranger.call('populate.reuseRows', { plan, agreed: agreedKeys }),
  'populate.start': (plan, agreedKeys) => test.stranger.call('populate.start', { plan, agreed: agreedKeys }),
  'sites.crawl': (plan, agreedKeys) =>
    new Promise((resolve, reject) => {
      test.stranger.open(
        'sites.crawl',
        { target: plan.targets[0] ?? { url }, agreed: agreedKeys },
        { onItem() {}, onEnd: (problem) => (problem ? reject(problem) : resolve(null)) },
      );
    }),
};

/** Calls with a plan or a part of one that have no effect before the user has agreed, each with the reason. */
const CALLS_WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'plans.asks': 'reads the plan',
  'presets.build': 'makes a plan',
  'runs.importK6': 'stores the plan beside what was measured',
  'checks.machine': 'leaves out what touches targets and files: see below',
  'checks.apply': 'as checks.machine',
  'invites.open': 'describes the plan to people who join; runs.start, which needs consent, starts the load',
};

describe('requireAgreements', () => {
  it('checks every call that takes a plan or a part of one', () => {
    const withPlan = [...Object.entries(calls), ...Object.entries(streams)].flatMap(([name, { input }]) =>
      takesPlan(input) ? [name] : [],
    );
    expect(withPlan.length).toBeGreaterThan(10);
    expect(withPlan.filter((name) => !Object.hasOwn(attempts, name) && !Object.hasOwn(CALLS_WITHOUT_EFFECT, name))).toEqual([]);
  });

  it.each(Object.keys(attempts))('rejects %s before the user has agreed', async (name) => {
    await expect(attempts[name]?.(stealingPlan())).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    expect(askedNames).toEqual([]);
    expect((await test.client.call('runs.list', {})).total).toBe(0);
  });

  it('resumes a series only if the user has agreed', async () => {
    const document = seriesDocumentSchema.parse({
      plan: stealingPlan({ feeds: undefined, populate: undefined }),
      series: { repeats: 2, coolDownSeconds: 30 },
    });
    const agreedKeys = listAsks(document).map(askKey);
    const { seriesId } = await test.stranger.call('series.start', { document, agreed: agreedKeys });
    await test.stranger.call('series.stop', { seriesId });
    await expect.poll(async () => (await test.stranger.call('series.result', { seriesId })).series.endedAt).not.toBeNull();
    // An agreement was stored. If the stored document then differs, a new agreement is needed.
    const { series, ...rest } = document;
    const other = seriesDocumentSchema.parse({ ...rest, series: { ...series, before: ['true'] } });
    await expect(test.stranger.call('series.start', { document: other })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
  });

  it('accesses neither the target nor any file during a machine check', async () => {
    const plan = stealingPlan({ connections: { reuse: 'never' } });
    const findings = await test.stranger.call('checks.machine', { plan, asksTarget: true });
    expect(findings.find(({ id }) => id === 'targetReachable')?.title).toBe('A target was not tried');
    expect(findings.find(({ id }) => id === 'feeds')).toBeUndefined();
    expect(askedNames).toEqual([]);
  });

  it('asks for each item once per plan, over all calls, and again for a changed plan', async () => {
    const plan = stealingPlan({ feeds: undefined, populate: undefined });
    const keys = listAsks({ plan }).map(askKey);
    const [host = '', file = ''] = keys;
    await expect(test.stranger.call('plans.try', { plan, agreed: [host] })).rejects.toMatchObject({
      code: 'AGREEMENT_NEEDED',
      data: { asks: [expect.objectContaining({ kind: 'file', name: file.slice('file:'.length) })] },
    });
    expect(await test.stranger.call('plans.asks', { plan })).toMatchObject({
      asks: [{ kind: 'host' }, { kind: 'file' }],
      open: [{ kind: 'file' }],
    });
    expect(await test.stranger.call('plans.try', { plan, agreed: keys })).toMatchObject({ isGood: true });
    expect(await test.stranger.call('plans.asks', { plan })).toMatchObject({ open: [] });
    const { runId } = await test.stranger.call('runs.start', { plan });
    await watchToEnd(test.stranger, runId);
    expect(askedNames).toEqual(['/ private', '/ private']);
    const changed = { ...plan, targets: [{ ...plan.targets[0], url: `${url}elsewhere`, headers: plan.targets[0]?.headers ?? {} }] };
    await expect(test.stranger.call('runs.start', { plan: changed })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
  });

  it('asks again if the value of a header or a token has changed, but not if the same value is stored under another reference', async () => {
    const host = 'http://shop.example/';
    const withHeader = (value: string | { secret: string }, cookie?: string | { secret: string }): Plan =>
      planFor(host, {
        targets: [{ url: host, headers: { 'X-HTTP-Method-Override': value }, ...(cookie === undefined ? {} : { cookie }) }],
      });
    const { secret: read } = await test.stranger.call('secrets.keep', { value: 'GET' });
    const { secret: readAgain } = await test.stranger.call('secrets.keep', { value: 'GET' });
    const { secret: remove } = await test.stranger.call('secrets.keep', { value: 'DELETE' });
    const countOpenAsks = async (plan: Plan): Promise<number> => (await test.stranger.call('plans.asks', { plan })).open.length;
    // The agreement is stored even though the host cannot be reached.
    await test.stranger.call('plans.try', { plan: withHeader('GET'), agreed: ['host:shop.example'] }).catch(() => {});
    expect([
      await countOpenAsks(withHeader('GET')),
      await countOpenAsks(withHeader({ secret: read })),
      await countOpenAsks(withHeader({ secret: readAgain })),
    ]).toEqual([0, 0, 0]);
    expect([
      await countOpenAsks(withHeader('DELETE')),
      await countOpenAsks(withHeader({ secret: remove })),
      await countOpenAsks(withHeader('GET', 'sid=1')),
    ]).toEqual([1, 1, 1]);
  });

  it('ignores consent that a plan contains', async () => {
    const source = JSON.stringify({ ...planFor('http://shop.example/'), safety: { consentedHosts: ['shop.example'] } });
    const { plan, issues } = await test.stranger.call('plans.parse', { source });
    expect(issues).toContainEqual(expect.objectContaining({ level: 'warning', code: 'CONSENT_IN_FILE' }));
    if (plan === null) throw new Error('it should have been read');
    await expect(test.stranger.call('runs.start', { plan })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
  });

  it('protects targets behind a Unix socket, through which a plan could create containers', async () => {
    const plan = planFor('http://docker/containers/create', { connections: { socketPath: '/var/run/docker.sock' } });
    await expect(test.stranger.call('runs.start', { plan, agreed: ['host:docker'] })).rejects.toMatchObject({
      data: { asks: [{ kind: 'socket', name: '/var/run/docker.sock' }] },
    });
  });

  it('protects connections to monitors and databases', async () => {
    const monitors: PlanInput['monitors'] = [
      { kind: 'redis', address: '10.0.0.7:6379', password: { secret: 'file:/home/me/.ssh/id_rsa' } },
    ];
    await expect(test.stranger.call('runs.start', { plan: planFor(url, { monitors }) })).rejects.toMatchObject({
      data: { asks: [{ kind: 'host', name: '10.0.0.7' }, { kind: 'file' }] },
    });
    const stored: PlanInput['stored'] = [{ name: 'rows', step: 'page', sql: 'SELECT 1', connection: 'postgres://u@db.example/x' }];
    await expect(test.stranger.call('runs.start', { plan: planFor(url, { stored }) })).rejects.toMatchObject({
      data: {
        asks: [
          { kind: 'host', name: 'db.example' },
          { kind: 'query', name: 'SELECT 1' },
        ],
      },
    });
  });

  it('asks for the hosts that generate load', async () => {
    await expect(test.stranger.call('runs.start', { plan: planFor(url), on: ['here', 'load1'] })).rejects.toMatchObject({
      data: { asks: [{ kind: 'ssh', name: 'load1' }] },
    });
  });
});

/** Returns whether the input of a call has a plan, a document with a plan, a target, or connection options. */
function takesPlan(input: z.ZodType): boolean {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  return ['plan', 'document', 'target', 'targets', 'tls', 'connections'].some((name) => names.includes(name));
}
