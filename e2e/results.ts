import { z } from 'zod';
import { runHoldfast } from './processes.ts';

/** The parts of `holdfast show RUN --json` that tests use. The whole contract is covered by other tests. */
const resultSchema = z.object({
  run: z.object({ id: z.string(), state: z.string() }),
  balances: z.boolean(),
  outcomes: z.object({ requests: z.record(z.string(), z.number()) }),
  windows: z.array(z.unknown()),
});
const listSchema = z.object({ runs: z.array(z.object({ id: z.string(), state: z.string(), target: z.string() })) });

export type Result = z.infer<typeof resultSchema>;

/** Returns the runs in the store, newest first, as the command line lists them. */
export async function listRuns(home: string): Promise<z.infer<typeof listSchema>['runs']> {
  return listSchema.parse(JSON.parse(await readOutput(['runs', '--json', '--all'], home))).runs;
}

export async function showRun(runId: string, home: string): Promise<Result> {
  return resultSchema.parse(JSON.parse(await readOutput(['show', runId, '--json'], home)));
}

async function readOutput(args: readonly string[], home: string): Promise<string> {
  const { code, output } = await runHoldfast(args, home).ended;
  if (code !== 0) throw new Error(`holdfast ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
