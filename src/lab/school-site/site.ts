import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { z } from 'zod';
import Sqlite from 'better-sqlite3';
import { onWorker } from '../accessLog.ts';
import type { Part } from '../supervisor/part.ts';
import { readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies, tokenFor, xsrfMatches } from '../web/session.ts';
import { WorkerPool } from '../workerPool.ts';
import { ACCOUNTS, hasAccount, sendToLogin, getSessions, sharedSettingsSchema, TOKEN } from './shared.ts';
import { CONTENT_PATHS, listImages, linksOf, makeResources, getPace } from './content.ts';
import { loginForm, schoolPage, getToolbar } from './page.ts';

/** Another transaction has written since this one began, so this one must be repeated. */
class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** The users in a database that allows one writing transaction at a time. */
class UserStore {
  private readonly database: Sqlite.Database;
  private readonly writer = new WorkerPool(1);
  private version = 0;
  /** Number of transactions that were aborted because another one had written meanwhile. */
  conflicts = 0;

  /** Creates the file. */
  constructor(file: string) {
    this.database = new Sqlite(file);
    this.database.pragma('synchronous = OFF');
    this.database.exec('CREATE TABLE users (username TEXT PRIMARY KEY, logins INTEGER NOT NULL, last_login INTEGER)');
    const insert = this.database.prepare('INSERT INTO users (username, logins) VALUES (?, 0)');
    this.database.transaction(() => {
      for (const { username } of ACCOUNTS) insert.run(username);
    })();
  }

  /** Number of logins that were committed. */
  get logins(): number {
    return Number(this.database.prepare('SELECT sum(logins) FROM users').pluck().get());
  }

  /** Records a login in a transaction of this duration; others wait for its end. */
  noteLogin(username: string, lastsMs: number): Promise<void> {
    return this.writer.run(async () => {
      this.database.exec('BEGIN IMMEDIATE');
      this.database.prepare('UPDATE users SET logins = logins + 1, last_login = ? WHERE username = ?').run(Date.now(), username);
      await sleep(lastsMs);
      this.database.exec('COMMIT');
    });
  }

  /**
   * Records a login with optimistic locking, like a ZODB for an object that all logins write: `work` runs first, then the transaction waits
   * for the only writer and checks whether another one has written since. Throws `Conflict`.
   */
  async noteLoginUnlessChanged(username: string, lastsMs: number, work: () => Promise<void>): Promise<void> {
    const { version } = this;
    await work();
    await this.writer.run(async () => {
      if (this.version !== version) {
        this.conflicts += 1;
        throw new Conflict('Somebody else has written since.');
      }
      await sleep(lastsMs);
      this.database.prepare('UPDATE users SET logins = logins + 1, last_login = ? WHERE username = ?').run(Date.now(), username);
      this.version += 1;
    });
  }

  close(): void {
    this.database.close();
  }
}

const settingsSchema = sharedSettingsSchema.extend({ database: z.string() });

const CACHE_SECONDS = 600;
const FIRST_CONTENT = 3;

