import type { Express, Request, RequestHandler, Response } from 'express';
import type { Breaks } from '../breaks.ts';
import { escapeHtml, readForm, textField } from '../web/html.ts';
import type { Attempt, Attempts, Item } from './attempts.ts';
import type { Login, Logins } from './logins.ts';
import type { Values } from './options.ts';
import { answerIn, controls, hidden, show } from './page.ts';

const QUIZ = 7;
const LOGIN = '/login/index.php';
const QUIZ_PATH = `/mod/quiz/view.php?id=${QUIZ}`;
const SPENT = 'No more attempts are allowed';
const REFUSALS = {
  closed: 'This quiz is closed.',
  spent: SPENT,
  tooFrequent: 'You must wait before you may re-attempt this quiz.',
} as const;
const OUT_OF_SEQUENCE = 'Your submission has been ignored, because it was out of sequence.';
const TITLE = 'Practice quiz';

export interface FaceParts {
  readonly values: Values;
  readonly attempts: Attempts;
  readonly logins: Logins;
  readonly breaks: Breaks;
  hasAccount(person: string, password: string): boolean;
}

/** A request from a user who is logged in. */
interface Visit {
  readonly login: Login;
  readonly person: string;
}

type Handler = (request: Request, response: Response, visit: Visit, form: FormData | null) => Promise<void> | void;

/** The parts of Moodle's quiz that a pupil sees, modelled on Moodle's source code. */
export class MoodleFace {
  private readonly parts: FaceParts;

  constructor(parts: FaceParts) {
    this.parts = parts;
  }

  addTo(app: Express): void {
    app.get('/', (_request, response) =>
      show(response, 'Practice exam', `<p><a href="${LOGIN}">Like Moodle</a></p>\n<p><a href="/public/code/index.php">Like TCExam</a></p>`),
    );
    app.get([LOGIN, '/login'], (request, response) => this.showLogin(request, response));
    app.post(LOGIN, async (request, response) => this.logIn(request, response, await readForm(request)));
    app.get(
      ['/my/', '/course/view.php', '/mod/quiz/index.php'],
      this.forPerson((_request, response, { login }) =>
        show(response, 'Course', `<a href="${QUIZ_PATH}">${TITLE}</a>\n<a href="/login/logout.php?sesskey=${login.token}">Log out</a>`),
      ),
    );
    app.get(
      '/mod/quiz/view.php',
      this.forPerson((_request, response, visit) => this.showQuiz(response, visit)),
    );
    app.post(
      '/mod/quiz/startattempt.php',
      this.forPerson((request, response, visit, form) => this.start(request, response, visit, form)),
    );
    app.get(
      '/mod/quiz/attempt.php',
      this.forAttempt((request, response, visit, attempt) => this.showPage(request, response, visit, attempt)),
    );
    app.post(
      '/mod/quiz/processattempt.php',
      this.forAttempt((request, response, _visit, attempt, form) => this.process(request, response, attempt, form)),
    );
    app.post('/mod/quiz/autosave.ajax.php', async (request, response) => this.autosave(request, response, await readForm(request)));
    app.get(
      '/mod/quiz/summary.php',
      this.forAttempt((_request, response, visit, attempt) => showSummary(response, visit, attempt)),
    );
    app.get(
      '/mod/quiz/review.php',
      this.forAttempt((_request, response, _visit, { number, state }) => {
        if (state === 'running') return response.redirect(303, `/mod/quiz/attempt.php?attempt=${number}&cmid=${QUIZ}`);
        show(response, TITLE, `<p>State: ${state === 'handed in' ? 'Finished' : 'Never submitted'}</p>`);
      }),
    );
    app.get(
      '/login/logout.php',
      this.forPerson((_request, response, { login }) => {
        this.parts.logins.end(login);
        response.redirect(303, '/login');
      }),
    );
  }

  /** Redirects requests without a login to the login page, and rejects forms that lack the token of their session. */
  private forPerson(handler: Handler): RequestHandler {
    return async (request, response) => {
      const form = request.method === 'POST' ? await readForm(request) : null;
      const visit = this.findVisit(request);
      if (visit === null) return response.redirect(303, LOGIN);
      if (request.method === 'POST' && textField(form, 'sesskey') !== visit.login.token)
        return fail(response, 'Incorrect sesskey submitted, form not accepted!');
      await handler(request, response, visit, form);
    };
  }

