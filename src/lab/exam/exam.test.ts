import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { RunningLab } from '../lab.ts';
import { readJsonLog } from '../logFile.ts';
import { readLog } from '../readLog.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { Visitor } from '../testing/visitor.ts';
import { examLab } from './lab.ts';
import { listAccounts } from './server.ts';

const startedLabs: RunningLab[] = [];
async function start(givenOptions: GivenOptions = {}): Promise<RunningLab> {
  const lab = await examLab.start({ 'service-ms': 0, 'start-ms': 0, ...givenOptions }, testSurroundings());
  startedLabs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of startedLabs.splice(0)) await lab.stop();
});

const [ada = { username: '', password: '' }, bob = ada] = listAccounts(2);
const PREFLIGHT = '_qf__mod_quiz_form_preflight_check_form';

/** Returns the fields of a page with their values, by name. If there are several radio buttons, the last one counts. */
function fieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input (?=[^>]*type="(?:hidden|radio)")[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  const texts = [...html.matchAll(/<textarea name="([^"]*)"/g)].map(([, name = '']) => [name, 'because'] as const);
  return Object.fromEntries([...inputs.map(([, name = '', value = '']) => [name, value] as const), ...texts]);
}

const reportSchema = z.object({
  people: z.array(z.object({ person: z.string(), state: z.string(), answers: z.number() })),
  answers: z.array(z.object({ person: z.string(), item: z.string(), text: z.string() })),
});
const getStored = async (lab: RunningLab): Promise<z.infer<typeof reportSchema>> =>
  reportSchema.parse(await (await fetch(new URL('stored', lab.urls[0]))).json());

/** A pupil who uses the quiz that imitates Moodle's. */
class Pupil extends Visitor {
  static async at(lab: RunningLab, { username, password } = ada): Promise<Pupil> {
    const pupil = new Pupil(lab.urls[0] ?? '');
    const { logintoken = '' } = fieldsIn(await pupil.read('/login/index.php'));
    const response = await pupil.post('/login/index.php', { username, password, logintoken });
    expect(response.headers.get('location')).toBe('/my/');
    return pupil;
  }

