import { z } from 'zod';
import { burn } from '../workerPool.ts';
import type { Part } from '../supervisor/part.ts';

const settingsSchema = z.object({ cpuMs: z.number() });

/** The process title, which monitors find by its first 15 characters. */
const NAME = 'cms-evaluator';

/** Starts an evaluator. Its command `burn` uses the processor time of one evaluation and returns it. */
export function startEvaluator(given: unknown): Promise<Part> {
  const { cpuMs } = settingsSchema.parse(given);
  process.title = NAME;
  return Promise.resolve({
    facts: {},
    commands: { burn: () => ({ cpuMs: burn(cpuMs) }) },
    close: () => Promise.resolve(),
  });
}
