import { z } from 'zod';

/**
 * The part of `total` whole things that the `index`th of `count` workers does. Every worker computes its own part without
 * asking the others; the parts sum to `total` and differ by at most 1, the first workers taking the rest.
 * Throws a RangeError for an index outside [0, count).
 */
export function share(total: number, index: number, count: number): number {
  if (!(index >= 0 && index < count)) throw new RangeError(`There is no part ${index} of ${count}.`);
  return Math.floor(total / count) + (index < total % count ? 1 : 0);
}

/**
 * Which part of a load one of several generators makes. Each has as many threads as the others, and thread t of generator g is thread
 * t · generators + g of all of them: what threads divide by arithmetic is thereby divided among generators, evenly.
 */
export const loadPartSchema = z.strictObject({
  generator: z.int().min(0),
  generators: z.int().min(1),
  /** Of each generator. */
  threads: z.int().min(1),
});
export type LoadPart = z.infer<typeof loadPartSchema>;

/** Number of a generator's thread among all threads, and how many there are; `threads` of a load that is made in one place. */
export function threadAmongAll(
  part: LoadPart | undefined,
  thread: number,
  threads: number,
): { readonly thread: number; readonly threads: number } {
  if (part === undefined) return { thread, threads };
  return { thread: thread * part.generators + part.generator, threads: part.threads * part.generators };
}
