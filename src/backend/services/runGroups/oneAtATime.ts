import { problemOf } from '#core/base/errors.ts';
import type { Sink } from '#contract/rpc/server.ts';
import type { Ending } from '#core/result/schema.ts';
import { CLOSED } from '../endings.ts';

/** Calls `work` soon, then at most once per interval, including once after the last call. */
function throttle(work: () => void, everyMs: number): { call: () => void; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, everyMs);
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Long work over several runs. A process has at most one. */
interface LongWork {
  readonly id: string;
  /** Resolves when it has ended; never rejects. */
  readonly done: Promise<unknown>;
  stop(because: Ending): void;
}

/** Reads the current result of the work. */
export interface WatchedResult<Result> {
  /** Throws if there is none with that id. */
  read(id: string): Result;
  isEnded(result: Result): boolean;
  /** Ends work in the store whose process has ended. */
  recover(): Promise<void> | void;
}

/** Minimum interval between two items for a reader. */
const UPDATE_INTERVAL_MS = 500;
const HEARTBEAT_INTERVAL_MS = 5_000;
const MAX_CLOSE_MS = 15_000;

/** Holds the long work of this process: sends heartbeats to the store, and notifies readers of changes. */
export class OneAtATime<Work extends LongWork> {
  private work: Work | null = null;
  private readonly watchers = new Set<() => void>();

  get current(): Work | null {
    return this.work;
  }

  readonly tell = (): void => this.watchers.forEach((tell) => tell());

  hold(work: Work, beat: () => void): void {
    this.work = work;
    const beating = setInterval(beat, HEARTBEAT_INTERVAL_MS);
    void work.done.then(() => {
      clearInterval(beating);
      this.work = null;
      this.tell();
    });
  }

  /** Sends a reader each changed result until the work has ended. Returns a function that removes the reader. */
  watch<Result>(id: string, { read, isEnded, recover }: WatchedResult<Result>, sink: Sink<Result>): () => void {
    let last = '';
    let hasLeft = false;
    const tell = async (): Promise<void> => {
      try {
        if (this.work?.id !== id) await recover();
        if (hasLeft) return;
        const current = read(id);
        const text = JSON.stringify(current);
        if (text !== last) sink.item(current);
        last = text;
        if (!isEnded(current)) return;
        leave();
        sink.end();
      } catch (thrown) {
        leave();
        sink.end(problemOf(thrown));
      }
    };
    const throttled = throttle(() => void tell(), UPDATE_INTERVAL_MS);
    // Work of this process notifies directly; that of another process is polled from the store.
    const poll = (): void => (this.work?.id === id ? undefined : throttled.call());
    const timer = setInterval(poll, 2 * UPDATE_INTERVAL_MS);
    this.watchers.add(throttled.call);
    const leave = (): void => {
      hasLeft = true;
      clearInterval(timer);
      throttled.cancel();
      this.watchers.delete(throttled.call);
    };
    void tell();
    return leave;
  }

  async close(): Promise<void> {
    if (!this.work) return;
    this.work.stop(CLOSED);
    await Promise.race([this.work.done, new Promise((resolve) => setTimeout(resolve, MAX_CLOSE_MS).unref())]);
  }
}
