import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { getOwn } from '#core/base/ownMembers.ts';
import { runOnWorker } from '../accessLog.ts';
import type { Breaks } from '../breaks.ts';
import { valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies } from '../web/session.ts';
import { QueueFull, WorkerPool } from '../workerPool.ts';
import { ACCOUNTS, countResponses, countUploads, forgetUploads, hashedPassword, store, userIdByHash, findUserId } from './data.ts';
import { type Database, NoConnectionError, openPostgresql, openSqlite } from './database.ts';
import { Machine, MACHINE_HEADER, MACHINES } from './machine.ts';
import { options, type Values } from './options.ts';
import { type Parameters, failureReply, findMissing, type Reply, Tokens } from './protocol.ts';
import { Reads } from './reads.ts';
import { Tables } from './tables.ts';
import { parseUpload, Photos } from './upload.ts';

const settingsSchema = z.object({
  log: z.string(),
  /** Address of PostgreSQL; null for SQLite in `directory`. */
  database: z.string().nullable(),
  directory: z.string(),
  values: valuesSchema(options),
});

/** Maximum size of a form, as on the report's server. Larger forms are refused. */
const MAX_FORM_BYTES = 15_000_000;
const COOKIE = 'auth_token';
const START_PAGE =
  '<!DOCTYPE html>\n<html lang="en"><title>Practice survey</title><script src="mobilizeweb/mobilizeweb.nocache.js"></script><body><h1>Practice survey</h1></body></html>\n';
const WRONG_PASSWORD = 'Unknown user or incorrect password.';
/** Pauses after which a TCP stack retries to open a connection that got no response. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

type Handle = (parameters: Parameters, response: Response) => Promise<Reply> | Reply;

/** A survey server with the interface of ohmage. It has a fixed number of threads, and a queue in front of them. */
class SurveyServer {
  private readonly values: Values;
  private readonly database: Database;
  private readonly tables: Tables;
  private readonly reads: Reads;
  private readonly machine: Machine;
  private readonly machines: ReadonlyMap<string, Machine>;
  private readonly photoDirectory: string;
  private readonly photos: Photos;
  private readonly threads: WorkerPool;
  private readonly tokens: Tokens;

  constructor(values: Values, database: Database, tables: Tables, photoDirectory: string) {
    this.values = values;
    this.database = database;
    this.tables = tables;
    this.reads = new Reads(tables, values);
    this.machine = new Machine(values);
    this.machines = new Map(MACHINES.map(({ name, ...size }) => [name, new Machine({ ...values, ...size })]));
    this.photoDirectory = photoDirectory;
    this.photos = new Photos(photoDirectory, values['photo-later-ms']);
    this.threads = new WorkerPool(values.threads, values.queue);
    this.tokens = new Tokens(values['login-seconds']);
  }

  addTo(app: Express, breaks: Breaks): void {
    app.get(['/', '/web/', '/web/home'], (_request, response) => void response.type('text/html').send(START_PAGE));
    app.post(
      '/app/user/auth_token',
      this.logIn(breaks, (userId, response) => {
        const token = this.tokens.issue(userId, Date.now());
        response.cookie(COOKIE, token, { path: '/' });
        return { token };
      }),
    );
    app.post(
      '/app/user/auth',
      this.logIn(breaks, (userId) => ({ hashed_password: hashedPassword(ACCOUNTS[userId] ?? { username: '', password: '' }) })),
    );
    app.post(
      '/app/survey/upload',
      this.reply(breaks, true, (parameters) => this.upload(parameters)),
    );
    for (const [path, { handle, needsUser, byGet }] of Object.entries(this.reads.routes)) {
      app.post(`/app/${path}`, this.reply(breaks, needsUser, handle));
      if (byGet) app.get(`/app/${path}`, this.reply(breaks, needsUser, handle));
    }
    app.get('/app/image/read', async (request, response, next) => {
      const id = z.uuid().safeParse(request.query['id']);
      if (!id.success) return next();
      response.type('image/jpeg').sendFile(`${id.data}.jpg`, { root: this.photoDirectory, dotfiles: 'allow' }, (problem) => {
        if (problem && !response.headersSent) response.json(failureReply('0600', 'There is no such photo.'));
      });
    });
    app.use('/app', (request, response) => void response.status(request.method === 'GET' ? 405 : 501).end());
  }

  get commands(): NonNullable<Part['commands']> {
    const { tables, threads } = this;
    return {
      'count-stored': () => this.readStored(),
      gauges: async () => {
        const { responses, photos, bytes } = await this.readStored();
        return {
          'responses stored': responses,
          'photos stored': photos,
          'photos to make smaller': this.photos.unfinished,
          'bytes of photos': bytes,
          'busy threads': threads.busy,
          'waiting for a thread': threads.queued,
          ...tables.blocks,
        };
      },
      'forget-uploads': async () => {
        await forgetUploads(this.database);
        await rm(this.photoDirectory, { recursive: true, force: true });
      },
      'empty-cache': () => {
        this.reads.forget();
        for (const one of [this.machine, ...this.machines.values()]) one.forget();
      },
      'create-index': () => tables.createIndex(),
      'drop-index': () => tables.dropIndex(),
      'put-in-order': () => tables.putInOrder(),
      'drop-column': () => tables.dropSpareColumn(),
      'rewrite-query': () => tables.rewriteQuery(),
      threads: () => ({ busy: threads.busy, queued: threads.queued }),
    };
  }

  close(): Promise<void> {
    this.photos.close();
    return this.database.close();
  }

