import { setTimeout as delay } from 'node:timers/promises';

/**
 * Node aborts its whole process when a thread ends between the creation of a zlib handle and its initialisation (`close before init` in
 * node_zlib.cc), be it terminated or taken along by the end of the process. So a thread holds a lock while it packs or unpacks, and
 * whoever ends the thread takes that lock for good.
 */

const FREE = 0;
const HELD = 1;
/** Longer than the largest body takes to unpack. */
const LONGEST_HOLD_MS = 5_000;

export function newTerminationLock(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

let ownLock: Int32Array | null = null;

/** Says once, in a thread that another one may end, which lock stands for it. */
export function holdTerminationBy(lock: Int32Array): void {
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
export async function takeForGood(lock: Int32Array): Promise<void> {
  const giveUpAtMs = performance.now() + LONGEST_HOLD_MS;
  while (!take(lock) && performance.now() < giveUpAtMs) await delay(1);
}

/** The same where the process ends, and nothing asynchronous happens any more. */
export function takeForGoodAtExit(locks: Iterable<Int32Array>): void {
  const giveUpAtMs = performance.now() + LONGEST_HOLD_MS;
  for (const lock of locks) while (!take(lock) && performance.now() < giveUpAtMs) Atomics.wait(lock, 0, HELD, 1);
}

function take(lock: Int32Array): boolean {
  return Atomics.compareExchange(lock, 0, FREE, HELD) === FREE;
}
