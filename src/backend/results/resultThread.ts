import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { JsonText } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { RunHead } from '#core/result/schema.ts';
import { startThread, endedWith } from '#threads/startThread.ts';
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
  /** Entry file of the thread. */
  readonly entry: URL;
  /** Of a store that is open in this process. */
  readonly dataDirectory: string;
  readonly log: Pick<Log, 'failure'>;
  /** How a run has ended whose end the store could not be told of; null where there is none. */
  readonly unstored: () => RunHead | null;
}

interface Waiting {
  readonly resolve: (answer: JsonText) => void;
  readonly reject: (thrown: unknown) => void;
}

/** A thread takes some 60 MB, and half a second of processor to start from sources: one is kept between the questions of a page, and ended when nobody needs it for so long. */
const IDLE_MS = 30_000;
/** How long the end of the process waits for what is being made. */
const CLOSE_WAITS_MS = 10_000;

/**
 * Makes and reads results in a thread beside the event loop, with a connection of its own to the store: an hour of a run takes seconds to add up, and a load, its live view and
 * everybody else go on meanwhile. What is asked first is begun first. Only text comes back, which can be sent on as it is.
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

  /** The answer as it goes to whoever has asked. Rejects with what making it has thrown. */
  async ask<N extends QuestionName>(name: N, input: QuestionInput<N>): Promise<JsonText> {
    const worker = this.running();
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<JsonText>();
    this.waiting.set(id, { resolve, reject });
    send(worker, { type: 'question', id, name, input, unstored: this.parts.unstored() });
    try {
      return await promise;
    } finally {
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.rest();
    }
  }

  /** The answer for the backend itself: one that is small. */
  async read<N extends QuestionName>(name: N, input: QuestionInput<N>): Promise<QuestionOutput<N>> {
    const { text } = await this.ask(name, input);
    // The compiler cannot know that the schema of this name gives the output of this name.
    return questions[name].output.parse(JSON.parse(text)) as QuestionOutput<N>;
  }

  /** Ends it once it has answered, or when that takes too long. */
  async close(): Promise<void> {
    const waitsUntil = Date.now() + CLOSE_WAITS_MS;
    while (this.waiting.size > 0 && Date.now() < waitsUntil) await pause(20, undefined, { ref: false });
    this.end();
    await Promise.race([Promise.all(this.ending), pause(CLOSE_WAITS_MS, undefined, { ref: false })]);
  }

  private running(): Worker {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.ref();
    return this.worker;
  }

  private start(): Worker {
    const { entry, dataDirectory } = this.parts;
    const { worker } = startThread(entry, 'results', { dataDirectory });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.ending.add(exited);
    void exited.then(() => this.ending.delete(exited));
    worker.on('message', (raw: unknown) => this.take(fromThreadSchema.parse(raw)));
    worker.on('error', (error) => this.lose(worker, error.message));
    worker.on('exit', (code) => this.lose(worker, endedWith(code)));
    return worker;
  }

  /** Nothing is asked: it keeps no process going, and is ended when that stays so. */
  private rest(): void {
    this.worker?.unref();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  private end(): void {
    clearTimeout(this.idle);
    // The process stays until the thread has closed the store.
    this.worker?.ref();
    if (this.worker !== null) send(this.worker, { type: 'close' });
    this.worker = null;
  }

  private take(message: FromThread): void {
    switch (message.type) {
      case 'answer':
        this.waiting.get(message.id)?.resolve(new JsonText(message.text));
        return;
      case 'problem':
        this.waiting.get(message.id)?.reject(thrownOf(message));
        return;
      case 'failure':
        this.parts.log.failure(message.text, thrownOf(message));
        return;
      default:
        message satisfies never;
    }
  }

  private lose(worker: Worker, detail: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(lost(detail));
  }
}

const send = (worker: Worker, message: ToThread): void => worker.postMessage(message);

/** As it was thrown there: what nobody expected is logged with where it happened. */
function thrownOf({ problem, stack }: Pick<Extract<FromThread, { type: 'problem' }>, 'problem' | 'stack'>): Error {
  const error = stack === null ? new HoldfastError(problem) : new Error(problem.message);
  if (stack !== null) error.stack = stack;
  return error;
}

function lost(detail: string): HoldfastError {
  return new HoldfastError({
    code: 'RESULT_THREAD_LOST',
    message: `The thread that makes results stopped unexpectedly: ${detail.replace(/\.+$/, '')}.`,
    hint: 'The measurements are kept. Probably it ran out of memory: close other programs on this computer, then try again.',
  });
}