  private forAttempt(
    handler: (request: Request, response: Response, visit: Visit, attempt: Attempt, form: FormData | null) => Promise<void> | void,
  ): RequestHandler {
    return this.forPerson((request, response, visit, form) => {
      const attempt = this.parts.attempts.of(visit.person);
      const number = request.method === 'POST' ? textField(form, 'attempt') : String(request.query['attempt']);
      const refusal = this.parts.breaks.refusal(request);
      if (refusal !== null) return fail(response, REFUSALS[refusal]);
      if (attempt === null || String(attempt.number) !== number) return fail(response, 'This attempt does not belong to you.');
      return handler(request, response, visit, attempt, form);
    });
  }

  private findVisit(request: Request): Visit | null {
    const login = this.parts.logins.use(request);
    if (login === null || login.person === null || this.parts.breaks.isOtherAccount(request, login.person)) return null;
    return { login, person: login.person };
  }

  private showLogin(request: Request, response: Response): void {
    const { logins } = this.parts;
    const login = logins.find(request) ?? logins.begin(response, null);
    const failed =
      request.query['loginredirect'] === undefined ? '' : '<div class="alert" role="alert">Invalid login, please try again</div>';
    show(
      response,
      'Log in to the site',
      `${failed}<form action="${LOGIN}" method="post"><input type="hidden" name="anchor" value="">${hidden({ logintoken: login.token })}
<input type="text" name="username"><input type="password" name="password"><button type="submit">Log in</button></form>`,
    );
  }

  private logIn(request: Request, response: Response, form: FormData | null): void {
    const { logins, breaks, hasAccount } = this.parts;
    const before = logins.find(request);
    const person = textField(form, 'username');
    const isRight = hasAccount(person, textField(form, 'password')) && !breaks.isOtherAccount(request, person);
    if (before === null || textField(form, 'logintoken') !== before.token || !isRight)
      return response.redirect(303, `${LOGIN}?loginredirect=1`);
    logins.begin(response, person, before);
    response.redirect(303, '/my/');
  }

  private showQuiz(response: Response, { login, person }: Visit): void {
    const state = this.parts.attempts.of(person)?.state;
    if (state !== undefined && state !== 'running') return show(response, TITLE, `<p>${SPENT}</p>`);
    const button = state === undefined ? 'Attempt quiz' : 'Continue your attempt';
    show(
      response,
      TITLE,
      `<form method="post" action="/mod/quiz/startattempt.php">${hidden({ cmid: QUIZ, sesskey: login.token })}<button type="submit">${button}</button></form>`,
    );
  }

  private async start(request: Request, response: Response, { login, person }: Visit, form: FormData | null): Promise<void> {
    const refusal = this.parts.breaks.refusal(request);
    if (refusal !== null) return fail(response, REFUSALS[refusal]);
    const confirmation = '_qf__mod_quiz_form_preflight_check_form';
    if (this.parts.values.preflight && textField(form, confirmation) !== '1')
      return show(
        response,
        TITLE,
        `<p>Your attempt has a time limit. Are you sure that you wish to start?</p>
<form method="post" action="/mod/quiz/startattempt.php">${hidden({ cmid: QUIZ, sesskey: login.token, [confirmation]: 1 })}<button name="submitbutton">Start attempt</button></form>`,
      );
    const attempt = await this.parts.attempts.start(person, (number, position) => `q${number}:${position}`);
    if (attempt === null) return fail(response, SPENT);
    response.redirect(303, `/mod/quiz/attempt.php?attempt=${attempt.number}&cmid=${QUIZ}`);
  }

  private showPage(request: Request, response: Response, { login }: Visit, attempt: Attempt): void {
    if (attempt.state !== 'running') return response.redirect(303, `/mod/quiz/review.php?attempt=${attempt.number}`);
    const page = Number(request.query['page'] ?? 0);
    const item = attempt.items[page];
    if (item === undefined) return fail(response, 'Invalid page number');
    const last = page + 1 === attempt.items.length;
    show(
      response,
      TITLE,
      `<form action="/mod/quiz/processattempt.php?cmid=${QUIZ}" method="post" enctype="multipart/form-data" id="responseform">
${hidden({ [`${item.id}_:flagged`]: 0, [`${item.id}_:sequencecheck`]: item.saves + 1 })}
${controls(item, { ...fieldsOf(item), first: 0 })}
<input type="submit" name="next" value="${last ? 'Finish attempt ...' : 'Next page'}">
${hidden({ attempt: attempt.number, thispage: page, nextpage: last ? -1 : page + 1, timeup: 0, sesskey: login.token, mdlscrollto: '', slots: page + 1 })}
</form>`,
    );
  }

