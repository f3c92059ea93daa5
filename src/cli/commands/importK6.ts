import { InvalidArgumentError } from 'commander';
import { HoldfastError } from '#core/base/errors.ts';
import { parsePlan } from '#core/review/parse.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { readPlanFile } from '../plans/source.ts';
import { withBackend, type CommandHost } from './command.ts';

export interface K6ImportFlags {
  readonly run?: string;
  readonly plan?: string;
  readonly days: number;
}

const MAX_DAYS = 400;

/** Imports a finished k6 run from Prometheus into the history. */
export async function importK6(address: string, { run, plan: file, days }: K6ImportFlags, { context, exit }: CommandHost): Promise<void> {
  if (run === undefined || file === undefined) throw incomplete();
  const { plan, issues } = parsePlan(await readPlanFile(file, context.currentDirectory));
  if (plan === null || hasErrors(issues)) {
    await printIssues(context.err, issues);
    return exit(EXIT.invalidPlan);
  }
  await withBackend(context, async (backend) => {
    const { runId } = await backend.client().call('runs.importK6', { url: address, run, plan, days });
    await context.out.write(`${runId}\n`);
    await context.err.write(`The run “${run}” is in the history as ${runId}: holdfast show ${runId}\n`);
  });
}

export function daysOf(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidArgumentError(`Enter a number of days, from 1 to ${MAX_DAYS}.`);
  return days;
}

function incomplete(): HoldfastError {
  return new HoldfastError({
    code: 'K6_IMPORT',
    message: 'To import a run of k6, give its name and the plan that it was exported from.',
    hint: 'holdfast import k6-prometheus http://prometheus:9090 --run NAME --plan plan.yaml',
  });
}