  async read(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  async begin(): Promise<string> {
    const fields = fieldsIn(await this.read('/mod/quiz/view.php?id=7'));
    const response = await this.post('/mod/quiz/startattempt.php', { ...fields, [PREFLIGHT]: '1' });
    return response.headers.get('location') ?? (await response.text());
  }

  /** Submits the form of a page with changed fields, and returns the address to which the response redirects. */
  async answer(page: string, changed: Record<string, string> = {}): Promise<string> {
    const response = await this.post('/mod/quiz/processattempt.php?cmid=7', { ...fieldsIn(page), ...changed });
    return response.headers.get('location') ?? (await response.text());
  }
}

describe('the practice server exam in the style of Moodle', () => {
  it('stores an attempt page by page, and refuses a second one', async () => {
    const lab = await start({ questions: 3 });
    const pupil = await Pupil.at(lab);
    const { sesskey = '', cmid = '' } = fieldsIn(await pupil.read('/mod/quiz/view.php?id=7'));
    expect(await (await pupil.post('/mod/quiz/startattempt.php', { sesskey, cmid })).text()).toContain('Start attempt');
    let address = await pupil.begin();
    expect(await pupil.begin()).toBe(address);
    for (let page = 0; page < 3; page += 1) address = await pupil.answer(await pupil.read(address));
    const summary = await pupil.read(address);
    expect(summary.match(/Answer saved/g)).toHaveLength(3);
    expect(await pupil.answer(summary)).toContain('/mod/quiz/review.php');
    expect(await pupil.read('/mod/quiz/view.php?id=7')).toContain('No more attempts are allowed');
    const { people, answers } = await getStored(lab);
    expect(people).toEqual([{ person: ada.username, state: 'handed in', answers: 3 }]);
    expect(new Set(answers.map(({ item }) => item)).size).toBe(3);
    expect(answers.every(({ item }) => /^q\d+:[123]$/.test(item))).toBe(true);
  });

  it('refuses a form that is out of sequence, and acknowledges an autosave, after which the form is still up to date', async () => {
    const pupil = await Pupil.at(await start());
    const address = await pupil.begin();
    const page = await pupil.read(address);
    const fields = fieldsIn(page);
    const autosave = async (fields: Record<string, string>): Promise<unknown> =>
      (await pupil.post('/mod/quiz/autosave.ajax.php', fields)).json();
    expect(await autosave(fields)).toMatchObject({ status: 'OK' });
    expect(await autosave({ ...fields, sesskey: '' })).toMatchObject({ error: 'You are not logged in.' });
    expect(await pupil.answer(page)).toContain('page=1');
    expect(await pupil.answer(page)).toContain('out of sequence');
    expect(await autosave(fields)).toMatchObject({ error: expect.stringContaining('out of sequence') });
  });

  it('redirects to the login form after a wrong password and without a session', async () => {
    const lab = await start();
    const somebody = new Visitor(lab.urls[0] ?? '');
    const { logintoken = '' } = fieldsIn(await (await somebody.get('/login/index.php')).text());
    const refusedResponse = await somebody.post('/login/index.php', { username: ada.username, password: 'wrong', logintoken });
    expect([refusedResponse.status, refusedResponse.headers.get('location')]).toEqual([303, '/login/index.php?loginredirect=1']);
    expect((await somebody.get('/mod/quiz/view.php?id=7')).headers.get('location')).toBe('/login/index.php');
  });

  it('refuses requests after the time limit', async () => {
    const lab = await start({ 'exam-seconds': 1 });
    const pupil = await Pupil.at(lab);
    const page = await pupil.read(await pupil.begin());
    await expect.poll(async () => (await getStored(lab)).people, { timeout: 10_000 }).toMatchObject([{ state: 'too late' }]);
    expect(await pupil.answer(page)).toContain('/mod/quiz/review.php');
    expect((await getStored(lab)).answers).toEqual([]);
  });
});

describe('the practice server exam in the style of TCExam', () => {
  it('stores an attempt, and shows how many questions are unanswered', async () => {
    const lab = await start({ questions: 2 });
    const somebody = new Visitor(lab.urls[0] ?? '');
    const login = fieldsIn(await (await somebody.get('/public/code/')).text());
    const wrong = await somebody.post('/public/code/index.php', { ...login, xuser_name: ada.username, xuser_password: 'wrong' });
    const again = fieldsIn(await wrong.text());
    await somebody.post('/public/code/index.php', { ...again, xuser_name: ada.username, xuser_password: ada.password });
    const execute = '/public/code/tce_test_execute.php';
    const send = async (page: string, more: Record<string, string>): Promise<Response> =>
      somebody.post(execute, { ...fieldsIn(page), ...more });
    const first = await (await somebody.get(`${execute}?testid=1`)).text();
    const second = await (await send(first, { nextquestion: 'next' })).text();
    expect(fieldsIn(second)['testlogid']).not.toBe(fieldsIn(first)['testlogid']);
    const warned = await (await send(second, { terminatetest: 'terminate', answpos: '', answertext: '' })).text();
    expect(warned).toContain('unanswered questions: 1');
    const end = await (await send(second, { terminatetest: 'terminate' })).text();
    expect(end).not.toContain('unanswered');
    expect((await send(end, { forceterminate: 'terminate' })).headers.get('location')).toBe('/public/code/index.php');
    expect((await somebody.get(`${execute}?testid=1`)).headers.get('location')).toBe('/public/code/index.php');
    expect((await getStored(lab)).people).toEqual([{ person: ada.username, state: 'handed in', answers: 2 }]);
  });
});

describe('the practice server exam', () => {
  it('returns 502 at once while every worker is busy and the backlog is full', async () => {
    const lab = await start({ workers: 1, backlog: 1, 'service-ms': 300 });
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await fetch(new URL('login', lab.urls[0]))).status));
    expect(statuses.toSorted()).toEqual([200, 200, 502, 502]);
    const lines = await readLog(lab.logs['exam'] ?? '');
    expect(lines.filter(({ status, workMs }) => status === 502 && workMs === undefined)).toHaveLength(2);
  });

  it('shows an error of the database, with status 200, while all of its connections are taken', async () => {
    const lab = await start({ pool: 1, 'pool-refuses': true, 'service-ms': 300 });
    const starts = await Promise.all([1, 2, 3].map(() => fetch(new URL('public/code/tce_test_execute.php?testid=1', lab.urls[0]))));
    const pages = await Promise.all(starts.map((response) => response.text()));
    expect(starts.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(pages.filter((page) => page.includes('Too many connections'))).toHaveLength(2);
  });

  it('makes requests with the same login wait for each other', async () => {
    const lab = await start({ workers: 4, 'service-ms': 200 });
    const pupil = await Pupil.at(lab);
    await Promise.all([1, 2, 3].map(() => pupil.read('/my/')));
    const listEnds = async (): Promise<number[]> =>
      (await readLog(lab.logs['exam'] ?? '')).filter(({ path }) => path === '/my/').map(({ endedAtMs }) => endedAtMs);
    await expect.poll(listEnds).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = (await listEnds()).toSorted((one, other) => one - other);
    expect(Math.min(second - first, third - second)).toBeGreaterThan(190);
  });

  it('acknowledges every second answer of a pupil without storing it, and logs which ones', async () => {
    const lab = await start({ questions: 4, 'swallow-one-in': 2 });
    const pupil = await Pupil.at(lab);
    let address = await pupil.begin();
    for (let page = 0; page < 4; page += 1) address = await pupil.answer(await pupil.read(address));
    expect((await getStored(lab)).answers).toHaveLength(2);
    const lines = z.array(z.object({ isStored: z.boolean() })).parse(await readJsonLog(lab.logs['answers'] ?? ''));
    expect(lines.map(({ isStored }) => isStored)).toEqual([true, false, true, false]);
  });

  it('ends a login at every third page, and limits the request rate of each address', async () => {
    const lab = await start({ 'end-login-one-in': 3 });
    const pupil = await Pupil.at(lab, bob);
    const statuses: number[] = [];
    for (let visit = 0; visit < 3; visit += 1) statuses.push((await pupil.get('/my/')).status);
    expect(statuses).toEqual([200, 200, 303]);
    const limitedLab = await start({ 'address-limit': 2 });
    const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(new URL('login', limitedLab.urls[0]))).status));
    expect(answers.toSorted()).toEqual([200, 200, 503]);
  });

  it('reads the questions once for simultaneous starts, and again for later starts', async () => {
    const lab = await start({ 'cold-cache': true, 'cold-ms': 400 });
    const pupils = await Promise.all(listAccounts(3).map((account) => Pupil.at(lab, account)));
    const [last, ...first] = pupils;
    await Promise.all(first.map((pupil) => pupil.begin()));
    await last?.begin();
    const readStarts = async () => (await readLog(lab.logs['exam'] ?? '')).filter(({ path }) => path.includes('startattempt'));
    await expect.poll(async () => (await readStarts()).map(({ ms }) => ms >= 390), { timeout: 10_000 }).toEqual([true, true, false]);
  });

  it('forgets attempts on request', async () => {
    const lab = await start();
    await (await Pupil.at(lab)).begin();
    expect(await (await fetch(`${lab.control}actions/forget-attempts`, { method: 'POST' })).json()).toEqual({ forgotten: 1 });
    expect(await (await fetch(`${lab.control}gauges`)).json()).toMatchObject({ attempts: 0, 'answers stored': 0 });
  });
});
