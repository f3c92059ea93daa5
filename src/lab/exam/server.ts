import { z } from 'zod';
import { JsonLog } from '../logFile.ts';
import { type Account, valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { startWebServer } from '../web/server.ts';
import { type AnswerLine, Attempts } from './attempts.ts';
import { Logins } from './logins.ts';
import { MoodleFace } from './moodle.ts';
import { options, type Values } from './options.ts';
import { TcexamFace } from './tcexam.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { runOnWorker } from '../accessLog.ts';
import { QueueFull, WorkerPool } from '../workerPool.ts';

/** Returns the fictitious pupils, which are the same at each start. */
export function listAccounts(count: number): Account[] {
  return Array.from({ length: count }, (_, index) => ({
    username: `pupil${index + 1}`,
    password: `slate-${1_000 + ((index * 7_919) % 9_000)}`,
  }));
}

const settingsSchema = z.object({ log: z.string(), answers: z.string(), port: z.number().nullable(), values: valuesSchema(options) });

/**
 * Serves one exam to the same pupils in two forms: with the pages of Moodle and with the pages of TCExam. `GET /stored` returns the stored
 * answers. It is for tests, not for pupils.
 */
export async function startExam(input: unknown): Promise<Part> {
  const { log, answers, port, values } = settingsSchema.parse(input);
  const answerLog = await JsonLog.open<AnswerLine>(answers);
  const attempts = new Attempts(values, answerLog);
  const openLogins = (cookie: string): Logins =>
    new Logins({ cookie, lastsSeconds: values['login-seconds'], endOneIn: values['end-login-one-in'] });
  const [moodle, tcexam] = [openLogins('MoodleSession'), openLogins('PHPSESSID')];
  const passwords = new Map(listAccounts(values.accounts).map(({ username, password }) => [username, password]));
  const front = new Front(values, [moodle, tcexam]);
  return startWebServer({ name: 'exam', log, port, faults: values }, (app, breaks) => {
    app.get('/stored', (_request, response) => void response.json(attempts.report()));
    app.use(front.handler);
    const shared = { values, attempts, breaks, hasAccount: (person: string, password: string) => passwords.get(person) === password };
    new MoodleFace({ ...shared, logins: moodle }).addTo(app);
    new TcexamFace({ ...shared, logins: tcexam }).addTo(app);
    return {
      commands: {
        gauges: () => ({ ...attempts.gauges, ...front.gauges }),
        'forget-attempts': () => ({ forgotten: attempts.forget() }),
        'empty-cache': () => attempts.emptyCache(),
      },
      close: () => answerLog.close(),
    };
  });
}

/** Matches paths of requests that start an attempt or save what pupils entered. */
const WRITES = /start|execute|process|autosave/;

/** What TCExam 17.2 sends, with status 200, if its database refuses the connection. */
const TOO_MANY_CONNECTIONS =
  '<div class="error">ERROR: [2] mysqli_connect(): (08004/1040): Too many connections | LINE: 53</div><h2>Unable to connect to the database!</h2>';

/** A token bucket for each address. It holds at most `perSecond` tokens, and as many are added per second. */
class AddressLimit {
  private readonly perSecond: number;
  private readonly buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  allows(address: string, nowMs: number): boolean {
    const bucket = this.buckets.get(address) ?? { tokens: this.perSecond, atMs: nowMs };
    bucket.tokens = Math.min(this.perSecond, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * this.perSecond);
    bucket.atMs = nowMs;
    this.buckets.set(address, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/**
 * Everything in front of the pages, like nginx and PHP-FPM: a rate limit per address, workers with a backlog, session locks and a database
 * pool. The error pages look like those of nginx.
 */
class Front {
  private readonly values: Values;
  private readonly logins: readonly Logins[];
  private readonly workers: WorkerPool;
  private readonly connections: WorkerPool;
  private readonly locks = new Map<string, WorkerPool>();
  private readonly limit: AddressLimit | null;

  constructor(values: Values, logins: readonly Logins[]) {
    this.values = values;
    this.logins = logins;
    this.workers = new WorkerPool(values.workers, values.backlog);
    this.connections = new WorkerPool(values.pool ?? values.workers, values['pool-refuses'] ? 0 : Infinity);
    this.limit = values['address-limit'] === null ? null : new AddressLimit(values['address-limit']);
  }

  get gauges(): Readonly<Record<string, number>> {
    return { 'busy workers': this.workers.busy, 'waiting requests': this.workers.queued };
  }

  readonly handler: RequestHandler = async (request, response, next) => {
    response.set('Server', 'nginx');
    if (this.limit?.allows(request.socket.remoteAddress ?? '', performance.now()) === false)
      return refuse(response, 503, 'Service Temporarily Unavailable');
    try {
      await runOnWorker(this.workers, response, () => this.serve(request, response, next));
    } catch (thrown) {
      if (!(thrown instanceof QueueFull)) throw thrown;
      refuse(response, 502, 'Bad Gateway');
    }
  };

  /** Resolves when the response is complete. Until then, the request occupies its worker, its lock and, if it writes, a connection. */
  private serve(request: Request, response: Response, next: () => void): Promise<void> {
    const work = async (): Promise<void> => {
      await sleep(this.values['service-ms']);
      const ended = new Promise<void>((resolve) => void response.once('close', resolve));
      next();
      if (!response.closed) await ended;
    };
    return this.locked(request, () => (WRITES.test(request.path) ? this.withConnection(response, work) : work()));
  }

  private async withConnection(response: Response, work: () => Promise<void>): Promise<void> {
    try {
      await this.connections.run(work);
    } catch (thrown) {
      if (!(thrown instanceof QueueFull)) throw thrown;
      response.type('text/html').send(TOO_MANY_CONNECTIONS);
    }
  }

  private async locked(request: Request, work: () => Promise<void>): Promise<void> {
    const key = this.findLock(request);
    if (key === null) return work();
    const lock = this.locks.get(key) ?? new WorkerPool(1);
    this.locks.set(key, lock);
    await lock.run(work);
    if (lock.busy === 0) this.locks.delete(key);
  }

  private findLock(request: Request): string | null {
    switch (this.values.lock) {
      case 'session':
        return this.logins.flatMap((logins) => logins.find(request)?.id ?? [])[0] ?? null;
      case 'everybody':
        return WRITES.test(request.path) ? 'everybody' : null;
      default:
        return null;
    }
  }
}

function refuse(response: Response, status: number, reason: string): void {
  response
    .status(status)
    .type('text/html')
    .send(
      `<html>\n<head><title>${status} ${reason}</title></head>\n<body>\n<center><h1>${status} ${reason}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n`,
    );
}
