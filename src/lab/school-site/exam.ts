import { randomInt } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { escapeHtml, readForm, textField } from '../web/html.ts';
import { readCookies } from '../web/session.ts';
import { hasAccount } from './shared.ts';

const COOKIE = 'exam_session';
const BASE = '/@@practice/exam';

/** The questions of the exam. Some have multiple choices, others are answered with free text. */
const QUESTIONS: readonly { readonly text: string; readonly choices: readonly string[] }[] = [
  { text: 'Which river flows through Paris?', choices: ['The Seine', 'The Rhine', 'The Meuse', 'The Loire'] },
  { text: 'Which river flows through Cologne?', choices: ['The Seine', 'The Rhine', 'The Meuse', 'The Elbe'] },
  { text: 'Describe a river that you know.', choices: [] },
];

interface Attempt {
  readonly id: number;
  /** The order of questions for this pupil, and the order of each question's choices. */
  readonly order: readonly number[];
  readonly choices: readonly (readonly number[])[];
  readonly stored: Map<number, string>;
  /** How often each question was saved. A form that states an outdated number is rejected. */
  readonly saves: Map<number, number>;
}

/** The state of the exam, as tests see it. */
export interface ExamReport {
  readonly stored: readonly { readonly user: string; readonly question: number; readonly text: string }[];
  readonly edits: number;
}

/**
 * An exam with the properties of real ones: failed logins redirect, each pupil has one attempt, questions and choices are shuffled, and
 * field names contain the attempt's number. A rejected form is returned with status 200. Only one user at a time can change the board.
 */
export class Exam {
  private readonly users = new Map<string, string>();
  private readonly attempts = new Map<string, Attempt>();
  private nextAttempt = randomInt(1_000, 9_000);
  private board = { text: 'Nothing yet', version: 1 };

  addTo(app: Express): void {
    app.get(`${BASE}/login`, (request, response) =>
      sendPage(
        response,
        'Log in',
        `${request.query['failed'] === undefined ? '' : '<p>Invalid login, try again.</p>'}
<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>`,
      ),
    );
    app.post(`${BASE}/login`, async (request, response) => this.logIn(response, await readForm(request)));
    app.get(`${BASE}/report`, (_request, response) => void response.json(this.report()));
    app.use(BASE, (request, response, next) => {
      if (this.userOf(request) === null) response.redirect(303, `${BASE}/login`);
      else next();
    });
    app.get(`${BASE}/start`, (_request, response) =>
      sendPage(response, 'Exam', `<h1>Rivers</h1><form method="post"><button>Start</button></form>`),
    );
    app.post(`${BASE}/start`, (request, response) => this.start(request, response));
    app.get(`${BASE}/attempt`, (request, response) => this.showQuestion(request, response, Number(request.query['page']), ''));
    app.post(`${BASE}/process`, async (request, response) => this.save(request, response, await readForm(request)));
    app.get(`${BASE}/summary`, (request, response) => {
      const { stored } = this.getAttempt(request);
      sendPage(response, 'Summary', `<h1>Summary</h1><p>${stored.size} of ${QUESTIONS.length} answers saved</p>`);
    });
    app.get(`${BASE}/board`, (_request, response) => this.showBoard(response, ''));
    app.post(`${BASE}/board`, async (request, response) => this.changeBoard(response, await readForm(request)));
  }

  report(): ExamReport {
    const stored = [...this.attempts].flatMap(([user, attempt]) =>
      [...attempt.stored].map(([question, text]) => ({ user, question, text })),
    );
    return { stored, edits: this.board.version - 1 };
  }

  private userOf(request: Request): string | null {
    return this.users.get(readCookies(request).get(COOKIE) ?? '') ?? null;
  }

  private logIn(response: Response, form: FormData | null): void {
    const user = textField(form, 'username');
    if (!hasAccount(user, textField(form, 'password'))) return response.redirect(303, `${BASE}/login?failed=1`);
    const session = `${randomInt(2 ** 47)}-${randomInt(2 ** 47)}`;
    this.users.set(session, user);
    response.cookie(COOKIE, session, { path: BASE, httpOnly: true }).redirect(303, `${BASE}/start`);
  }

