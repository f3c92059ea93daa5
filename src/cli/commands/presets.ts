import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { roleSql } from '#core/presets/database.ts';
import { formatCondition } from '#core/presets/conditions.ts';
import type { Preset, Question } from '#core/presets/schema.ts';
import { printIssues, textTable } from '../output/problems.ts';
import { jsonText } from '../output/jsonFile.ts';
import { addPreset, readPresets, removePreset } from '#backend/presets/presetFiles.ts';
import { listCombinations, parsePreset } from '#core/presets/parse.ts';
import { presetFromPlan } from '#core/presets/fromPlan.ts';
import { parsePlan } from '#core/review/check.ts';
import { EXIT } from '../exitCodes.ts';
import { readPlanFile } from '../plans/source.ts';
import type { AddCommand } from '../context.ts';
import { REFERENCE_FORMS } from '#core/plan/secretReference.ts';

export const addPresets: AddCommand = (program, host) => {
  const { context } = host;
  const folders = { shipped: context.presetsDirectory, added: context.addedPresetsDirectory };
  const presets = program
    .command('presets')
    .description('list the presets with their questions, and manage your own')
    .option('--json', 'print the presets as JSON')
    .action(async (flags: { json?: boolean }) => {
      const library = await readPresets(folders);
      await printIssues(context.err, library.issues);
      const text = library.presets.map((preset) => presetText(preset, library.added.includes(preset.id))).join('\n');
      await context.out.write(flags.json === true ? jsonText({ presets: library.presets, added: library.added }) : text);
    });
  presets
    .command('add')
    .description('add a preset from a file, after checking it')
    .argument('<file>')
    .option('--replace', 'replace an added preset with the same id')
    .action(async (path: string, flags: { replace?: boolean }) => {
      const preset = await addPreset(folders, await readPlanFile(path, context.currentDirectory), flags.replace === true);
      await context.out.write(
        `Added “${preset.title}”${preset.origin === '' ? '' : ` (${preset.origin})`}. Holdfast asks before it runs anything that the preset names.\n` +
          `Read it: holdfast describe ${preset.id}\nRun it: holdfast run ${preset.id} --set target=URL\n`,
      );
    });
  presets
    .command('remove')
    .description('remove an added preset')
    .argument('<id>')
    .action(async (id: string) => {
      await removePreset(folders, id);
      await context.out.write(`Removed ${id}.\n`);
    });
  presets
    .command('check')
    .description('check a preset file: build its plan with the combinations of its choices')
    .argument('<file>')
    .action(async (path: string) => {
      const { preset, issues } = parsePreset(await readPlanFile(path, context.currentDirectory));
      await printIssues(context.err, issues);
      if (preset === null) return host.exit(EXIT.invalidPlan);
      const count = listCombinations(preset).length;
      await context.out.write(
        `“${preset.title}” is valid: ${count === 1 ? 'its plan was built' : `${count} plans were built, one for each combination of choices`}.\n`,
      );
    });
  presets
    .command('from')
    .description('make a preset from a plan: its numbers and files become questions')
    .argument('<plan file>')
    .option('-o, --output <file>', 'a new file for the preset (default: standard output)')
    .action(async (path: string, flags: { output?: string }) => {
      const { plan, issues } = parsePlan(await readPlanFile(path, context.currentDirectory));
      await printIssues(context.err, issues);
      if (plan === null) return host.exit(EXIT.invalidPlan);
      const text = presetFromPlan(plan);
      if (flags.output === undefined) await context.out.write(text);
      else await writeFile(resolve(context.currentDirectory, flags.output), text, { flag: 'wx' });
    });
};

function presetText(preset: Preset, isAdded: boolean): string {
  const questions = preset.questions.map((question) => ['   ', `${question.id}=${question.default}`, questionText(question)]);
  const rows = [['   ', 'target=URL', 'the server; separate several by commas'], ...questions];
  const origin = preset.origin === '' ? '' : ` (${preset.origin})`;
  return `${preset.id}: ${preset.title}${isAdded ? ' [added by you]' : ''}\n  ${preset.story}${origin}\n${textTable(rows)}`;
}

function questionText(question: Question): string {
  const condition = formatCondition(question.when);
  return condition === '' ? answerTypeText(question) : `${answerTypeText(question)} (asked only ${condition})`;
}

function answerTypeText(question: Question): string {
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
      return `${question.label} [${REFERENCE_FORMS}]`;
    case 'database':
      return `${question.label} [postgres://user:password@host:port/database, ${REFERENCE_FORMS}] A role for it: ${roleSql(question.counted).replaceAll('\n', ' ')}`;
    default:
      return question satisfies never;
  }
}
