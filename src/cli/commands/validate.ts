import { resolve } from 'node:path';
import { holdsSeries, parseSeries } from '#core/series/parse.ts';
import { parsePlan } from '#core/review/parse.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { feedIssues } from '../plans/files.ts';
import { readPlanFile } from '../plans/source.ts';
import type { AddCommand } from './command.ts';

export const addValidate: AddCommand = (program, { context, exit }) => {
  program
    .command('validate')
    .description('list every problem of a plan')
    .argument('<file>', 'a plan in YAML or JSON')
    .action(async (file: string) => {
      const text = await readPlanFile(file, context.currentDirectory);
      const series = holdsSeries(text) ? parseSeries(text) : null;
      const parsed = series === null ? parsePlan(text) : { plan: series.document?.plan ?? null, issues: series.issues };
      const { plan } = parsed;
      const issues = [...parsed.issues, ...(plan === null ? [] : await feedIssues(plan, resolve(context.currentDirectory, file)))];
      await printIssues(context.err, issues);
      if (!plan || hasErrors(issues)) return exit(EXIT.invalidPlan);
      await context.out.write(`${file} is valid.\n`);
    });
};
