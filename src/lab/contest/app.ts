import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { AccessLog } from '../accessLog.ts';
import type { Breaks } from '../breaks.ts';
import { readForm, textField } from '../web/html.ts';
import { readCookies, type Sessions, tokenFor, xsrfMatches } from '../web/session.ts';
import { handleFailure, forwardTo } from '../web/server.ts';
import { SCOREBOARD_PATH } from './push/scoreboard.ts';
import type { People } from './accounts.ts';
import { type Frame, pythonTimestamp } from './layout.ts';
import { formatProblem, type Languages, type Task, type TaskFiles, TASKS } from './tasks.ts';
import { servePrefix, registration, staticFiles } from './routes.ts';
import type { Phases } from './phase.ts';
import { communicationPage, descriptionPage, loginPage, messagePage, overviewPage, registerPage, submissionsPage } from './pages.ts';
import { type ContestState, statusOf } from './state.ts';

const XSRF_COOKIE = '_xsrf';

/** The parts of one shard. All shards share log, state and sessions. */
export interface ContestParts {
  readonly shard: number;
  readonly log: AccessLog;
  readonly breaks: Breaks;
  readonly state: ContestState;
  readonly sessions: Sessions;
  readonly people: People;
  /** Handlers that run before all other handlers. */
  readonly before: readonly RequestHandler[];
  /** Performs the additional work for the page at this path, including the page's service time. */
  readonly work: (path: string) => Promise<void>;
  /** Path prefix of the contest; null if there is none. */
  readonly prefix: string | null;
  /** Language of the statements. */
  readonly language: string;
  readonly languages: Languages;
  readonly getFiles: TaskFiles;
  /** Address of the scoreboard behind this server; null without one. */
  readonly scoreboard: string | null;
  readonly phases: Phases;
  /** Whether contestants may register themselves. */
  readonly registers: boolean;
}

/** The user of a request, and the token for its forms. */
interface VisitorRequest {
  readonly username: string | null;
  readonly xsrf: string;
}

const TASK_NAMES = TASKS.map(({ name }) => name);

/** Creates one shard of the practice contest. It has the interface of CMS's ContestWebServer for a single contest. */
export function contestApp(parts: ContestParts): Express {
  const { log, shard } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((request, response, next) => {
    log.watch(request, response, `shard-${shard + 1}`);
    response.set('Server', 'holdfast-lab-contest');
    response.set('X-Shard', `shard-${shard + 1}`);
    next();
  });
  for (const handler of parts.before) app.use(handler);
  if (parts.scoreboard !== null) app.use(SCOREBOARD_PATH, forwardTo(parts.scoreboard));
  if (parts.prefix !== null) app.use(servePrefix(parts.prefix));
  app.use('/static', staticFiles());
  const arrivedAtMs = new WeakMap<Request, number>();
  app.use(async (request, _response, next) => {
    arrivedAtMs.set(request, Date.now());
    await parts.work(request.path);
    next();
  });

  const visitors = createVisitors(parts, arrivedAtMs);
  addEntryRoutes(app, parts, visitors);
  addTaskRoutes(app, parts, visitors);
  addMessageRoutes(app, parts, visitors);
  app.use((request, response) => notFound(response, makeFrame(visitors.readVisitor(request, response), 'Not found')));
  app.use(handleFailure);
  return app;
}

type Visitors = ReturnType<typeof createVisitors>;

/** Creates functions that identify the visitors of requests. `arrivedAtMs` holds when each request arrived. */
function createVisitors({ sessions, breaks, phases }: ContestParts, arrivedAtMs: WeakMap<Request, number>) {
  return { readVisitor, userOf, requireLogin, taskPage, arrivedAt };

  function arrivedAt(request: Request): number | undefined {
    return arrivedAtMs.get(request);
  }

  function readVisitor(request: Request, response: Response): VisitorRequest {
    return { username: sessions.userOf(request), xsrf: tokenFor(request, response, XSRF_COOKIE) };
  }

  /**
   * Returns the user without renewing the login, for polling scripts. If there is no user, redirects to the login form and returns null.
   */
  function userOf(request: Request, response: Response): string | null {
    const username = sessions.userOf(request, breaks);
    if (username === null) response.redirect(`/?next=${encodeURIComponent(request.originalUrl)}`);
    return username;
  }

  function requireLogin(request: Request, response: Response): (VisitorRequest & { username: string }) | null {
    const username = userOf(request, response);
    if (username === null) return null;
    sessions.logIn(response, username);
    return { ...readVisitor(request, response), username };
  }

  function taskPage(request: Request, response: Response, title: string): { user: string; task: Task; frame: Frame } | null {
    const visit = requireLogin(request, response);
    if (!visit) return null;
    // Before a contest, CMS shows only its overview.
    if (breaks.isBroken('closed', request) || !phases.showsTasks(visit.username, arrivedAtMs.get(request))) {
      response.redirect('/');
      return null;
    }
    const task = TASKS.find(({ name }) => name === request.params['task']);
    const frame = makeFrame(visit, task ? `${task.title}: ${title}` : 'Not found');
    if (task) return { user: visit.username, task, frame };
    notFound(response, frame);
    return null;
  }
}

