import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '#contract/rpc/client.ts';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { PopulateMode } from '#core/plan/schema/populate.ts';
import type { PopulateState } from '#core/work/populate/state.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const ROWS = 60;
const passwordOf = (row: number): string => `pw-${row}-Zx9.secret`;

/** A site with user accounts: `POST /users` creates one and redirects to it, `DELETE /users/ID` removes it. */
class Site {
  readonly users = new Map<string, string>();
  readonly playPopulate = new Set<string>();
  inFlight = 0;
  mostInFlight = 0;
  responseMs = 0;
  private made = 0;
  readonly server: Server = createServer(async (request, response) => {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (this.responseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.responseMs));
    this.inFlight -= 1;
    const [, , id = ''] = (request.url ?? '').split('/');
    const form = new URLSearchParams(body);
    const name = form.get('username') ?? '';
    if (request.method === 'POST') {
      if (this.playPopulate.has(name)) return void response.writeHead(409).end(`${name} with ${form.get('password') ?? ''} is refused`);
      this.made += 1;
      this.users.set(`id${this.made}`, name);
      return void response.writeHead(303, { Location: `/users/id${this.made}` }).end();
    }
    if (request.method === 'DELETE') return void response.writeHead(this.users.delete(id) ? 204 : 404).end();
    response.writeHead(this.users.has(id) ? 200 : 404).end(`This is <b id="${id}">${this.users.get(id) ?? ''}</b>`);
  });
}

