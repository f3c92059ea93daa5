import type { Express, Request, RequestHandler, Response } from 'express';
import { readForm, textField } from '../web/html.ts';
import type { Attempt, Item } from './attempts.ts';
import type { FaceParts } from './moodle.ts';
import { answerIn, controls, hidden, show } from './page.ts';

const TEST = 1;
const FOLDER = '/public/code';
const INDEX = `${FOLDER}/index.php`;
const EXECUTE = `${FOLDER}/tce_test_execute.php`;
const TITLE = 'Practice test';
const SESSION_EXPIRED = 'The session has expired.';
const FIELDS = { text: 'answertext', choice: 'answpos', first: 1 };

/** The pages of TCExam that a pupil sees. */
export class TcexamFace {
  private readonly parts: FaceParts;

  constructor(parts: FaceParts) {
    this.parts = parts;
  }

  addTo(app: Express): void {
    app.get(
      [`${FOLDER}/`, INDEX],
      this.forPerson((_request, response, person) => this.showIndex(response, person)),
    );
    app.post(INDEX, (request, response) => this.logIn(request, response));
    app.get(
      `${FOLDER}/tce_test_start.php`,
      this.forPerson((_request, response) =>
        show(response, `Test information: ${TITLE}`, `<a href="${EXECUTE}?testid=${TEST}">execute</a>`),
      ),
    );
    app.get(
      EXECUTE,
      this.forPerson((request, response, person) => this.start(request, response, person)),
    );
    app.post(
      EXECUTE,
      this.forPerson((request, response, person) => this.execute(request, response, person)),
    );
    app.get(`${FOLDER}/tce_logout.php`, (request, response) => {
      const login = this.parts.logins.find(request);
      if (login !== null) this.parts.logins.end(login);
      response.redirect(302, INDEX);
    });
  }

  /** Shows the login form instead of the page if the request has no login. */
  private forPerson(handler: (request: Request, response: Response, person: string) => Promise<void> | void): RequestHandler {
    return async (request, response) => {
      const person = this.parts.logins.use(request)?.person ?? null;
      if (person === null || this.parts.breaks.isOtherAccount(request, person)) {
        // Reads the whole request before responding, as PHP does.
        request.resume();
        return this.showLogin(request, response, '');
      }
      await handler(request, response, person);
    };
  }

  private showLogin(request: Request, response: Response, message: string): void {
    const { logins } = this.parts;
    const knownLogin = logins.find(request);
    const login = knownLogin?.person === null ? knownLogin : logins.begin(response, null, knownLogin);
    show(
      response,
      'Login Form',
      `${message === '' ? '' : `<div class="warning">[WARNING]: ${message}</div>`}<form action="${INDEX}" method="post" enctype="multipart/form-data" id="form_login">
<input type="text" name="xuser_name" id="xuser_name"><input type="password" name="xuser_password" id="xuser_password"><input type="submit" name="login" value="login">
${hidden({ logaction: 'login', csrf_token: login.token })}
</form>`,
    );
  }

  private async logIn(request: Request, response: Response): Promise<void> {
    const { logins, breaks, hasAccount } = this.parts;
    const form = await readForm(request);
    const before = logins.find(request);
    const person = textField(form, 'xuser_name');
    const isRight = hasAccount(person, textField(form, 'xuser_password')) && !breaks.isOtherAccount(request, person);
    if (before === null || textField(form, 'csrf_token') !== before.token) return this.showLogin(request, response, SESSION_EXPIRED);
    if (!isRight) return this.showLogin(request, response, 'The username or password is wrong.');
    logins.begin(response, person, before);
    response.redirect(302, INDEX);
  }

  /** Shows the list of tests, as TCExam does. An attempt that has ended has no link. If it was not handed in, its dates are grey. */
  private showIndex(response: Response, person: string): void {
    const state = this.parts.attempts.of(person)?.state;
    const page = state === undefined ? 'tce_test_start.php' : state === 'running' ? 'tce_test_execute.php' : null;
    const link = page === null ? '' : `<a href="${FOLDER}/${page}?testid=${TEST}">[${state === undefined ? 'execute' : 'continue'}]</a>`;
    const dates = `<td${state === 'too late' ? ' style="color:#666666;"' : ''}>today</td>`;
    const info = `<a href="tce_popup_test_info.php?testid=${TEST}">${TITLE}</a>`;
    show(
      response,
      'Tests',
      `<table class="testlist"><tr><td><strong>${info}</strong></td>${dates}<td>&nbsp;</td><td>${link}</td></tr></table>\n<a href="${FOLDER}/tce_logout.php">logout</a>`,
    );
  }

