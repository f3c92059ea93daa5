import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planOfRecording } from '#core/import/har/importHar.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { ACCOUNTS } from '#lab/school-site/shared.ts';
import type { ExamReport } from '#lab/school-site/exam.ts';
import { startPractice } from '#lab/school-site/practice.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createSecrets } from '../secrets.ts';
import { walkOnce } from '../tries/tryService.ts';
import { finishRecordingFrom } from './finishRecording.ts';

const MARK = '{{holdfast-password-1}}';
const BASE = '/@@practice/exam';

let practice: Awaited<ReturnType<typeof startPractice>>;
let url = '';
beforeEach(async () => {
  practice = await startPractice({
    log: join(temporaryDirectory(), 'practice.log'),
    secret: randomBytes(32).toString('base64url'),
    values: { 'practice-ms': 0 },
  });
  url = String(practice.facts['url']).replace(/\/$/, '');
});
afterEach(() => practice.close());

const parts = {
  usedRows: null,
  secrets: createSecrets({ environment: {}, onKnown() {} }),
  workerEntry: new URL('../../../../workers/loadWorker.ts', import.meta.url),
  version: 'test',
};

async function report(): Promise<ExamReport> {
  const reply: ExamReport = await (await fetch(`${url}${BASE}/report`)).json();
  return reply;
}

/** Simulates a user with a browser, and records HAR entries. */
class Person {
  readonly entries: object[] = [];
  page = '';
  address = '';
  private cookie = '';
  private seconds = 0;

  async open(path: string, form?: Readonly<Record<string, string>>): Promise<void> {
    let [method, next, body] = [form === undefined ? 'GET' : 'POST', `${url}${path}`, form];
    for (;;) {
      const text = body === undefined ? undefined : new URLSearchParams(body).toString();
      const type = 'application/x-www-form-urlencoded';
      const headers = { ...(this.cookie === '' ? {} : { Cookie: this.cookie }), ...(text === undefined ? {} : { 'Content-Type': type }) };
      const reply = await fetch(next, { method, headers, redirect: 'manual', ...(text === undefined ? {} : { body: text }) });
      this.cookie = reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? this.cookie;
      this.page = await reply.text();
      this.address = next;
      const recorded = text?.replace(encodeURIComponent(ACCOUNTS[0]?.password ?? ''), encodeURIComponent(MARK));
      this.entries.push({
        startedDateTime: new Date((this.seconds += 1) * 1_000).toISOString(),
        time: 5,
        _resourceType: 'document',
        request: {
          method,
          url: next,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(recorded === undefined ? {} : { postData: { mimeType: type, text: recorded } }),
        },
        response: {
          status: reply.status,
          headers: [...reply.headers].map(([name, value]) => ({ name, value })),
          content: { mimeType: reply.headers.get('content-type') ?? '', text: this.page },
        },
      });
      const location = reply.headers.get('location');
      if (location === null) return;
      [method, next, body] = ['GET', new URL(location, next).href, undefined];
    }
  }

  async logIn(): Promise<void> {
    await this.open(`${BASE}/login`);
    await this.open(`${BASE}/login`, { username: ACCOUNTS[0]?.username ?? '', password: ACCOUNTS[0]?.password ?? '' });
  }

