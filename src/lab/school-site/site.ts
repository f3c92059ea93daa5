import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import Sqlite from 'better-sqlite3';
import { runOnWorker } from '../accessLog.ts';
import type { Breaks } from '../breaks.ts';
import type { Part } from '../supervisor/part.ts';
import { readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies, type Sessions, tokenFor, xsrfMatches } from '../web/session.ts';
import { WorkerPool } from '../workerPool.ts';
import { ACCOUNTS, hasAccount, sendToLogin, getSessions, sharedSettingsSchema, TOKEN } from './shared.ts';
import { CONTENT_PATHS, listImages, linksOf, makeResources, delayFactor } from './content.ts';
import type { Values } from './options.ts';
import { loginForm, schoolPage, toolbarHtml } from './page.ts';

/** The users, in a database that allows only one writing transaction at a time. */
class UserStore {
  private readonly database: Sqlite.Database;
  private readonly writer = new WorkerPool(1);
  private version = 0;
  /** Number of transactions that were aborted because another one had written in the meantime. */
  conflicts = 0;

  /** Creates the database file. */
  constructor(file: string) {
    this.database = new Sqlite(file);
    this.database.pragma('synchronous = OFF');
    this.database.exec('CREATE TABLE users (username TEXT PRIMARY KEY, logins INTEGER NOT NULL, last_login INTEGER)');
    const insert = this.database.prepare('INSERT INTO users (username, logins) VALUES (?, 0)');
    this.database.transaction(() => {
      for (const { username } of ACCOUNTS) insert.run(username);
    })();
  }

  /** Number of logins that have been committed. */
  get logins(): number {
    return Number(this.database.prepare('SELECT sum(logins) FROM users').pluck().get());
  }

  /** Records a login in a transaction of this duration. Other transactions wait for its end. */
  noteLogin(username: string, lastsMs: number): Promise<void> {
    return this.writer.run(async () => {
      this.database.exec('BEGIN IMMEDIATE');
      this.count(username);
      await sleep(lastsMs);
      this.database.exec('COMMIT');
    });
  }

  /**
   * Records a login with optimistic locking, like a ZODB for an object that all logins write. First runs `work`. Then the transaction waits
   * until no other one writes, and checks whether another has written since it began. Returns false after such a conflict.
   */
  async noteLoginUnlessChanged(username: string, lastsMs: number, work: () => Promise<void>): Promise<boolean> {
    const { version } = this;
    await work();
    return this.writer.run(async () => {
      if (this.version !== version) {
        this.conflicts += 1;
        return false;
      }
      await sleep(lastsMs);
      this.count(username);
      this.version += 1;
      return true;
    });
  }

  private count(username: string): void {
    this.database.prepare('UPDATE users SET logins = logins + 1, last_login = ? WHERE username = ?').run(Date.now(), username);
  }

  close(): void {
    this.database.close();
  }
}

const settingsSchema = sharedSettingsSchema.extend({ database: z.string() });

const CACHE_SECONDS = 600;
const FIRST_CONTENT = 3;

/** The site of the school: Plone's login form and the content pages. Each page occupies a worker for its service time. */
class Site {
  private readonly values: Values;
  private readonly sessions: Sessions;
  private readonly workers: WorkerPool;
  private readonly resources = makeResources();
  /** Users of the site; null if logins do not write to a database. */
  private readonly users: UserStore | null;

  constructor(settings: z.infer<typeof settingsSchema>) {
    const { values } = settings;
    this.values = values;
    this.sessions = getSessions(settings);
    this.workers = new WorkerPool(values.workers);
    this.users = values['login-write-ms'] > 0 || values['conflict-retries'] !== null ? new UserStore(settings.database) : null;
  }

