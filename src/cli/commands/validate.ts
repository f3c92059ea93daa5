import { parsePlan } from '#core/plan/parse.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { readPlanFile } from '../plans/source.ts';
import type { AddCommand } from './command.ts';

export const addValidate: AddCommand = (program, { context, exit }) => {
  program
    .command('validate')
    .description('list every problem of a plan')
    .argument('<file>', 'a plan in YAML or JSON')
    .action(async (file: string) => {
      const { plan, issues } = parsePlan(await readPlanFile(file, context.currentDirectory));
      await printIssues(context.err, issues);
      if (!plan || hasErrors(issues)) return exit(EXIT.invalidPlan);
      await context.out.write(`${file} is valid.\n`);
    });
};
