import { setTimeout as delay } from 'node:timers/promises';
// oxlint-disable-next-line no-restricted-imports -- this file starts all threads
import { type ResourceLimits, Worker, workerData } from 'node:worker_threads';

/**
 * Node aborts its whole process if a thread ends between the creation of a zlib handle and its initialisation (`close before init` in
 * node_zlib.cc). Both termination of the thread and exit of the process can end it. Therefore a thread holds a lock while it compresses or
 * decompresses, and code that ends the thread first takes this lock and never releases it.
 */

const LOCK_FREE = 0;
const LOCK_HELD = 1;
/** Maximum time to wait for the lock. It is longer than the largest body takes to decompress. */
const MAX_LOCK_WAIT_MS = 5_000;

function createTerminationLock(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

let ownLock: Int32Array | null = null;

function holdTerminationBy(lock: Int32Array): void {
  ownLock = lock;
}

/** Runs a function that the termination of this thread must not interrupt. Must not be nested. */
export function withTerminationLock<Result>(act: () => Result): Result {
  const lock = ownLock;
  if (lock === null) return act();
  // If the terminating thread has taken the lock, it never releases it: this thread then sleeps until its end.
  while (!take(lock)) Atomics.wait(lock, 0, LOCK_HELD);
  try {
    return act();
  } finally {
    Atomics.store(lock, 0, LOCK_FREE);
  }
}

/** Takes the lock of a thread that is about to be terminated. Waits for it at most {@link MAX_LOCK_WAIT_MS}. */
async function takeForGood(lock: Int32Array): Promise<void> {
  const giveUpAtMs = performance.now() + MAX_LOCK_WAIT_MS;
  while (!take(lock) && performance.now() < giveUpAtMs) await delay(1);
}

/** Does the same as {@link takeForGood} synchronously, for the exit of the process. */
function takeForGoodAtExit(locks: Iterable<Int32Array>): void {
  const giveUpAtMs = performance.now() + MAX_LOCK_WAIT_MS;
  for (const lock of locks) while (!take(lock) && performance.now() < giveUpAtMs) Atomics.wait(lock, 0, LOCK_HELD, 1);
}

function take(lock: Int32Array): boolean {
  return Atomics.compareExchange(lock, 0, LOCK_FREE, LOCK_HELD) === LOCK_FREE;
}

/** A thread of this process that may be ended at any time without aborting the process. */
export interface Thread {
  readonly worker: Worker;
  /** Ends the thread at once. Resolves when it has ended. May be called repeatedly. */
  terminate(): Promise<void>;
}

interface StartedWith {
  readonly terminationLock: Int32Array;
  readonly data: unknown;
}

/** Locks of the running threads that are not being ended. */
const locks = new Set<Int32Array>();

/** Starts the file `entry` as a thread. In the thread, {@link threadData} returns `data`. */
export function startThread(entry: URL, name: string, data: unknown, resourceLimits: ResourceLimits = {}): Thread {
  const terminationLock = createTerminationLock();
  if (locks.size === 0) process.once('exit', endThreads);
  locks.add(terminationLock);
  const startedWith: StartedWith = { terminationLock, data };
  const worker = new Worker(entry, { workerData: startedWith, env: threadEnvironment(), name, resourceLimits });
  const forget = (): void => {
    locks.delete(terminationLock);
    if (locks.size === 0) process.off('exit', endThreads);
  };
  worker.once('exit', forget);
  const end = async (): Promise<void> => {
    await takeForGood(terminationLock);
    // If the lock were still listed, the exit of the process would wait for it, although it is never released.
    forget();
    await worker.terminate();
  };
  let ending: Promise<void> | null = null;
  return { worker, terminate: () => (ending ??= end()) };
}

/** Returns the data for a thread that {@link startThread} started. The thread must call it first. */
export function threadData(): unknown {
  // Only threads that startThread started call threadData.
  const { terminationLock, data } = workerData as StartedWith;
  holdTerminationBy(terminationLock);
  return data;
}

function endThreads(): void {
  takeForGoodAtExit(locks);
}

/**
 * Returns the environment of a thread: no secrets, only the compile cache. Without the cache, a thread that runs sources strips their types
 * by WebAssembly, and V8 sometimes crashes if several threads do so at once.
 */
function threadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** Describes why a thread ended by itself, from the code of its event `exit`. */
export function describeExit(code: number): string {
  return `it ended with code ${code}`;
}