  private start(request: Request, response: Response): void {
    const user = this.userOf(request) ?? '';
    if (this.attempts.has(user)) return sendPage(response, 'Exam', '<p class="notifyproblem">No more attempts are allowed.</p>');
    const id = (this.nextAttempt += 1);
    const order = shuffledIndexes(QUESTIONS.length);
    this.attempts.set(user, {
      id,
      order,
      choices: QUESTIONS.map(({ choices }) => shuffledIndexes(choices.length)),
      stored: new Map(),
      saves: new Map(),
    });
    response.redirect(303, `${BASE}/attempt?attempt=${id}&page=0`);
  }

  private getAttempt(request: Request): Attempt {
    const attempt = this.attempts.get(this.userOf(request) ?? '');
    if (attempt === undefined) throw Object.assign(new Error('no attempt'), { status: 404 });
    return attempt;
  }

  private showQuestion(request: Request, response: Response, page: number, message: string): void {
    const attempt = this.getAttempt(request);
    const number = attempt.order[page] ?? 0;
    const question = QUESTIONS[number];
    if (question === undefined) throw Object.assign(new Error('no such page'), { status: 404 });
    const name = fieldOf(attempt, number);
    const answer =
      question.choices.length === 0
        ? `<textarea name="${name}_text"></textarea>`
        : (attempt.choices[number] ?? [])
            .map((choice, place) => `<p><input type="radio" name="${name}_choice" value="${place}"> ${question.choices[choice] ?? ''}</p>`)
            .join('\n');
    sendPage(
      response,
      'Exam',
      `<h1>Rivers</h1>${message === '' ? '' : `<div role="alert">${message}</div>`}<p>${question.text}</p>
<form method="post" action="${BASE}/process"><input type="hidden" name="attempt" value="${attempt.id}">
<input type="hidden" name="thispage" value="${page}"><input type="hidden" name="${name}_:sequencecheck" value="${attempt.saves.get(number) ?? 0}">
${answer}
<button name="next" value="Next page">Next page</button></form>`,
    );
  }

  private save(request: Request, response: Response, form: FormData | null): void {
    const attempt = this.getAttempt(request);
    const page = Number(textField(form, 'thispage'));
    const number = attempt.order[page] ?? -1;
    const name = fieldOf(attempt, number);
    const place = textField(form, `${name}_choice`);
    const chosen = place === '' ? undefined : attempt.choices[number]?.[Number(place)];
    const text = QUESTIONS[number]?.choices[chosen ?? -1] ?? textField(form, `${name}_text`);
    const isCurrent = textField(form, `${name}_:sequencecheck`) === String(attempt.saves.get(number) ?? 0);
    if (textField(form, 'attempt') !== String(attempt.id) || !isCurrent || text === '')
      return this.showQuestion(request, response, page, isCurrent ? 'Choose or enter something first.' : 'The page is out of date.');
    attempt.stored.set(number, text);
    attempt.saves.set(number, (attempt.saves.get(number) ?? 0) + 1);
    const next = page + 1 < QUESTIONS.length ? `attempt?attempt=${attempt.id}&page=${page + 1}` : `summary?attempt=${attempt.id}`;
    response.redirect(303, `${BASE}/${next}`);
  }

  private showBoard(response: Response, message: string): void {
    const { text, version } = this.board;
    sendPage(
      response,
      'Board',
      `<h1>Board</h1>${message === '' ? '' : `<div class="conflict">${message}</div>`}<form method="post">
<input type="hidden" name="version" value="${version}"><textarea name="text">${escapeHtml(text)}</textarea><button>Save</button></form>`,
    );
  }

  private changeBoard(response: Response, form: FormData | null): void {
    if (textField(form, 'version') !== String(this.board.version))
      return this.showBoard(response, 'Somebody else has changed the board. Look at it again.');
    this.board = { text: textField(form, 'text').slice(0, 2_000), version: this.board.version + 1 };
    response.redirect(303, `${BASE}/board`);
  }
}

function fieldOf(attempt: Attempt, question: number): string {
  return `q${attempt.id}:${question + 1}`;
}

function shuffledIndexes(length: number): number[] {
  const left = Array.from({ length }, (_, index) => index);
  return Array.from({ length }, () => left.splice(randomInt(left.length), 1)[0] ?? 0);
}

function sendPage(response: Response, title: string, main: string): void {
  response
    .type('text/html')
    .set('Cache-Control', 'no-store')
    .send(`<!DOCTYPE html><html><head><title>${title}</title></head><body>${main}</body></html>`);
}
