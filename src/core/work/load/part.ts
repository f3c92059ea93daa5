import { z } from 'zod';

/**
 * Returns the share of `total` for worker `index` of `count`. The shares add up to `total` and differ by at most 1; the first workers take
 * the remainder. Throws a RangeError for an index outside [0, count).
 */
export function share(total: number, index: number, count: number): number {
  if (!(index >= 0 && index < count)) throw new RangeError(`There is no part ${index} of ${count}.`);
  return Math.floor(total / count) + (index < total % count ? 1 : 0);
}

/**
 * Part of a load for one of several generators. All generators have the same number of threads. Thread t of generator g is thread t ·
 * generators + g of all threads, so that dividing by thread also divides evenly among generators.
 */
export const loadPartSchema = z.strictObject({
  generator: z.int().min(0),
  generators: z.int().min(1),
  /** Number of threads per generator. */
  threads: z.int().min(1),
});
export type LoadPart = z.infer<typeof loadPartSchema>;

/** Returns the number of a thread among all threads, and their total. `threads` is the total of a load with one generator. */
export function threadAmongAll(
  part: LoadPart | undefined,
  thread: number,
  threads: number,
): { readonly thread: number; readonly threads: number } {
  if (part === undefined) return { thread, threads };
  return { thread: thread * part.generators + part.generator, threads: part.threads * part.generators };
}
