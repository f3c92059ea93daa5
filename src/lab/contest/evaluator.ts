import { z } from 'zod';
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

/** Until this process has used so much: the time that others take of the processor does not count. */
function burn(cpuMs: number): number {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const used = (user + system) / 1_000;
    if (used >= cpuMs) return used;
    for (let value = 0; value < 20_000; value += 1) Math.sqrt(value);
  }
}