describe('populate', () => {
  let site: Site;
  let url = '';
  let folder = '';
  let list = '';
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend({ runsCommands: true });
  });
  afterAll(() => backend.close());
  beforeEach(async () => {
    site = new Site();
    site.server.listen(0, '127.0.0.1');
    await once(site.server, 'listening');
    const address = site.server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
    folder = temporaryDirectory();
    list = join(folder, 'people.csv');
    writeList(ROWS);
  });
  afterEach(() => {
    site.server.closeAllConnections();
    site.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a list with the column names of another system. */
  function writeList(rows: number): void {
    const lines = Array.from({ length: rows }, (_, row) => `user${row},${passwordOf(row)}\n`);
    writeFileSync(list, `Login Name,Passwd\n${lines.join('')}`);
  }

  function getPlan(populate: Partial<NonNullable<PlanInput['populate']>> = {}, changes: Partial<PlanInput> = {}): Plan {
    return planFor(url, {
      feeds: { people: { file: list, order: 'unique' } },
      journey: [{ name: 'page', path: 'users/{{people.username}}' }],
      load: { model: 'users', stages: [{ users: 2, seconds: 1 }] },
      populate: {
        feed: 'people',
        perSecond: 200,
        journey: [
          {
            name: 'make',
            method: 'POST',
            path: 'users',
            form: { username: '{{people.username}}', password: '{{people.password}}' },
            redirects: { follow: true },
            captures: [{ from: 'body', as: 'id', pattern: 'id="(\\w+)"' }],
            checks: [{ kind: 'contains', text: '{{people.username}}' }],
          },
        ],
        remove: [{ name: 'remove', method: 'DELETE', path: 'users/{{created.id}}' }],
        ...populate,
      },
      ...changes,
    });
  }

  const names = (): string[] => [...site.users.values()].toSorted();
  const readRecord = (): string => readFileSync(`${list}.made.jsonl`, 'utf8');

  it('creates each row once, records it without secrets, and removes what it created', async () => {
    const made = await play(backend.client, getPlan());
    expect(made).toMatchObject({ state: 'finished', total: ROWS, before: 0, done: ROWS, failed: 0, left: 0, failures: [] });
    expect(names()).toEqual(Array.from({ length: ROWS }, (_, row) => `user${row}`).toSorted());
    expect(readRecord().trim().split('\n')).toHaveLength(ROWS);
    expect(statSync(made.record).mode & 0o777).toBe(0o600);
    expect(await play(backend.client, getPlan())).toMatchObject({ state: 'finished', before: ROWS, done: 0, left: 0 });
    expect(site.users.size, 'nothing is made twice').toBe(ROWS);

    site.users.set('id0', 'somebody else');
    expect(await play(backend.client, getPlan(), 'remove')).toMatchObject({ state: 'finished', done: ROWS, failed: 0 });
    expect(names()).toEqual(['somebody else']);
    expect(await play(backend.client, getPlan(), 'remove')).toMatchObject({ done: 0, before: ROWS });
    expect(readRecord()).not.toMatch(/pw-\d/);
  });

  it('reports failed rows with reasons, and retries them later', async () => {
    for (const name of ['user3', 'user41']) site.playPopulate.add(name);
    const first = await play(backend.client, getPlan());
    expect(first).toMatchObject({ state: 'finished', done: ROWS - 2, failed: 2, left: 0 });
    expect(first.failures.toSorted((a, b) => a.row - b.row)).toEqual([
      { row: 4, key: 'user3', reason: 'make: status 409' },
      { row: 42, key: 'user41', reason: 'make: status 409' },
    ]);
    site.playPopulate.clear();
    expect(await play(backend.client, getPlan())).toMatchObject({ before: ROWS - 2, done: 2, failed: 0 });
    expect(new Set(names()).size).toBe(ROWS);
    expect(site.users.size).toBe(ROWS);
  });

  it('respects rate and parallelism, and skips no row if the target is slow', async () => {
    site.responseMs = 60;
    const rows = 18;
    writeList(rows);
    const begunMs = performance.now();
    const state = await play(backend.client, getPlan({ perSecond: 100, atOnce: 3 }));
    expect(state).toMatchObject({ state: 'finished', done: rows, failed: 0, left: 0 });
    expect(site.mostInFlight).toBeLessThanOrEqual(3);
    expect(performance.now() - begunMs, 'three at once, two requests of 60 ms each').toBeGreaterThan((rows / 3) * 120 * 0.9);
  });

  it('stops after many failures or on request, reports untried rows, and can continue', async () => {
    for (let row = 0; row < ROWS; row += 1) site.playPopulate.add(`user${row}`);
    const hopeless = await play(backend.client, getPlan({ atOnce: 1 }));
    expect(hopeless).toMatchObject({
      state: 'stopped',
      done: 0,
      stoppedBy: 'holdfast',
      because: expect.stringContaining('20 rows failed'),
    });
    expect(hopeless.left).toBeGreaterThan(0);
    expect(hopeless.failed + hopeless.left).toBe(ROWS);

    site.playPopulate.clear();
    site.responseMs = 20;
    const stopped = await play(backend.client, getPlan({ perSecond: 20 }), 'create', (state, stop) => {
      if (state.done >= 3) stop();
    });
    expect(stopped).toMatchObject({ state: 'stopped', because: 'You stopped it.', stoppedBy: 'user' });
    expect(stopped.left).toBeGreaterThan(0);
    expect(stopped.done + stopped.failed + stopped.left).toBe(ROWS);
    const after = await play(backend.client, getPlan());
    expect(after).toMatchObject({ state: 'finished', before: stopped.done, done: ROWS - stopped.done });
    expect(new Set(names()).size).toBe(ROWS);
  });

  it('creates rows with an agreed command that gets the row in its environment', async () => {
    const line = `echo "$HOLDFAST_ROW_USERNAME" >> ${join(folder, 'made')}; [ "$HOLDFAST_ROW_USERNAME" != user5 ] || { echo "bad $HOLDFAST_ROW_PASSWORD"; exit 3; }`;
    const plan = getPlan({ journey: undefined, command: line, perSecond: 1_000 });
    await expect(play(backend.stranger, plan)).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    const state = await play(backend.client, plan);
    expect(state).toMatchObject({ state: 'finished', done: ROWS - 1, failed: 1 });
    expect(state.failures).toEqual([{ row: 6, key: 'user5', reason: 'It ended with code 3. bad •••' }]);
    expect(new Set(readFileSync(join(folder, 'made'), 'utf8').trim().split('\n')).size).toBe(ROWS);
    const careful = await startTestBackend();
    await expect(play(careful.client, plan)).rejects.toMatchObject({ code: 'COMMANDS_NOT_ALLOWED' });
    await careful.close();
  });

  it('exposes no password in logs, store or messages', async () => {
    for (let row = 0; row < 5; row += 1) site.playPopulate.add(`user${row}`);
    const reported = await play(backend.client, getPlan());
    const preview = await backend.client.call('populate.preview', { plan: getPlan() });
    mkdirSync(backend.dataDirectory, { recursive: true });
    const files = readdirSync(backend.dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
    for (const text of [JSON.stringify(reported), JSON.stringify(preview), readRecord(), stored]) expect(text).not.toMatch(/pw-\d+-Zx9/);
  });

  it('reports before a run that a feed is too short, and how many rows exist', async () => {
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 750, seconds: 1 }] };
    const plan = getPlan({}, { load });
    const preview = await backend.client.call('populate.preview', { plan });
    expect(preview.feeds).toEqual([{ name: 'people', file: list, needed: 750, rows: ROWS, spent: null, areAccounts: true }]);
    expect(preview.problems[0]?.message).toBe(`“people” needs 750 rows, one for each user, and ${list} has 60.`);
    expect(preview.populate).toMatchObject({ total: ROWS, made: 0, removes: true, problem: null });
    const findings = await backend.client.call('checks.machine', { plan, agreed: listAsks({ plan }).map(askKey) });
    expect(findings.find(({ id }) => id === 'feeds')).toMatchObject({ level: 'problem', title: expect.stringContaining('needs 750 rows') });
    expect(await play(backend.client, plan), 'making those that are there is not hindered').toMatchObject({ done: ROWS });
    expect((await backend.client.call('populate.preview', { plan })).populate).toMatchObject({ made: ROWS });
  });

  it('rejects invalid plans before it sends anything', async () => {
    const playPopulate = (plan: Plan, mode?: PopulateMode) => play(backend.client, plan, mode);
    await expect(playPopulate(getPlan({}, { populate: undefined }))).rejects.toMatchObject({ code: 'NOTHING_TO_POPULATE' });
    await expect(playPopulate(getPlan({ remove: undefined }), 'remove')).rejects.toMatchObject({ code: 'NOTHING_TO_POPULATE' });
    await expect(playPopulate(getPlan({ key: 'password' }))).rejects.toMatchObject({ code: 'NO_KEY' });
    await expect(playPopulate(getPlan({}, { feeds: { people: { file: join(folder, 'none.csv') } } }))).rejects.toMatchObject({
      code: 'FEED_UNUSABLE',
    });
    await expect(playPopulate(getPlan({ journey: [{ name: 'x', path: '{{nobody}}' }] }))).rejects.toMatchObject({ code: 'INVALID_PLAN' });
    expect(site.users.size).toBe(0);
  });
});

/** Starts a populate session and follows it to its end. */
async function play(
  client: Client,
  plan: Plan,
  mode: PopulateMode = 'create',
  look: (state: PopulateState, stop: () => void) => void = () => {},
): Promise<PopulateState> {
  const { id } = await client.call('populate.start', { plan, mode });
  const stop = (): void => void client.call('populate.stop', { id });
  return new Promise((resolve, reject) => {
    let last: PopulateState | null = null;
    client.open(
      'populate.watch',
      { id },
      {
        onItem(state) {
          last = state;
          look(state, stop);
        },
        onEnd: (problem) => (problem || last === null ? reject(problem) : resolve(last)),
      },
    );
  });
}
