import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { RunningLab } from '../lab.ts';
import { type LoggedRequest, readLog } from '../readLog.ts';
import { whyNot } from '../testing/needs.ts';
import { descendantsOf, filterAlive } from '../testing/processes.ts';
import { ask, sendBurst } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { workersIn } from '../testing/together.ts';
import { Visitor } from '../testing/visitor.ts';
import { ACCOUNTS } from './shared.ts';
import { CONTENT_PATHS, COUNTS } from './content.ts';
import { schoolSiteLab } from './lab.ts';

const reason = await whyNot(await schoolSiteLab.missing(process.env));
const titleWithReason = (what: string): string => (reason === null ? what : `${what}: ${reason}`);
const [ada = { username: '', password: '' }, bob = ada] = ACCOUNTS;
const page = CONTENT_PATHS[3];

const startedLabs: RunningLab[] = [];
async function start(givenOptions: GivenOptions = {}): Promise<RunningLab> {
  const lab = await schoolSiteLab.start({ 'service-ms': 0, 'practice-ms': 0, ...givenOptions }, testSurroundings());
  startedLabs.push(lab);
  return lab;
}
const urlOf = (lab: RunningLab): string => lab.urls[0] ?? '';
const addressOf = (lab: RunningLab, label: string): string => lab.addresses.find((address) => address.label === label)?.url ?? '';

async function logInVisitor(lab: RunningLab, account = ada): Promise<Visitor> {
  const someone = new Visitor(urlOf(lab));
  expect(await someone.logInAtSchool(account.username, account.password)).toContain('You are now logged in');
  return someone;
}

async function waitForLogLines(lab: RunningLab, server: string, path: string, count: number): Promise<LoggedRequest[]> {
  const read = async (): Promise<LoggedRequest[]> => (await readLog(lab.logs[server] ?? '')).filter((line) => line.path === path);
  await expect.poll(read, { timeout: 30_000 }).toHaveLength(count);
  return read();
}

const getCache = async (someone: Visitor, path: string): Promise<string | null> => {
  const answer = await someone.get(path);
  await answer.arrayBuffer();
  return answer.headers.get('x-cache');
};

describe.skipIf(reason !== null)(titleWithReason('the practice server school-site'), () => {
  let lab: RunningLab;
  let pids: number[];
  beforeAll(async () => {
    const before = await descendantsOf(process.pid);
    lab = await start();
    pids = (await descendantsOf(process.pid)).filter((pid) => !before.includes(pid));
  });
  afterAll(() => lab?.stop());

  it("serves the report's 18 pages, 59 links and 99 images, all different and complete", async () => {
    const someone = new Visitor(urlOf(lab));
    const pages = [await (await someone.get('/')).text(), await someone.logInAtSchool(ada.username, ada.password)];
    pages.splice(1, 0, await (await someone.get('/login')).text());
    for (const path of CONTENT_PATHS) pages.push(await (await someone.get(path)).text());
    expect(pages).toHaveLength(COUNTS.pages);
    for (const text of pages.slice(2)) expect(text).toContain(`Logged in as <strong>${ada.username}</strong>`);
    const pathsMatching = (pattern: RegExp): Set<string> =>
      new Set(pages.flatMap((text) => [...text.matchAll(pattern)].map(([, path = '']) => path)));
    const links = pathsMatching(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g);
    const images = pathsMatching(/<img src="([^"]+)"/g);
    expect([links.size, images.size]).toEqual([COUNTS.links, COUNTS.images]);
    for (const path of [...links, ...images]) {
      const { status, headers } = await ask(new URL(path, urlOf(lab)).href);
      expect([path, status, headers['x-cache']]).toEqual([path, 200, 'MISS']);
    }
    expect(Number((await ask(`${urlOf(lab)}++resource++page-1-1.css`)).headers['content-length'])).toBe(31_966);
    await waitForLogLines(lab, 'nginx', page, 1);
    await waitForLogLines(lab, 'site', page, 1);
  });

  it('rejects a wrong password and a form without its token', async () => {
    const someone = new Visitor(urlOf(lab));
    expect(await someone.logInAtSchool(ada.username, 'wrong')).toContain('Login failed');
    expect(someone.cookies.has('__ac')).toBe(false);
    expect((await someone.post('/login_form', { __ac_name: ada.username, __ac_password: ada.password })).status).toBe(403);
    expect((await someone.get('/@@practice/grade-10')).headers.get('location')).toBe('/login?came_from=%2F%40%40practice%2Fgrade-10');
  });

  it('asks questions that the oracle can answer, and rejects wrong answers', async () => {
    const someone = await logInVisitor(lab);
    await (await someone.get('/@@practice/grade-10')).text();
    let question = await (await someone.get('/@@practice/select_chapter/5')).text();
    for (let round = 0; round < 9; round += 1) {
      const seed = /Random seed: <\/b>(\d+)<\/div>/.exec(question)?.[1] ?? '';
      const template = /Template id: <\/b>(\d+)<\/div>/.exec(question)?.[1] ?? '';
      const answers: unknown = await (await fetch(`${addressOf(lab, 'Oracle')}?templateId=${template}&seed=${seed}`)).json();
      const fields: Record<string, string> = {};
      for (const [index, parts] of (answers as string[][]).entries())
        for (const [part, answer] of parts.entries()) fields[`question${index + 1}${'ab'[part]}`] = answer;
      expect(Object.keys(fields)).toEqual([...question.matchAll(/name="(question\d[a-z])"/g)].map(([, name]) => name));
      const wrong = { ...fields, question1a: '0' };
      expect(await (await someone.post('/@@practice/submit_response', wrong)).text()).not.toContain('Correct!');
      expect(await (await someone.post('/@@practice/submit_response', fields)).text()).toContain('Correct!');
      question = await (await someone.post('/@@practice/submit_response', { nextPage: 'Go to next question' })).text();
    }
    expect((await ask(`${addressOf(lab, 'Oracle')}?templateId=x`)).status).toBe(400);
    for (const base of [urlOf(lab), addressOf(lab, 'Practice service without nginx')])
      expect(await ask(`${base}@@practice/monassis_status`)).toMatchObject({ status: 200, body: 'OK' });
    await waitForLogLines(lab, 'practice', '/@@practice/submit_response', 27);
  });

  it('keeps one copy of a page for all users, who each see their own name, until the cache is emptied', async () => {
    const [one, two] = [await logInVisitor(lab), await logInVisitor(lab, bob)];
    expect((await fetch(`${lab.control}actions/empty-cache`, { method: 'POST' })).status).toBe(200);
    expect([await getCache(one, page), await getCache(one, page), await getCache(two, page)]).toEqual(['MISS', 'HIT', 'HIT']);
    const answer = await two.get(page);
    expect(await answer.text()).toContain(`<strong>${bob.username}</strong>`);
    // The age of a cached copy is the current time minus the time when the site created the copy.
    expect(Date.parse(answer.headers.get('date') ?? '')).toBe(Math.floor(Number(answer.headers.get('x-made-at')) / 1_000) * 1_000);
    await waitForLogLines(lab, 'site', page, 2);
    expect((await fetch(`${lab.control}actions/empty-cache`, { method: 'POST' })).status).toBe(200);
    expect([await getCache(one, page), await getCache(one, page)]).toEqual(['MISS', 'HIT']);
    expect((await waitForLogLines(lab, 'nginx', page, 7)).map(({ cache }) => cache)).toEqual([
      'MISS',
      'MISS',
      'HIT',
      'HIT',
      'HIT',
      'MISS',
      'HIT',
    ]);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const directory = dirname(dirname(lab.logs['nginx'] ?? ''));
    expect(filterAlive(pids).length).toBeGreaterThanOrEqual(6);
    await lab.stop();
    expect([filterAlive(pids), existsSync(directory)]).toEqual([[], false]);
    for (const { url } of lab.addresses) expect(await ask(url)).toMatchObject({ status: 0 });
  });
});

