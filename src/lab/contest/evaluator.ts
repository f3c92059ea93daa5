import { z } from 'zod';
import { burn } from '../workerPool.ts';
import type { Part } from '../supervisor/part.ts';

const settingsSchema = z.object({ cpuMs: z.number() });

/** As monitors find it, which know a program by the first 15 letters of its name. */
const NAME = 'cms-evaluator';

/** An evaluator that compiles and runs solutions: `burn` takes as much of a processor as one needs, and tells how much that was. */
export function startEvaluator(given: unknown): Promise<Part> {
  const { cpuMs } = settingsSchema.parse(given);
  process.title = NAME;
  return Promise.resolve({
    facts: {},
    commands: { burn: () => ({ cpuMs: burn(cpuMs) }) },
    close: () => Promise.resolve(),
  });
}
