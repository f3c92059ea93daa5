import { z } from 'zod';

const commandShape = {
  /** One line for the shell of this computer. */
  run: z.string().trim().min(1).max(2_000),
  timeoutSeconds: z.number().positive().max(3_600).default(60),
};

/** A command of a plan; it may be written as its line alone. Whoever runs one asks the person before. */
export const commandSchema = z.union([commandShape.run.transform((run) => ({ run, timeoutSeconds: 60 })), z.strictObject(commandShape)]);
export type PlanCommand = z.output<typeof commandSchema>;
