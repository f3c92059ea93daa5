import { Worker, workerData } from 'node:worker_threads';
import { holdTerminationBy, newTerminationLock, takeForGood, takeForGoodAtExit } from './terminationLock.ts';

/** A thread of this process, which may be ended at any time without taking the process with it. */
export interface Thread {
  readonly worker: Worker;
  /** Ends it where it stands. Resolves when it is gone, however often it is asked. */
  terminate(): Promise<void>;
}

interface StartedWith {
  readonly terminationLock: Int32Array;
  readonly data: unknown;
}

/** Of the threads that run and that nobody ends yet. */
const locks = new Set<Int32Array>();

/** Starts the file `entry` as a thread. What is given as `data` is what {@link threadData} returns there. */
export function startThread(entry: URL, name: string, data: unknown): Thread {
  const terminationLock = newTerminationLock();
  if (locks.size === 0) process.once('exit', endThreads);
  locks.add(terminationLock);
  const startedWith: StartedWith = { terminationLock, data };
  const worker = new Worker(entry, { workerData: startedWith, env: threadEnvironment(), name });
  const forget = (): void => {
    locks.delete(terminationLock);
    if (locks.size === 0) process.off('exit', endThreads);
  };
  worker.once('exit', forget);
  const end = async (): Promise<void> => {
    await takeForGood(terminationLock);
    // Where the process ends before the thread is gone, it would wait for a lock that nobody gives back.
    forget();
    await worker.terminate();
  };
  let ending: Promise<void> | null = null;
  return { worker, terminate: () => (ending ??= end()) };
}

/** To be called first thing in a thread that {@link startThread} has started: what it was given. */
export function threadData(): unknown {
  // Only startThread starts what calls this.
  const { terminationLock, data } = workerData as StartedWith;
  holdTerminationBy(terminationLock);
  return data;
}

function endThreads(): void {
  takeForGoodAtExit(locks);
}

/**
 * Secrets of the environment are no business of a thread. The compile cache is: a thread that runs sources without it erases
 * their types by WebAssembly, and V8 now and then crashes when several threads of a process do so at the same time.
 */
function threadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