  /** Starts the test. Pupils who may not take the test, or not any more, are sent back to the list of tests. */
  private async start(request: Request, response: Response, person: string): Promise<void> {
    if (this.parts.breaks.refusal(request) !== null || request.query['testid'] !== String(TEST)) return response.redirect(302, INDEX);
    const attempt = await this.parts.attempts.start(person, (_attempt, _position, item) => String(item));
    if (attempt === null) return response.redirect(302, INDEX);
    this.showQuestion(request, response, attempt, attempt.items[0]);
  }

  private async execute(request: Request, response: Response, person: string): Promise<void> {
    const { attempts, breaks, logins } = this.parts;
    const form = await readForm(request);
    const attempt = attempts.of(person);
    if (textField(form, 'csrf_token') !== logins.find(request)?.token) return this.showLogin(request, response, SESSION_EXPIRED);
    if (attempt?.state !== 'running' || breaks.refusal(request) !== null) return response.redirect(302, INDEX);
    const item = attempt.items.find(({ id }) => id === textField(form, 'testlogid'));
    const isLost = breaks.isBroken('swallow', request);
    if (textField(form, 'forceterminate') !== '' && item !== undefined) {
      if (!isLost) attempt.state = 'handed in';
      return response.redirect(302, INDEX);
    }
    if (item !== undefined && textField(form, 'terminationform') === '') {
      const answer = answerIn(item, textField(form, item.choices.length === 0 ? 'answertext' : 'answpos'), FIELDS.first);
      if (answer !== '') attempts.save(attempt, item, answer, { isLost, isFinal: true });
    }
    if (textField(form, 'terminatetest') !== '') return this.showEnd(request, response, attempt, item);
    const next = attempt.items.find(({ id }) => id === textField(form, 'nextquestionid') && form?.has('nextquestion'));
    const chosenItem = attempt.items.find(({ id }) => form?.has(`jumpquestion_${id}`));
    this.showQuestion(request, response, attempt, next ?? chosenItem ?? item);
  }

  private showQuestion(request: Request, response: Response, attempt: Attempt, item: Item | undefined): void {
    if (item === undefined) return response.redirect(302, INDEX);
    const at = attempt.items.indexOf(item);
    const [before, after] = [attempt.items[at - 1], attempt.items[at + 1]];
    const menu = attempt.items.map(
      ({ id, answer }, index) =>
        `<li class="${answer === null ? 'unanswered' : 'answered'}"><input type="submit" name="jumpquestion_${id}" value="${index + 1}"></li>`,
    );
    show(
      response,
      `Execute Test: ${TITLE}`,
      `<form action="${EXECUTE}" method="post" enctype="multipart/form-data" id="testform">
${hidden({ testid: TEST, testlogid: item.id, testuser_id: attempt.number, examtime: Math.round(attempt.endsAtMs / 1_000), timeout_logout: '' })}
${controls(item, FIELDS)}
<ol class="qlist">${menu.join('')}</ol>
${hidden({ prevquestionid: before?.id ?? 0, nextquestionid: after?.id ?? 0, autonext: '', finish: 0, display_time: '', reaction_time: '' })}
${after === undefined ? '' : '<input type="submit" name="nextquestion" value="next">'}<input type="submit" name="confirmanswer" value="confirm"><input type="submit" name="terminatetest" value="terminate">
${this.token(request)}
</form>`,
    );
  }

  private showEnd(request: Request, response: Response, { items }: Attempt, item: Item | undefined): void {
    const open = items.filter(({ answer }) => answer === null).length;
    show(
      response,
      `Execute Test: ${TITLE}`,
      `<div class="warning">[WARNING]: ${open > 0 ? `<span style="color:#990000">[ unanswered questions: ${open} ]</span> ` : ''}Are you sure that you want to end the test?</div>
<form action="${EXECUTE}" method="post" enctype="multipart/form-data" id="form_test_terminate">
${hidden({ testid: TEST, testlogid: item?.id ?? 0, terminationform: 1, display_time: '', reaction_time: '' })}
<input type="submit" name="forceterminate" value="terminate"><input type="submit" name="cancel" value="cancel">
${this.token(request)}
</form>`,
    );
  }

  private token(request: Request): string {
    return hidden({ csrf_token: this.parts.logins.find(request)?.token ?? '' });
  }
}
