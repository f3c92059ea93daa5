import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonLog } from './logFile.ts';
import type { AccessLogEntry } from './readLog.ts';
import type { WorkerPool } from './workerPool.ts';

/** Time during which a worker processed a request, on the clock of `process.hrtime`. `toNs` is null until the end. */
interface WorkSpan {
  readonly fromNs: bigint;
  toNs: bigint | null;
}
const workSpans = new WeakMap<ServerResponse, WorkSpan>();

/** Runs a request's job on a worker, and records the job's waiting and working time for the log. */
export async function runOnWorker(pool: WorkerPool, response: ServerResponse, job: () => Promise<void>): Promise<void> {
  await pool.run(async () => {
    const work: WorkSpan = { fromNs: process.hrtime.bigint(), toNs: null };
    workSpans.set(response, work);
    try {
      await job();
    } finally {
      work.toNs = process.hrtime.bigint();
    }
  });
}

const processorTimes = new WeakMap<ServerResponse, number>();

/** Records the processor time of a response for the log. */
export function recordCpuTime(response: ServerResponse, cpuMs: number): void {
  processorTimes.set(response, cpuMs);
}

/** Maximum number of kinds of requests that are counted separately. Others are counted together, so that memory is limited. */
const MAX_KINDS = 2_000;

/**
 * The server's own log, which is compared with the request outcomes. Counts are kept in memory. Lines are written to a file if one is
 * given.
 */
export class AccessLog {
  private readonly counts = new Map<string, number>();
  private readonly file: JsonLog<AccessLogEntry> | null;
  private received = 0;
  private responded = 0;

  private constructor(file: JsonLog<AccessLogEntry> | null) {
    this.file = file;
  }

  /** Opens the log. Throws `LOG_NOT_WRITABLE` if the file cannot be opened. */
  static async open(path: string | null): Promise<AccessLog> {
    return new AccessLog(path === null ? null : await JsonLog.open(path));
  }

  /** Number of requests whose headers have arrived. */
  get requests(): number {
    return this.received;
  }

  /** Number of responses that were sent completely. */
  get responses(): number {
    return this.responded;
  }

  /** Returns the number of complete responses of this method, path (without query) and status. */
  countOf(method: string, path: string, status: number): number {
    return this.counts.get(`${method} ${path} ${status}`) ?? 0;
  }

  /** Counts this request now, and its response when it ends. */
  watch(request: IncomingMessage, response: ServerResponse, server: string): void {
    this.received += 1;
    const startedAt = new Date();
    const startNs = process.hrtime.bigint();
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    const { method = '', url = '' } = request;
    response.once('close', () => {
      const complete = response.writableFinished;
      if (complete) this.responded += 1;
      this.count(`${method} ${url.split('?', 1)[0] ?? ''} ${response.statusCode}`, complete);
      this.file?.write({
        at: startedAt.toISOString(),
        server,
        method,
        path: url,
        status: response.statusCode,
        bytes: socket.bytesWritten - bytesBefore,
        ms: Number(process.hrtime.bigint() - startNs) / 1e6,
        complete,
        ...measureWork(response, startNs),
        cpuMs: processorTimes.get(response),
      });
    });
  }

  /** Resolves when every line is written. */
  async close(): Promise<void> {
    await this.file?.close();
  }

  private count(kind: string, complete: boolean): void {
    const key = complete ? kind : `${kind} (left)`;
    const isKnown = this.counts.has(key) || this.counts.size < MAX_KINDS;
    const slot = isKnown ? key : 'other';
    this.counts.set(slot, (this.counts.get(slot) ?? 0) + 1);
  }
}

function measureWork(response: ServerResponse, startNs: bigint): { workFromMs?: number; workMs?: number } {
  const work = workSpans.get(response);
  if (!work) return {};
  const toNs = work.toNs ?? process.hrtime.bigint();
  return { workFromMs: Number(work.fromNs - startNs) / 1e6, workMs: Number(toNs - work.fromNs) / 1e6 };
}