  private process(request: Request, response: Response, attempt: Attempt, form: FormData | null): void {
    if (attempt.state !== 'running') return response.redirect(303, `/mod/quiz/review.php?attempt=${attempt.number}`);
    const problem = this.store(request, attempt, form, true);
    if (problem !== null) return fail(response, problem);
    if (textField(form, 'finishattempt') === '1') {
      if (!this.parts.breaks.isBroken('swallow', request)) attempt.state = 'handed in';
      return response.redirect(303, `/mod/quiz/review.php?attempt=${attempt.number}`);
    }
    const next = Number(textField(form, 'nextpage'));
    const address = attempt.items[next] === undefined ? 'summary.php?' : `attempt.php?page=${next}&`;
    response.redirect(303, `/mod/quiz/${address}attempt=${attempt.number}&cmid=${QUIZ}`);
  }

  private autosave(request: Request, response: Response, form: FormData | null): void {
    const visit = this.findVisit(request);
    const attempt = visit === null ? null : this.parts.attempts.of(visit.person);
    const refusal = this.parts.breaks.refusal(request);
    const problem =
      refusal !== null
        ? REFUSALS[refusal]
        : attempt === null || textField(form, 'sesskey') !== visit?.login.token
          ? 'You are not logged in.'
          : attempt.state !== 'running'
            ? 'This attempt has been finished.'
            : this.store(request, attempt, form, false);
    response.json(
      problem === null
        ? { status: 'OK', timeleft: Math.round(((attempt?.endsAtMs ?? 0) - Date.now()) / 1_000) }
        : { error: problem, errorcode: problem === OUT_OF_SEQUENCE ? 'submissionoutofsequencefriendlymessage' : 'autosave' },
    );
  }

  /**
   * Stores a pupil's answers to the questions of a form. The form stays up to date unless `isFinal` is true. Returns the error, or null.
   */
  private store(request: Request, attempt: Attempt, form: FormData | null, isFinal: boolean): string | null {
    const slots = textField(form, 'slots')
      .split(',')
      .filter((slot) => slot !== '');
    const items = slots.flatMap((slot) => attempt.items[Number(slot) - 1] ?? []);
    if (items.some((item) => textField(form, `${item.id}_:sequencecheck`) !== String(item.saves + 1))) return OUT_OF_SEQUENCE;
    for (const item of items) {
      const { text, choice } = fieldsOf(item);
      const answer = answerIn(item, textField(form, item.choices.length === 0 ? text : choice), 0);
      if (answer !== '')
        this.parts.attempts.save(attempt, item, answer, { isLost: this.parts.breaks.isBroken('swallow', request), isFinal });
    }
    return null;
  }
}

function fieldsOf({ id }: Item): { readonly text: string; readonly choice: string } {
  return { text: `${id}_answer`, choice: `${id}_answer` };
}

function showSummary(response: Response, { login }: Visit, { number, items }: Attempt): void {
  const rows = items.map(
    ({ answer }, index) =>
      `<tr class="quizsummary${index + 1} ${answer === null ? 'notyetanswered' : 'answersaved'}"><td>${index + 1}</td><td>${answer === null ? 'Nothing saved' : 'Answer saved'}</td></tr>`,
  );
  show(
    response,
    'Summary of attempt',
    `<table class="quizsummaryofattempt">\n${rows.join('\n')}\n</table>
<form method="post" action="/mod/quiz/processattempt.php">${hidden({ attempt: number, finishattempt: 1, timeup: 0, slots: '', cmid: QUIZ, sesskey: login.token })}<button type="submit">Submit all and finish</button></form>`,
  );
}

function fail(response: Response, message: string): void {
  show(response, 'Error', `<div class="errorbox" role="alert"><p class="errormessage">${escapeHtml(message)}</p></div>`);
}