  private async readStored() {
    const [responses, all] = [await countUploads(this.database), await countResponses(this.database)];
    return { responses, 'all responses': all, ...(await countPhotos(this.photoDirectory)) };
  }

  private reply(breaks: Breaks, needsUser: boolean, handle: Handle): RequestHandler {
    return async (request, response) => {
      const work = async (): Promise<void> => {
        const parameters = await this.readAsked(request, breaks);
        await sleep(this.values['service-ms']);
        await parameters.machine.calculate();
        if (breaks.isBroken('closed', request)) return void response.json(failureReply('0710', 'The campaign is not running.'));
        if (needsUser && parameters.userId === null) return void response.json(parameters.notKnown);
        response.json(await withConnection(() => handle(parameters, response)));
      };
      // If the server is full, it sends no response at all.
      if (!(await this.runOnThread(() => runOnWorker(this.threads, response, work), request))) request.socket.destroy();
    };
  }

  /** Runs `work` on a thread, at once or after a retry. Returns false if no thread was free; returns true if the client has left. */
  private async runOnThread(work: () => Promise<void>, request: Request): Promise<boolean> {
    for (const pauseMs of this.values['when-full'] === 'ignore' ? [...RETRY_AFTER_MS, null] : [null]) {
      try {
        await work();
        return true;
      } catch (thrown) {
        if (!(thrown instanceof QueueFull)) throw thrown;
      }
      if (pauseMs !== null) await sleep(pauseMs);
      if (request.socket.destroyed) return true;
    }
    return false;
  }

  private async readAsked(request: Request, breaks: Breaks): Promise<Parameters> {
    const { tokens, machines, machine } = this;
    const form = request.method === 'POST' ? await readForm(request, MAX_FORM_BYTES) : null;
    const text = (name: string): string => textField(form, name) || String(getOwn(request.query, name) ?? '');
    const byPassword = text('user') === '' ? null : userIdByHash(text('user'), text('password'));
    const cookie = tokens.read(readCookies(request).get(COOKIE), Date.now());
    const byParameter = tokens.read(text('auth_token') || undefined, Date.now()) ?? byPassword;
    const known = text('auth_token') === '' ? (byParameter ?? cookie) : byParameter;
    const isRefused = (userId: number): boolean => breaks.isOtherAccount(request, userId);
    return {
      form: form ?? new FormData(),
      text,
      userId: known !== null && isRefused(known) ? null : known,
      isByParameter: byParameter !== null,
      machine: machines.get(request.get(MACHINE_HEADER) ?? '') ?? machine,
      isStored: !breaks.isBroken('swallow', request),
      isRefused,
      notKnown: failureReply('0200', explainUnknown(text)),
    };
  }

  /** Returns the handler for a login, which is the only request with a plain-text password. */
  private logIn(breaks: Breaks, welcome: (userId: number, response: Response) => Record<string, string>): RequestHandler {
    return this.reply(breaks, false, (parameters, response) => {
      const missing = findMissing(parameters, ['client']);
      if (missing) return missing;
      const userId = findUserId(parameters.text('user'), parameters.text('password'));
      return userId === null || parameters.isRefused(userId)
        ? failureReply('0200', WRONG_PASSWORD)
        : { result: 'success', ...welcome(userId, response) };
    });
  }

  private async upload(parameters: Parameters): Promise<Reply> {
    const { values, database } = this;
    const missing = findMissing(parameters, ['client', 'campaign_urn', 'campaign_creation_timestamp', 'surveys']);
    if (missing) return missing;
    if (!parameters.isByParameter) return failureReply('0200', 'An upload takes its token as a parameter, not as a cookie.');
    const parsed = await parseUpload(parameters.form, parameters.userId ?? 0, parameters.text('client'));
    if ('result' in parsed) return parsed;
    const storeUpload = async (held: Pick<Database, 'query'>): Promise<void> => {
      await sleep(values['upload-ms']);
      if (!parameters.isStored) return;
      await this.photos.store(parsed.photos);
      for (const one of parsed.uploads) await store(held, one);
    };
    if (values['upload-holds-connection']) await database.withConnection(storeUpload);
    else await storeUpload(database);
    return { result: 'success' };
  }
}

export async function startSurveyApp(input: unknown): Promise<Part> {
  const { values, directory, database: url, log } = settingsSchema.parse(input);
  const database =
    url === null ? openSqlite(join(directory, 'survey.sqlite')) : openPostgresql(url, values.connections, values['pool-wait-ms']);
  const survey = new SurveyServer(values, database, await Tables.make(database, values), join(directory, 'photos'));
  return startWebServer({ name: 'survey', log, faults: values }, (app, breaks) => {
    survey.addTo(app, breaks);
    return { commands: survey.commands, close: () => survey.close() };
  });
}

/** Runs `work`. If there is no database connection, returns a failure, which has status 200 like all failures. */
async function withConnection(work: () => Promise<Reply> | Reply): Promise<Reply> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof NoConnectionError) return failureReply('0103', 'General server error.');
    throw thrown;
  }
}

function explainUnknown(text: (name: string) => string): string {
  if (text('auth_token') !== '') return 'The token is unknown.';
  return text('user') === '' ? 'Authentication credentials were not provided.' : WRONG_PASSWORD;
}

/** Returns the number of photos, and the total size of their files in bytes, including the smaller versions. */
async function countPhotos(directory: string): Promise<{ readonly photos: number; readonly bytes: number }> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return { photos: names.filter((name) => !/-(?:small|icon)\.jpg$/.test(name)).length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
