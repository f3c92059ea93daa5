import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { runOnWorker } from '../accessLog.ts';
import { QueueFull, WorkerPool } from '../workerPool.ts';
import type { Values } from './options.ts';
import type { Logins } from './logins.ts';

/** Matches paths of requests that start an attempt or save what pupils entered. */
const WRITES = /start|execute|process|autosave/;

/** A token bucket for the requests from one address: `perSecond` tokens are added per second, up to the same number. */
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

/** Everything in front of the pages, like nginx and PHP-FPM, whose error pages are those of nginx: a rate limit per address, workers with a backlog, session locks and a database pool. */
export class Front {
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
    this.connections = new WorkerPool(values.pool ?? values.workers);
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

  /** Resolves when the response is complete. Until then, the request occupies its worker, its lock and a database connection. */
  private serve(request: Request, response: Response, next: () => void): Promise<void> {
    const work = async (): Promise<void> => {
      await sleep(this.values['service-ms']);
      const ended = new Promise<void>((resolve) => void response.once('close', resolve));
      next();
      if (!response.closed) await ended;
    };
    return this.locked(request, () => (WRITES.test(request.path) ? this.connections.run(work) : work()));
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
