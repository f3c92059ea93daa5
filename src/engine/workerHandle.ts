import { HoldfastError, type Problem } from '#core/base/errors.ts';
import { startThread, type Thread, describeExit } from '#threads/startThread.ts';
import { fromWorkerSchema, type FromWorker, type ToWorker, type WorkerData } from '#workers/messages.ts';

export type AwaitedMessage = 'ready' | 'legEnded' | 'finished';
type MessageOf<Type extends FromWorker['type']> = Extract<FromWorker, { type: Type }>;

export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** Called if the thread has failed, or ended before it finished. */
  onLost(problem: Problem): void;
}

export class WorkerHandle {
  lost = false;
  private readonly thread: Thread;
  private readonly listener: WorkerListener;
  private readonly waiting = new Map<AwaitedMessage, (message: FromWorker | null) => void>();
  private hasFinished = false;

  constructor(entry: URL, workerData: WorkerData, youngObjectsMb: number, listener: WorkerListener) {
    this.listener = listener;
    this.thread = startThread(entry, `load-${workerData.thread}`, workerData, { maxYoungGenerationSizeMb: youngObjectsMb });
    const { worker } = this.thread;
    worker.on('message', (message: unknown) => this.take(fromWorkerSchema.parse(message)));
    worker.on('error', (error) => this.lose(crashError(error.message)));
    worker.on('exit', (code) => this.lose(crashError(describeExit(code))));
  }

  send(message: ToWorker): void {
    if (!this.lost && !this.hasFinished) this.thread.worker.postMessage(message);
  }

  /** Resolves to the next message of this type; null if the thread is lost. Must be called before the message that causes it is sent. */
  async next<Type extends AwaitedMessage>(type: Type): Promise<MessageOf<Type> | null> {
    if (this.lost) return null;
    const { promise, resolve } = Promise.withResolvers<FromWorker | null>();
    this.waiting.set(type, resolve);
    const message = await promise;
    return isOfType(message, type) ? message : null;
  }

  /** Ends an unresponsive thread. */
  async terminate(problem: Problem): Promise<void> {
    this.lose(problem);
    await this.thread.terminate();
  }

  private take(message: FromWorker): void {
    if (this.lost) return;
    if (message.type === 'finished') {
      this.hasFinished = true;
      // All its messages have arrived. Timers that are left end with the thread.
      void this.thread.terminate();
    }
    if (message.type === 'failed') {
      this.lose(message.problem);
      void this.thread.terminate();
      return;
    }
    this.listener.onMessage(message);
    if (message.type === 'ready' || message.type === 'legEnded' || message.type === 'finished') this.settle(message.type, message);
  }

  private lose(problem: Problem): void {
    if (this.lost || this.hasFinished) return;
    this.lost = true;
    this.listener.onLost(problem);
    for (const type of this.waiting.keys()) this.settle(type, null);
  }

  private settle(type: AwaitedMessage, message: FromWorker | null): void {
    const resolve = this.waiting.get(type);
    this.waiting.delete(type);
    resolve?.(message);
  }
}

function isOfType<Type extends FromWorker['type']>(message: FromWorker | null, type: Type): message is MessageOf<Type> {
  return message?.type === type;
}

function crashError(detail: string): HoldfastError {
  return new HoldfastError({
    code: 'WORKER_LOST',
    message: `A load thread of this computer stopped unexpectedly: ${detail}.`,
    hint: 'Everything measured until then is kept. Probably the thread ran out of memory. Use fewer connections, then run again.',
  });
}