/** Registers the routes for the start page, the login, the registration, the logout and the start button. */
function addEntryRoutes(app: Express, parts: ContestParts, { readVisitor, userOf, arrivedAt }: Visitors): void {
  const { sessions, breaks } = parts;
  app.get('/', (request, response) => {
    const visit = readVisitor(request, response);
    const frame = makeFrame(visit, 'Overview');
    if (visit.username !== null) {
      const { phases } = parts;
      const atMs = arrivedAt(request);
      const tasks = phases.showsTasks(visit.username, atMs) ? TASKS : [];
      const mayStart = phases.phaseOf(visit.username, atMs) === 'unstarted';
      return void response.send(
        overviewPage({ ...frame, taskNames: tasks.map(({ name }) => name) }, tasks, phases.wordsFor(visit.username, atMs), mayStart),
      );
    }
    const next = typeof request.query['next'] === 'string' ? request.query['next'] : '';
    response.send(loginPage(frame, next, request.query['login_error'] === 'true'));
  });

  app.post('/login', async (request, response) => {
    const form = await readForm(request);
    if (!isXsrfValid(request, form, response)) return;
    const username = textField(form, 'username');
    const next = textField(form, 'next');
    const isRight = parts.people.hasAccount(username, textField(form, 'password')) && !breaks.isOtherAccount(request, username);
    // CMS shows the same error for a hidden account as for a wrong password.
    if (!isRight || parts.phases.phaseOf(username) === 'hidden') return response.redirect('/?login_error=true');
    sessions.logIn(response, username);
    response.redirect(isLocalPath(next) ? next : '/');
  });

  if (parts.registers) {
    const showForm: RequestHandler = (request, response) =>
      void response.send(registerPage(makeFrame(readVisitor(request, response), 'Register')));
    app.use('/register', registration({ people: parts.people, showForm, isXsrfValid: isXsrfValid }));
  }

  app.post('/logout', async (request, response) => {
    const form = await readForm(request);
    if (!isXsrfValid(request, form, response)) return;
    response.clearCookie(sessions.cookie, { path: '/' }).redirect('/');
  });

  app.post('/start', async (request, response) => {
    const form = await readForm(request);
    const user = userOf(request, response);
    if (user === null || !isXsrfValid(request, form, response)) return;
    if (!breaks.isBroken('swallow', request)) parts.phases.start(user, arrivedAt(request));
    response.redirect('/');
  });
}

