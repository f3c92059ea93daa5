import type { WriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeLogFile, openLogFile } from './logFile.ts';
import type { AccessLogEntry } from './readLog.ts';
import type { WorkerPool } from './workerPool.ts';

/** From when to when a worker had a request, on the clock of `process.hrtime`. */
interface Work {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}
const works = new WeakMap<ServerResponse, Work>();

/** Lets a worker do what a request needs, and notes for the log how long it waited for that and how long it took. */
export async function onWorker(pool: WorkerPool, response: ServerResponse, job: () => Promise<void>): Promise<void> {
  await pool.run(async () => {
    const fromNs = process.hrtime.bigint();
    try {
      await job();
    } finally {
      works.set(response, { fromNs, toNs: process.hrtime.bigint() });
    }
  });
}

const processorTimes = new WeakMap<ServerResponse, number>();

/** Notes for the log how much of a processor an answer took. */
export function tookProcessor(response: ServerResponse, cpuMs: number): void {
  processorTimes.set(response, cpuMs);
}

/** More different requests than this are counted together, so that the log cannot grow without bound. */
const MAX_KINDS = 2_000;

/**
 * What the server itself saw: the second opinion that a ledger is compared with. Counts are kept in memory, lines go to a
 * file when one was named.
 */
export class AccessLog {
  private readonly counts = new Map<string, number>();
  private readonly file: WriteStream | null;
  private received = 0;
  private answered = 0;

  private constructor(file: WriteStream | null) {
    this.file = file;
  }

  /** Throws `LOG_NOT_WRITABLE` when the file cannot be opened. */
  static async open(path: string | null): Promise<AccessLog> {
    if (path === null) return new AccessLog(null);
    return new AccessLog(await openLogFile(path));
  }

  /** Requests whose head arrived, answered or not. */
  get requests(): number {
    return this.received;
  }

  /** Requests whose answer was sent completely. */
  get answers(): number {
    return this.answered;
  }

  /** Complete answers of this method, path (without query) and status. */
  countOf(method: string, path: string, status: number): number {
    return this.counts.get(`${method} ${path} ${status}`) ?? 0;
  }

  /** Notes this request now and its answer when it is over. */
  watch(request: IncomingMessage, response: ServerResponse, server: string): void {
    this.received += 1;
    const startedAt = new Date();
    const startNs = process.hrtime.bigint();
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    const { method = '', url = '' } = request;
    response.once('close', () => {
      const complete = response.writableFinished;
      if (complete) this.answered += 1;
      this.count(`${method} ${url.split('?', 1)[0] ?? ''} ${response.statusCode}`, complete);
      this.write({
        at: startedAt.toISOString(),
        server,
        method,
        path: url,
        status: response.statusCode,
        bytes: socket.bytesWritten - bytesBefore,
        ms: Number(process.hrtime.bigint() - startNs) / 1e6,
        complete,
        ...workOf(response, startNs),
        cpuMs: processorTimes.get(response),
      });
    });
  }

  /** Resolves when every line is in the file. */
  async close(): Promise<void> {
    if (this.file) await closeLogFile(this.file);
  }

  private count(kind: string, complete: boolean): void {
    const key = complete ? kind : `${kind} (left)`;
    const known = this.counts.has(key) || this.counts.size < MAX_KINDS;
    const slot = known ? key : 'other';
    this.counts.set(slot, (this.counts.get(slot) ?? 0) + 1);
  }

  private write(entry: AccessLogEntry): void {
    this.file?.write(`${JSON.stringify(entry)}\n`);
  }
}

function workOf(response: ServerResponse, startNs: bigint): { workFromMs?: number; workMs?: number } {
  const work = works.get(response);
  return work ? { workFromMs: Number(work.fromNs - startNs) / 1e6, workMs: Number(work.toNs - work.fromNs) / 1e6 } : {};
}
