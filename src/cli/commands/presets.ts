import { roleSql } from '#core/presets/database.ts';
import { conditionWords } from '#core/presets/conditions.ts';
import type { Preset, Question } from '#core/presets/schema.ts';
import { printIssues, textTable } from '../output/problems.ts';
import { jsonText } from '../output/jsonFile.ts';
import { readPresets } from '../plans/source.ts';
import type { AddCommand } from '../context.ts';
import { WRITTEN_FORMS } from '#core/plan/secretReference.ts';

export const addPresets: AddCommand = (program, { context }) => {
  program
    .command('presets')
    .description('list the presets, each with its questions')
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { presets, issues } = await readPresets(context.presetsDirectory);
      await printIssues(context.err, issues);
      await context.out.write(flags.json === true ? jsonText({ presets }) : presets.map(presetText).join('\n'));
    });
};

function presetText(preset: Preset): string {
  const questions = preset.questions.map((question) => ['   ', `${question.id}=${question.default}`, questionText(question)]);
  const rows = [['   ', 'target=URL', 'the server; separate several by commas'], ...questions];
  const origin = preset.origin === '' ? '' : ` (${preset.origin})`;
  return `${preset.id}: ${preset.title}\n  ${preset.story}${origin}\n${textTable(rows)}`;
}

function questionText(question: Question): string {
  const condition = conditionWords(question.when);
  return condition === '' ? askedText(question) : `${askedText(question)} (asked only ${condition})`;
}

function askedText(question: Question): string {
  switch (question.kind) {
    case 'choice':
      return `${question.label} ${question.options.map(({ value, label }) => `${value}: ${label}`).join('; ')}`;
    case 'number':
      return `${question.label}${question.unit === '' ? '' : ` [${question.unit}]`}`;
    case 'text':
      return question.label;
    case 'pages':
      return `${question.label} [paths, separated by spaces; see also: holdfast crawl]`;
    case 'secret':
      return `${question.label} [${WRITTEN_FORMS}]`;
    case 'database':
      return `${question.label} [postgres://user:password@host:port/database, ${WRITTEN_FORMS}] A role for it: ${roleSql(question.counted).replaceAll('\n', ' ')}`;
    default:
      return question satisfies never;
  }
}