describe.skipIf(reason !== null)(titleWithReason('school-site with changed options'), () => {
  afterEach(async () => {
    for (const lab of startedLabs.splice(0)) await lab.stop();
  });

  it('keeps a copy per user, and uses the configured workers and service time', async () => {
    const lab = await start({ cache: 'per-user', workers: 3, 'service-ms': 100 });
    expect((await ask(new URL(page, urlOf(lab)).href)).status).toBe(302);
    const [one, two] = [await logInVisitor(lab), await logInVisitor(lab, bob)];
    expect([await getCache(one, page), await getCache(two, page), await getCache(two, page)]).toEqual(['MISS', 'MISS', 'HIT']);
    await sendBurst(`${urlOf(lab)}?n=9`, 9);
    const { workers, medianMs } = workersIn(await waitForLogLines(lab, 'site', '/?n=9', 9));
    expect([workers, medianMs > 97, medianMs < 200]).toEqual([3, true, true]);
  });

  it('serializes logins, starts with a cold cache, and limits the duration of a login', async () => {
    const lab = await start({ 'login-write-ms': 150, 'cold-cache': true, 'login-seconds': 1 });
    const people = await Promise.all([logInVisitor(lab), logInVisitor(lab, bob), logInVisitor(lab)]);
    const written = (await waitForLogLines(lab, 'site', '/login_form', 3))
      .map(({ ms }) => ms)
      .sort((remaining, right) => remaining - right);
    expect(written[2]).toBeGreaterThan(400);
    expect(await (await fetch(`${lab.control}gauges`)).json()).toEqual({ 'logins written': 3, conflicts: 0, 'correct solutions': 0 });
    const [someone] = people;
    expect([await getCache(someone, page), await getCache(someone, page)]).toEqual(['BYPASS', 'BYPASS']);
    await expect.poll(async () => (await someone.get('/@@practice/grade-10')).status, { timeout: 30_000 }).toBe(302);
  });

  it('commits only one of several simultaneous logins, and the others repeat all their work', async () => {
    const lab = await start({ 'conflict-retries': 1, 'service-ms': 150, 'login-write-ms': 20, workers: 8 });
    const people = Array.from({ length: 4 }, () => new Visitor(urlOf(lab)));
    for (const someone of people) await (await someone.get('/login')).text();
    const loginFields = (someone: Visitor) => ({
      __ac_name: ada.username,
      __ac_password: ada.password,
      _authenticator: someone.cookies.get('_authenticator') ?? '',
    });
    const answers = await Promise.all(people.map((someone) => someone.post('/login_form', loginFields(someone))));
    // In each round of attempts, exactly one login commits.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 500, 500]);
    expect(await (await fetch(`${lab.control}gauges`)).json()).toEqual({ 'logins written': 2, conflicts: 5, 'correct solutions': 0 });
  });

  it('delays both directions behind nginx', async () => {
    const lab = await start({ cache: 'off', 'hop-ms': 120 });
    const directly = addressOf(lab, 'Site without nginx');
    const [near, far] = [await ask(`${directly}?n=near`), await ask(`${urlOf(lab)}?n=far`)];
    expect([near.status, far.status, far.body.length]).toEqual([200, 200, near.body.length]);
    const [line] = await waitForLogLines(lab, 'nginx', '/?n=far', 1);
    expect(line?.ms).toBeGreaterThan(237);
    const [own] = await waitForLogLines(lab, 'site', '/?n=far', 1);
    expect(own?.ms).toBeLessThan(line?.ms ?? 0);
  });
});
