import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { JsonText } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { RunHead } from '#core/result/schema.ts';
import { startThread, describeExit } from '#threads/startThread.ts';
import type { Log } from '#backend/log.ts';
import {
  fromThreadSchema,
  questions,
  type FromThread,
  type QuestionInput,
  type QuestionName,
  type QuestionOutput,
  type ToThread,
} from './questions.ts';

export interface ResultThreadParts {
  readonly entry: URL;
  /** Data directory of a store that is open in this process. */
  readonly dataDirectory: string;
  /** Version of this Holdfast. */
  readonly version: string;
  readonly log: Pick<Log, 'failure'>;
  /** Returns the head of a run whose end could not be stored, or null. */
  readonly unstored: () => RunHead | null;
}

interface Waiting {
  readonly resolve: (reply: JsonText) => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Idle time after which the thread ends. The thread takes 60 MB, and half a second of CPU time to start from sources, so it is kept between
 * the requests of a page.
 */
const IDLE_MS = 30_000;
/** Maximum time that the end of the process is delayed by requests in progress. */
const MAX_CLOSE_MS = 10_000;

/**
 * Computes and reads results in a separate thread with its own connection to the store. Adding up an hour of a run takes seconds, during
 * which the load and the live view continue. Requests start in order. Replies are JSON text, which is passed on unparsed.
 */
export class ResultThread {
  private readonly parts: ResultThreadParts;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly ending = new Set<Promise<void>>();

  constructor(parts: ResultThreadParts) {
    this.parts = parts;
  }

  /** Sends a request to the thread. Returns the reply as JSON text. Rejects with the error of the thread. */
  async ask<N extends QuestionName>(name: N, input: QuestionInput<N>): Promise<JsonText> {
    const worker = this.ensureRunning();
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<JsonText>();
    this.waiting.set(id, { resolve, reject });
    send(worker, { type: 'question', id, name, input, unstored: this.parts.unstored() });
    try {
      return await promise;
    } finally {
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.becomeIdle();
    }
  }

  /** Returns a small reply, parsed, for the backend itself. */
  async read<N extends QuestionName>(name: N, input: QuestionInput<N>): Promise<QuestionOutput<N>> {
    const { text } = await this.ask(name, input);
    // The compiler cannot know that the schema of this name has the output of this name.
    return questions[name].output.parse(JSON.parse(text)) as QuestionOutput<N>;
  }

  /** Ends the thread after its current requests, or after a time limit. */
  async close(): Promise<void> {
    const waitsUntil = Date.now() + MAX_CLOSE_MS;
    while (this.waiting.size > 0 && Date.now() < waitsUntil) await pause(20, undefined, { ref: false });
    this.end();
    await Promise.race([Promise.all(this.ending), pause(MAX_CLOSE_MS, undefined, { ref: false })]);
  }

  private ensureRunning(): Worker {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.ref();
    return this.worker;
  }

  private start(): Worker {
    const { entry, dataDirectory, version } = this.parts;
    const { worker } = startThread(entry, 'results', { dataDirectory, version });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.ending.add(exited);
    void exited.then(() => this.ending.delete(exited));
    worker.on('message', (raw: unknown) => this.receive(fromThreadSchema.parse(raw)));
    worker.on('error', (error) => this.onLoss(worker, error.message));
    worker.on('exit', (code) => this.onLoss(worker, describeExit(code)));
    return worker;
  }

  /** Marks the thread as idle. An idle thread does not keep the process alive, and ends after the idle time. */
  private becomeIdle(): void {
    this.worker?.unref();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  private end(): void {
    clearTimeout(this.idle);
    // Keeps the process alive until the thread has closed the store.
    this.worker?.ref();
    if (this.worker !== null) send(this.worker, { type: 'close' });
    this.worker = null;
  }

  private receive(message: FromThread): void {
    switch (message.type) {
      case 'reply':
        this.waiting.get(message.id)?.resolve(new JsonText(message.text));
        return;
      case 'problem':
        this.waiting.get(message.id)?.reject(toThrown(message));
        return;
      case 'failure':
        this.parts.log.failure(message.text, toThrown(message));
        return;
      default:
        message satisfies never;
    }
  }

  private onLoss(worker: Worker, detail: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(threadLost(detail));
  }
}

const send = (worker: Worker, message: ToThread): void => worker.postMessage(message);

/** Recreates an error that was thrown in the thread. Internal errors keep their stack for the log. */
function toThrown({ problem, stack }: Pick<Extract<FromThread, { type: 'problem' }>, 'problem' | 'stack'>): Error {
  const error = stack === null ? new HoldfastError(problem) : new Error(problem.message);
  if (stack !== null) error.stack = stack;
  return error;
}

function threadLost(detail: string): HoldfastError {
  return new HoldfastError({
    code: 'RESULT_THREAD_LOST',
    message: `The thread that makes results stopped unexpectedly: ${detail.replace(/\.+$/, '')}.`,
    hint: 'The measurements are kept. Probably it ran out of memory: close other programs on this computer, then try again.',
  });
}
