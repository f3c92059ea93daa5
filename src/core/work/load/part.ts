import { z } from 'zod';

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
