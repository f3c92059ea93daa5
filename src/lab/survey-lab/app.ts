import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { getOwn } from '#core/base/ownMembers.ts';
import { onWorker } from '../accessLog.ts';
import type { Breaks } from '../breaks.ts';
import { valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies } from '../web/session.ts';
import { QueueFull, WorkerPool } from '../workerPool.ts';
import { ACCOUNTS, countResponses, countUploads, forgetUploads, hashedPassword, store, userIdByHash, findUserId } from './data.ts';
import { type Database, NoConnection, openPostgresql, openSqlite } from './database.ts';
import { Machine, MACHINE_HEADER, MACHINES } from './machine.ts';
import { options } from './options.ts';
import { type Asked, failure, findMissing, type Reply, Tokens } from './protocol.ts';
import { createReads } from './reads.ts';
import { Tables } from './tables.ts';
import { parseUpload, Photos } from './upload.ts';

const settingsSchema = z.object({
  log: z.string(),
  /** Address of PostgreSQL; null for SQLite in `directory`. */
  database: z.string().nullable(),
  directory: z.string(),
  values: valuesSchema(options),
});

/** Larger forms are refused, as by the report's server. */
const MAX_FORM_BYTES = 15_000_000;
const COOKIE = 'auth_token';
const WRONG_PASSWORD = 'Unknown user or incorrect password.';
/** Pauses after which a TCP stack retries a connection without a response. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** The survey server with the interface of ohmage: a fixed number of threads with a queue before them. */
export async function startSurveyApp(given: unknown): Promise<Part> {
  const { values, directory, database: url, log } = settingsSchema.parse(given);
  const database =
    url === null ? openSqlite(join(directory, 'survey.sqlite')) : openPostgresql(url, values.connections, values['pool-wait-ms']);
  const tables = await Tables.make(database, values);
  const machine = new Machine(values);
  const machines = new Map(MACHINES.map(({ name, ...size }) => [name, new Machine({ ...values, ...size })]));
  const photoDirectory = join(directory, 'photos');
  const photos = new Photos(photoDirectory, values['photo-later-ms']);
  const threads = new WorkerPool(values.threads, values.queue);
  const tokens = new Tokens(values['login-seconds']);
  const reads = createReads(tables, values);

  const responseWith =
    (breaks: Breaks) =>
    (handle: (asked: Asked, response: Response) => Promise<Reply> | Reply, needsUser: boolean): RequestHandler =>
    async (request, response) => {
      const work = async (): Promise<void> => {
        const asked = await readAsked(request, breaks);
        await sleep(values['service-ms']);
        await asked.machine.calculate();
        if (breaks.is('closed', request)) return void response.json(failure('0710', 'The campaign is not running.'));
        if (needsUser && asked.userId === null) return void response.json(asked.notKnown);
        response.json(await withConnection(() => handle(asked, response)));
      };
      // A full server does not respond at all.
      if (!(await isTaken(() => onWorker(threads, response, work), request))) request.socket.destroy();
    };

  /** Returns whether a thread has done the work, at once or after a retry. */
  async function isTaken(work: () => Promise<void>, request: Request): Promise<boolean> {
    for (const pauseMs of values['when-full'] === 'ignore' ? [...RETRY_AFTER_MS, null] : [null]) {
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

  async function readAsked(request: Request, breaks: Breaks): Promise<Asked> {
    const form = request.method === 'POST' ? await readForm(request, MAX_FORM_BYTES) : null;
    const text = (name: string): string => textField(form, name) || String(getOwn(request.query, name) ?? '');
    const byPassword = text('user') === '' ? null : userIdByHash(text('user'), text('password'));
    const cookie = tokens.read(readCookies(request).get(COOKIE), Date.now());
    const byParameter = tokens.read(text('auth_token') || undefined, Date.now()) ?? byPassword;
    const known = text('auth_token') === '' ? (byParameter ?? cookie) : byParameter;
    const isRefused = (userId: number): boolean => breaks.isForAnother(request, userId);
    const userId = known !== null && isRefused(known) ? null : known;
    const on = machines.get(request.get(MACHINE_HEADER) ?? '') ?? machine;
    return {
      form: form ?? new FormData(),
      text,
      userId,
      isByParameter: byParameter !== null,
      machine: on,
      isStored: !breaks.is('swallow', request),
      isRefused,
      notKnown: failure('0200', whyNotKnown(text)),
    };
  }

  async function upload(asked: Asked): Promise<Reply> {
    const missing = findMissing(asked, ['client', 'campaign_urn', 'campaign_creation_timestamp', 'surveys']);
    if (missing) return missing;
    if (!asked.isByParameter) return failure('0200', 'An upload takes its token as a parameter, not as a cookie.');
    const parsed = await parseUpload(asked.form, asked.userId ?? 0, asked.text('client'));
    if ('result' in parsed) return parsed;
    const take = async (held: Pick<Database, 'query'>): Promise<void> => {
      await sleep(values['upload-ms']);
      if (!asked.isStored) return;
      await photos.store(parsed.photos);
      for (const one of parsed.uploads) await store(held, one);
    };
    if (values['upload-holds-connection']) await database.hold(take);
    else await take(database);
    return { result: 'success' };
  }

  const stored = async () => ({
    responses: await countUploads(database),
    'all responses': await countResponses(database),
    ...(await photosIn(photoDirectory)),
  });

  return startWebServer({ name: 'survey', log, faults: values }, (app, breaks) => {
    const respond = responseWith(breaks);
    app.get(['/', '/web/', '/web/home'], (_request, response) => {
      response
        .type('text/html')
        .send(
          '<!DOCTYPE html>\n<html lang="en"><title>Practice survey</title><script src="mobilizeweb/mobilizeweb.nocache.js"></script><body><h1>Practice survey</h1></body></html>\n',
        );
    });
    /** The only requests with a plain-text password. */
    const logIn = (welcome: (userId: number, response: Response) => Record<string, string>): RequestHandler =>
      respond((asked, response) => {
        const missing = findMissing(asked, ['client']);
        if (missing) return missing;
        const userId = findUserId(asked.text('user'), asked.text('password'));
        return userId === null || asked.isRefused(userId)
          ? failure('0200', WRONG_PASSWORD)
          : { result: 'success', ...welcome(userId, response) };
      }, false);
    const withToken = logIn((userId, response) => {
      const token = tokens.issue(userId, Date.now());
      response.cookie(COOKIE, token, { path: '/' });
      return { token };
    });
    const withHash = logIn((userId) => ({ hashed_password: hashedPassword(ACCOUNTS[userId] ?? { username: '', password: '' }) }));
    app.post('/app/user/auth_token', withToken);
    app.post('/app/user/auth', withHash);
    app.post('/app/survey/upload', respond(upload, true));
    for (const [path, { handle, needsUser, byGet }] of Object.entries(reads.routes)) {
      app.post(`/app/${path}`, respond(handle, needsUser));
      if (byGet) app.get(`/app/${path}`, respond(handle, needsUser));
    }
    app.get('/app/image/read', async (request, response, next) => {
      const id = z.uuid().safeParse(request.query['id']);
      if (!id.success) return next();
      response.type('image/jpeg').sendFile(`${id.data}.jpg`, { root: photoDirectory, dotfiles: 'allow' }, (problem) => {
        if (problem && !response.headersSent) response.json(failure('0600', 'There is no such photo.'));
      });
    });
    app.use('/app', (request, response) => void response.status(request.method === 'GET' ? 405 : 501).end());
    return {
      close: () => {
        photos.close();
        return database.close();
      },
      commands: {
        'count-stored': stored,
        gauges: async () => {
          const { responses, photos: photoCount, bytes } = await stored();
          return {
            'responses stored': responses,
            'photos stored': photoCount,
            'photos to make smaller': photos.unfinished,
            'bytes of photos': bytes,
            'busy threads': threads.busy,
            'waiting for a thread': threads.queued,
            ...tables.blocks,
          };
        },
        'forget-uploads': async () => {
          await forgetUploads(database);
          await rm(photoDirectory, { recursive: true, force: true });
        },
        'empty-cache': () => {
          reads.forget();
          for (const one of [machine, ...machines.values()]) one.forget();
        },
        'create-index': () => tables.createIndex(),
        'drop-index': () => tables.dropIndex(),
        'put-in-order': () => tables.putInOrder(),
        'drop-column': () => tables.dropSpareColumn(),
        'rewrite-query': () => tables.rewriteQuery(),
        threads: () => ({ busy: threads.busy, queued: threads.queued }),
      },
    };
  });
}

/** Returns the response to a missing database connection: a failure, which always has status 200. */
async function withConnection(work: () => Promise<Reply> | Reply): Promise<Reply> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof NoConnection) return failure('0103', 'General server error.');
    throw thrown;
  }
}

function whyNotKnown(text: (name: string) => string): string {
  if (text('auth_token') !== '') return 'The token is unknown.';
  return text('user') === '' ? 'Authentication credentials were not provided.' : WRONG_PASSWORD;
}

/** Returns the number of photos, and the bytes of all their files, including the smaller versions. */
async function photosIn(directory: string): Promise<{ readonly photos: number; readonly bytes: number }> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return {
    photos: names.filter((name) => !/-(?:small|icon)\.jpg$/.test(name)).length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