  addTo(app: Express, breaks: Breaks): Pick<Part, 'commands'> & { close: () => Promise<void> } {
    app.get('/{*path}', (request, response, next) => {
      const resource = this.resources.get(request.path);
      if (!resource) return next();
      response.type(resource.type).set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).send(resource.body);
    });
    app.get('/', async (request, response) => {
      const token = tokenFor(request, response, TOKEN);
      const user = this.sessions.userOf(request, breaks);
      await this.work(response, 1);
      const contents = CONTENT_PATHS.map((path) => `<li><a href="${path}">${path.split('/').at(-1)}</a></li>`).join('\n');
      const practice = '<p><a href="/@@practice/grade-10">Practice</a></p>';
      const main = `${user === null ? loginForm(token, '/') : practice}\n<ul>\n${contents}\n</ul>`;
      sendUncached(response, renderPage(0, 'Practice school', toolbarHtml(user), main));
    });
    app.get('/login', async (request, response) => {
      const token = tokenFor(request, response, TOKEN);
      const cameFrom = typeof request.query['came_from'] === 'string' ? request.query['came_from'] : '';
      await this.work(response, 0.5);
      sendUncached(response, renderPage(1, 'Log in', '', loginForm(token, cameFrom)));
    });
    app.post('/login_form', (request, response) => this.logIn(request, response, breaks));
    app.get('/@@toolbar', (request, response) => sendUncached(response, toolbarHtml(this.sessions.userOf(request, breaks))));
    for (const [index, path] of CONTENT_PATHS.entries())
      app.get(path, (request, response) => this.showContent(request, response, index, breaks));
    const { users } = this;
    return {
      commands: { gauges: () => ({ 'logins written': users?.logins ?? 0, conflicts: users?.conflicts ?? 0 }) },
      close: () => Promise.resolve(users?.close()),
    };
  }

  private work(response: Response, share: number): Promise<void> {
    return runOnWorker(this.workers, response, () => sleep(this.values['service-ms'] * share));
  }

  private async logIn(request: Request, response: Response, breaks: Breaks): Promise<void> {
    const form = await readForm(request);
    if (!xsrfMatches(readCookies(request).get(TOKEN), form?.get(TOKEN), undefined)) {
      response.status(403).type('text/plain').send(`Form authenticator is invalid: the field ${TOKEN} has to repeat the cookie.\n`);
      return;
    }
    const username = textField(form, '__ac_name');
    const isRight = hasAccount(username, textField(form, '__ac_password')) && !breaks.isOtherAccount(request, username);
    if (!isRight) await this.work(response, 1);
    else if (!(await this.commitLogin(response, username)))
      return void response.status(500).type('text/html').send('<h1>Site Error</h1>\n<p>ConflictError</p>\n');
    if (isRight) this.sessions.logIn(response, username);
    const main = isRight
      ? '<p>You are now logged in.</p>\n<p><a href="/">Go on</a></p>'
      : `<p class="error">Login failed: the user name or the password is wrong.</p>\n${loginForm(tokenFor(request, response, TOKEN), '')}`;
    sendUncached(response, renderPage(2, 'Log in', toolbarHtml(isRight ? username : null), main));
  }

  /** Commits a login. With retries, its thread stays busy for all attempts, as in Zope. Returns false if all attempts had conflicts. */
  private async commitLogin(response: Response, username: string): Promise<boolean> {
    const { users, values } = this;
    const { 'service-ms': serviceMs, 'login-write-ms': writeMs, 'conflict-retries': retries } = values;
    if (users === null || retries === null) {
      await this.work(response, 1);
      await users?.noteLogin(username, writeMs);
      return true;
    }
    let isWritten = false;
    await runOnWorker(this.workers, response, async () => {
      for (let attempt = 0; attempt <= retries && !isWritten; attempt += 1)
        isWritten = await users.noteLoginUnlessChanged(username, writeMs, () => sleep(serviceMs));
    });
    return isWritten;
  }

  private async showContent(request: Request, response: Response, index: number, breaks: Breaks): Promise<void> {
    // If the cache is shared, pages are the same for all users, and the proxy inserts the name of the user.
    const isShared = this.values.cache === 'shared';
    const user = this.sessions.userOf(request, breaks);
    if (!isShared && user === null) return sendToLogin(request, response);
    await this.work(response, delayFactor(index));
    const title = CONTENT_PATHS[index]?.split('/').at(-1) ?? '';
    const toolbar = isShared ? '<!--# include virtual="/@@toolbar" -->' : toolbarHtml(user);
    response.type('text/html').set({ 'Cache-Control': `max-age=${CACHE_SECONDS}`, 'X-Made-At': String(Date.now()) });
    response.send(renderPage(FIRST_CONTENT + index, title, toolbar, getContent(title)));
  }
}

export function startSite(input: unknown): Promise<Part> {
  const settings = settingsSchema.parse(input);
  return startWebServer({ name: 'site', log: settings.log, faults: settings.values }, (app, breaks) =>
    new Site(settings).addTo(app, breaks),
  );
}

function renderPage(page: number, title: string, toolbar: string, main: string): string {
  return schoolPage({ title, links: linksOf(page), images: listImages(page), toolbar, main });
}

function sendUncached(response: Response, html: string): void {
  response.type('text/html').set('Cache-Control', 'no-store').send(html);
}

const PARAGRAPHS = 12;

function getContent(title: string): string {
  const paragraph = `<p>This paragraph stands where ${title} explains itself, with its worked examples and its exercises.</p>`;
  return Array.from({ length: PARAGRAPHS }, () => paragraph).join('\n');
}