/** Registers the routes for the pages of tasks and for submitting solutions. */
function addTaskRoutes(app: Express, parts: ContestParts, { userOf, taskPage, arrivedAt }: Visitors): void {
  const { state, sessions, breaks } = parts;
  app.get('/tasks/:task/description', (request, response) => {
    const page = taskPage(request, response, 'description');
    if (page) response.send(descriptionPage(page.frame, page.task, parts.language));
  });

  app.get('/tasks/:task/statements/:language{/:name}', (request, response) => {
    const page = taskPage(request, response, 'statement');
    if (!page) return;
    if (request.params.language !== parts.language) return notFound(response, page.frame);
    response.type('application/pdf').set('Content-Disposition', `inline; filename="${page.task.name}.pdf"`).send(page.task.pdf);
  });

  app.get('/tasks/:task/submissions', (request, response) => {
    const page = taskPage(request, response, 'submissions');
    if (!page) return;
    const isOpen = parts.phases.phaseOf(page.user, arrivedAt(request)) === 'running';
    const submissions = state.listSubmissions(page.user, page.task);
    const input = isOpen ? { files: parts.getFiles(page.task), languages: parts.languages } : null;
    response.send(submissionsPage(page.frame, page.task, submissions, state.evaluationMs, Date.now(), input));
  });

  app.post('/tasks/:task/submit', async (request, response) => {
    const form = await readForm(request);
    const page = taskPage(request, response, 'submit');
    if (!page || !isXsrfValid(request, form, response)) return;
    if (parts.phases.phaseOf(page.user, arrivedAt(request)) !== 'running') return response.redirect('/');
    const fields = parts.getFiles(page.task);
    const files = fields.map((field) => fileOf(form, field));
    const givenFiles = files.filter((file) => file !== null);
    const bytes = givenFiles.length === 0 ? null : givenFiles.reduce((sum, { size }) => sum + size, 0);
    const named = fields.map((field, index) => ({ field, fileName: files[index]?.name ?? null }));
    const wrong = bytes === null ? null : formatProblem(parts.languages, named, textField(form, 'language'));
    const refused = refusalText(breaks, request);
    // PostgreSQL rejects NUL in texts, and CMS therefore retries the evaluation of such a solution forever.
    const contents = await Promise.all(givenFiles.map((file) => file.bytes()));
    const isText = !contents.some((content) => content.includes(0));
    const submission = state.submit(page.user, page.task, bytes, Date.now(), {
      wrong: refused ?? wrong,
      isStored: !breaks.isBroken('swallow', request),
      isEvaluated: isText && (refused !== null || breaks.evaluates()),
    });
    const list = `/tasks/${page.task.name}/submissions`;
    if (!submission) return response.redirect(list);
    response.redirect(`${list}?submission_id=${sessions.seal(`${page.user}/${page.task.name}/${submission.number}`)}`);
  });

  app.get('/tasks/:task/submissions/:number', (request, response) => {
    const user = userOf(request, response);
    if (user === null) return;
    if (breaks.isBroken('closed', request)) return response.redirect('/');
    const task = TASKS.find(({ name }) => name === request.params.task);
    const submission = task && state.listSubmissions(user, task)[Number(request.params.number) - 1];
    if (!submission) return notFound(response, makeFrame({ username: user, xsrf: '' }, 'Not found'));
    response.json(statusOf(submission, state.evaluationMs, Date.now()));
  });
}

/** Registers the routes for notifications and for contestants’ questions to the jury. */
function addMessageRoutes(app: Express, parts: ContestParts, { userOf, requireLogin }: Visitors): void {
  const { state } = parts;
  app.get('/notifications', (request, response) => {
    const user = userOf(request, response);
    if (user === null) return;
    const since = Number(request.query['last_notification'] ?? 0);
    response.json(state.notificationsSince(user, Number.isFinite(since) ? since : 0));
  });

  app.get('/communication', (request, response) => {
    const visit = requireLogin(request, response);
    if (visit) response.send(communicationPage(makeFrame(visit, 'Communication')));
  });

  app.post('/question', async (request, response) => {
    const form = await readForm(request);
    const user = userOf(request, response);
    if (user === null || !isXsrfValid(request, form, response)) return;
    state.notify(user, 'Question received', textField(form, 'question_subject'), Date.now());
    response.redirect('/communication');
  });
}

function makeFrame(visit: VisitorRequest, title: string): Frame {
  return { title, username: visit.username, xsrf: visit.xsrf, timestamp: pythonTimestamp(Date.now()), taskNames: TASK_NAMES };
}

function fileOf(form: FormData | null, field: string): File | null {
  const value = form?.get(field) ?? null;
  return value === null || typeof value !== 'object' ? null : value;
}

/** Returns the reason why every solution is refused, in the words of CMS, or null. */
function refusalText(breaks: Breaks, request: Request): string | null {
  if (breaks.isBroken('tooFrequent', request)) return 'At most one solution in 60 s is accepted.';
  return breaks.isBroken('spent', request) ? 'At most 100 solutions of a task are accepted.' : null;
}

function isXsrfValid(request: Request, form: FormData | null, response: Response): boolean {
  const field = form?.get('_xsrf');
  if (xsrfMatches(readCookies(request).get(XSRF_COOKIE), field, request.headers['x-xsrftoken'])) return true;
  response.status(403).type('text/plain').send("'_xsrf' argument missing from POST or not that of the cookie");
  return false;
}

/** Returns whether the text is a path on this server. An address on another server (`//elsewhere`) must not be a redirect target. */
function isLocalPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text);
}

function notFound(response: Response, frame: Frame): void {
  response.status(404).send(messagePage(frame, 'There is no such page.'));
}
