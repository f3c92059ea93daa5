import { setTimeout as delay } from 'node:timers/promises';
import { type ResourceLimits, Worker, workerData } from 'node:worker_threads';

/**
 * Node aborts its whole process when a thread ends between the creation of a zlib handle and its initialisation (`close before init` in
 * node_zlib.cc), be it terminated or taken along by the end of the process. So a thread holds a lock while it packs or unpacks, and
 * whoever ends the thread takes that lock for good.
 */

const FREE = 0;
const HELD = 1;
/** Longer than the largest body takes to unpack. */
const LONGEST_HOLD_MS = 5_000;

function newTerminationLock(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

let ownLock: Int32Array | null = null;

/** Says once, in a thread that another one may end, which lock stands for it. */
function holdTerminationBy(lock: Int32Array): void {
  ownLock = lock;
}

/** Does what must not be cut short by the end of this thread. Not to be nested. */
export function notTerminated<Result>(act: () => Result): Result {
  const lock = ownLock;
  if (lock === null) return act();
  // Taken by another thread, it is never given back: this one sleeps until its end.
  while (!take(lock)) Atomics.wait(lock, 0, HELD);
  try {
    return act();
  } finally {
    Atomics.store(lock, 0, FREE);
  }
}

/** Takes the lock of a thread that is about to be terminated. A thread that hangs while it holds it is waited for {@link LONGEST_HOLD_MS}. */
async function takeForGood(lock: Int32Array): Promise<void> {
  const giveUpAtMs = performance.now() + LONGEST_HOLD_MS;
  while (!take(lock) && performance.now() < giveUpAtMs) await delay(1);
}

/** The same where the process ends, and nothing asynchronous happens any more. */
function takeForGoodAtExit(locks: Iterable<Int32Array>): void {
  const giveUpAtMs = performance.now() + LONGEST_HOLD_MS;
  for (const lock of locks) while (!take(lock) && performance.now() < giveUpAtMs) Atomics.wait(lock, 0, HELD, 1);
}

function take(lock: Int32Array): boolean {
  return Atomics.compareExchange(lock, 0, FREE, HELD) === FREE;
}

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
export function startThread(entry: URL, name: string, data: unknown, resourceLimits: ResourceLimits = {}): Thread {
  const terminationLock = newTerminationLock();
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

/** Why a thread is gone that ended by itself, by the code of its event `exit`. */
export function endedWith(code: number): string {
  return `it ended with code ${code}`;
}