  /** Returns the hidden fields of the current page. */
  hidden(): Record<string, string> {
    return Object.fromEntries(
      [...this.page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
  }
}

interface TakenExam {
  /** For each step in plan order, its failure; “not sent” if it was not sent, and null if it succeeded. */
  readonly failures: readonly (string | null)[];
  /** Answers to exam questions that the server stored during the walk. */
  readonly stored: ExamReport['stored'];
  readonly edits: number;
}

/** Walks the plan once per row, one walk after the other. */
async function takeExams(plan: Plan, rows: readonly number[]): Promise<TakenExam[]> {
  const takenExams: TakenExam[] = [];
  for (const row of rows) {
    const before = await report();
    const { samples } = await walkOnce(plan, parts, 'whole', { rowOf: () => row });
    const failures = plan.journey.map(({ name }) => {
      const ownSamples = samples.filter(({ request }) => request === name || request.startsWith(`${name} ›`));
      return ownSamples.length === 0 ? 'not sent' : (ownSamples.find(({ failure }) => failure !== null)?.failure ?? null);
    });
    const after = await report();
    const isNew = (one: ExamReport['stored'][number]): boolean =>
      !before.stored.some(({ user, question }) => one.user === user && one.question === question);
    takenExams.push({ failures, stored: after.stored.filter(isNew), edits: after.edits - before.edits });
  }
  return takenExams;
}

function accountsFile(accounts: readonly { username: string; password: string }[] = ACCOUNTS): string {
  const file = join(temporaryDirectory(), 'pupils.csv');
  writeFileSync(file, ['username,password', ...accounts.map(({ username, password }) => `${username},${password}`)].join('\n'));
  return file;
}

async function planOfPerson(person: Person): Promise<Plan> {
  const [own = { username: '', password: '' }] = ACCOUNTS;
  const account = { number: 1, userField: 'username', userName: own.username, password: own.password };
  const recording = planOfRecording(
    { log: { entries: person.entries } },
    { accounts: [account], accountsFile: accountsFile(ACCOUNTS.slice(1, 40)), pauses: 'none' },
  );
  const result = await finishRecordingFrom({ recording, accounts: [account], others: [] }, parts);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  return result.finished.plan;
}

it(
  'recording of an exam with shuffled questions: the server stores every answer that Holdfast counts as successful',
  { timeout: 300_000 },
  async () => {
    const person = new Person();
    await person.logIn();
    await person.open(`${BASE}/start`, {});
    for (let page = 0; page < 3; page += 1) {
      const choice = /name="([^"]*_choice)" value="(\d)"> The (?:Seine|Rhine)/.exec(person.page);
      const text = /<textarea name="([^"]*)"/.exec(person.page)?.[1];
      const answer = text === undefined ? { [choice?.[1] ?? '']: choice?.[2] ?? '' } : { [text]: 'The river of the recorded person' };
      await person.open(`${BASE}/process`, { ...person.hidden(), ...answer, next: 'Next page' });
    }
    expect((await report()).stored).toHaveLength(3);
    const plan = await planOfPerson(person);
    const takenExams = await takeExams(
      plan,
      Array.from({ length: 6 }, (_, index) => 8 + index),
    );
    const answers = plan.journey.flatMap(({ path }, index) => (path.endsWith('/process') ? [index] : []));
    expect(answers).toHaveLength(3);
    for (const { failures, stored } of takenExams) {
      expect(failures.filter((failure) => failure !== null)).toEqual([]);
      expect(stored).toHaveLength(answers.length);
    }
    const texts = new Set(takenExams.flatMap(({ stored }) => stored.map(({ text }) => text)));
    expect(texts).toContain('The river of the recorded person');
    expect([...texts].filter((text) => !['The Seine', 'The Rhine', 'The river of the recorded person'].includes(text))).toEqual([]);

    // The server rejects a second attempt, so it stores no answers from this pupil again.
    const [again] = await takeExams(plan, [8]);
    expect(again?.stored).toEqual([]);
    expect(answers.map((index) => again?.failures[index])).toEqual(['not sent', 'not sent', 'not sent']);
    expect(again?.failures.filter((failure) => failure !== null)).not.toEqual([]);
  },
);

it(
  'recording of a change that one person at a time can make: a refused change and a refused login count as failures',
  { timeout: 300_000 },
  async () => {
    const person = new Person();
    await person.logIn();
    await person.open(`${BASE}/board`);
    await person.open(`${BASE}/board`, { ...person.hidden(), text: 'Meet at ten' });
    const plan = await planOfPerson(person);
    expect(plan.journey.at(-1)).toMatchObject({ form: { version: '{{version}}' }, redirects: { to: [`${BASE}/board`] } });
    const change = plan.journey.length - 1;
    const [alone] = await takeExams(plan, [9]);
    expect([alone?.failures[change], alone?.edits]).toEqual([null, 1]);

    // Another user saves between loading and sending the form.
    const stale = {
      ...plan,
      journey: plan.journey.map((step, index) => (index === change ? { ...step, form: { version: '1', text: 'Late' } } : step)),
    };
    const [late] = await takeExams(stale, [10]);
    expect([late?.failures[change], late?.edits]).toEqual([`NOT_REDIRECTED ${BASE}/board@check`, 0]);

    const wrong = {
      ...plan,
      feeds: { account: { ...plan.feeds?.['account'], skip: 0, file: accountsFile([{ username: 'nobody', password: 'no' }]) } },
    };
    const [refused] = await takeExams(planSchema.parse(wrong), [0]);
    expect(refused?.failures.at(-1)).toBe('not sent');
    expect(refused?.failures[1]).toMatch(/^LEADS_(TO_LOGIN|ELSEWHERE)/);
  },
);
