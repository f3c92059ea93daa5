import { Option } from 'commander';
import { judgeGate } from '#core/comparison/baseline.ts';
import { type Aspect, ASPECTS } from '#core/comparison/schema.ts';
import { formatComparisonJunit } from '#core/presentation/formats/junitFormat.ts';
import { EXIT_OF_GATE } from '../exitCodes.ts';
import { comparisonText } from '../output/problems.ts';
import { jsonText, openTextDestination, standardOutputTwice } from '../output/jsonFile.ts';
import { findSides } from '../running/findRun.ts';
import { addTolerance } from './baselineOptions.ts';
import { type AddCommand, withClient } from '../context.ts';

interface CompareFlags {
  readonly json?: string;
  readonly junit?: string;
  readonly asked?: Aspect;
  readonly tolerance: number;
}

export const addCompare: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('compare')
    .description('compare runs side by side: differences beyond normal run-to-run variation')
    .argument(
      '<runs...>',
      'one side each: RUN, RUN,RUN,… (repeats of one test) or the id of a series; NAME=RUN,… names it. The first is the baseline',
    )
    .option('--json <file>', 'save the comparison as JSON; - writes it to standard output instead of the text')
    .option('--junit <file>', 'save it as JUnit XML: a worse figure is a failure')
    .addOption(
      new Option('--asked <what>', 'what you changed on purpose; if anything else differs, no difference is claimed').choices(ASPECTS),
    );
  addTolerance(command)
    .addHelpText('after', '\nUse five or more runs on each side. Exit codes: 0 nothing is worse, 94 a figure is worse, 98 inconclusive.')
    .action(async (sides: string[], { json, junit, asked, tolerance }: CompareFlags) => {
      if (json === '-' && junit === '-') throw standardOutputTwice();
      const comparison = await withClient(context, async (client) => {
        return client.call('comparisons.make', { sides: await findSides(client, sides), asked: asked ?? null });
      });
      const files = [
        ...(json === undefined ? [] : [{ file: json, content: jsonText(comparison) }]),
        ...(junit === undefined ? [] : [{ file: junit, content: formatComparisonJunit(comparison, tolerance) }]),
      ];
      if (files.every(({ file }) => file !== '-')) await context.out.write(comparisonText(comparison));
      for (const { file, content } of files) {
        const destination = await openTextDestination(file, context.currentDirectory, context.out);
        try {
          await destination.save(content);
        } finally {
          await destination.discard();
        }
      }
      exit(EXIT_OF_GATE[judgeGate(comparison, tolerance)]);
    });
};