/** The school's site: Plone's login form and the content pages. Each page occupies a worker for its service time. */
export function startSite(given: unknown): Promise<Part> {
  const settings = settingsSchema.parse(given);
  const { values } = settings;
  const { 'service-ms': serviceMs, 'login-write-ms': loginWriteMs, 'conflict-retries': conflictRetries } = values;
  // Pages are the same for all users, and the proxy inserts the name of the user.
  const isShared = values.cache === 'shared';
  const sessions = getSessions(settings);
  const workers = new WorkerPool(values.workers);
  const users = loginWriteMs > 0 || conflictRetries !== null ? new UserStore(settings.database) : null;
  const resources = makeResources();
  const work = (response: Response, share: number): Promise<void> => onWorker(workers, response, () => sleep(serviceMs * share));

  /** Tries to commit a login with this many retries. Its thread stays busy for all attempts, as in Zope. */
  async function isWritten(response: Response, store: UserStore, username: string, retries: number): Promise<boolean> {
    let written = false;
    await onWorker(workers, response, async () => {
      for (let attempt = 0; attempt <= retries && !written; attempt += 1) {
        try {
          await store.noteLoginUnlessChanged(username, loginWriteMs, () => sleep(serviceMs));
          written = true;
        } catch (thrown) {
          if (!(thrown instanceof Conflict)) throw thrown;
        }
      }
    });
    return written;
  }

  return startWebServer({ name: 'site', log: settings.log, faults: values }, (app, breaks) => {
    app.get('/{*path}', (request, response, next) => {
      const resource = resources.get(request.path);
      if (!resource) return next();
      response.type(resource.type).set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).send(resource.body);
    });
    app.get('/', async (request, response) => {
      const token = tokenFor(request, response, TOKEN);
      const user = sessions.userOf(request, breaks);
      await work(response, 1);
      const contents = CONTENT_PATHS.map((path) => `<li><a href="${path}">${path.split('/').at(-1)}</a></li>`).join('\n');
      const practice = '<p><a href="/@@practice/grade-10">Practice</a></p>';
      const main = `${user === null ? loginForm(token, '/') : practice}\n<ul>\n${contents}\n</ul>`;
      sendOwn(
        response,
        schoolPage({ title: 'Practice school', links: linksOf(0), images: listImages(0), toolbar: getToolbar(user), main }),
      );
    });
    app.get('/login', async (request, response) => {
      const token = tokenFor(request, response, TOKEN);
      const cameFrom = typeof request.query['came_from'] === 'string' ? request.query['came_from'] : '';
      await work(response, 0.5);
      const main = loginForm(token, cameFrom);
      sendOwn(response, schoolPage({ title: 'Log in', links: linksOf(1), images: listImages(1), toolbar: '', main }));
    });
    app.post('/login_form', async (request, response) => {
      const form = await readForm(request);
      if (!xsrfMatches(readCookies(request).get(TOKEN), form?.get(TOKEN), undefined)) {
        response.status(403).type('text/plain').send(`Form authenticator is invalid: the field ${TOKEN} has to repeat the cookie.\n`);
        return;
      }
      const username = textField(form, '__ac_name');
      const isRight = hasAccount(username, textField(form, '__ac_password')) && !breaks.isForAnother(request, username);
      if (isRight && users && conflictRetries !== null) {
        if (!(await isWritten(response, users, username, conflictRetries)))
          return void response.status(500).type('text/html').send('<h1>Site Error</h1>\n<p>ConflictError</p>\n');
      } else {
        await work(response, 1);
        if (isRight) await users?.noteLogin(username, loginWriteMs);
      }
      if (isRight) sessions.logIn(response, username);
      const main = isRight
        ? '<p>You are now logged in.</p>\n<p><a href="/">Go on</a></p>'
        : `<p class="error">Login failed: the user name or the password is wrong.</p>\n${loginForm(tokenFor(request, response, TOKEN), '')}`;
      const toolbar = getToolbar(isRight ? username : null);
      sendOwn(response, schoolPage({ title: 'Log in', links: linksOf(2), images: listImages(2), toolbar, main }));
    });
    app.get('/@@toolbar', (request, response) => sendOwn(response, getToolbar(sessions.userOf(request, breaks))));
    for (const [index, path] of CONTENT_PATHS.entries())
      app.get(path, async (request, response) => {
        const user = sessions.userOf(request, breaks);
        if (!isShared && user === null) return sendToLogin(request, response);
        await work(response, getPace(index));
        const page = FIRST_CONTENT + index;
        const title = path.split('/').at(-1) ?? '';
        const toolbar = isShared ? '<!--# include virtual="/@@toolbar" -->' : getToolbar(user);
        response.type('text/html').set({ 'Cache-Control': `max-age=${CACHE_SECONDS}`, 'X-Made-At': String(Date.now()) });
        response.send(schoolPage({ title, links: linksOf(page), images: listImages(page), toolbar, main: getContent(title) }));
      });
    return {
      commands: { gauges: () => ({ 'logins written': users?.logins ?? 0, conflicts: users?.conflicts ?? 0 }) },
      close: () => Promise.resolve(users?.close()),
    };
  });
}

function sendOwn(response: Response, html: string): void {
  response.type('text/html').set('Cache-Control', 'no-store').send(html);
}

const PARAGRAPHS = 12;

function getContent(title: string): string {
  const paragraph = `<p>This paragraph stands where ${title} explains itself, with its worked examples and its exercises.</p>`;
  return Array.from({ length: PARAGRAPHS }, () => paragraph).join('\n');
}
