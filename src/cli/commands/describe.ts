import { resolve } from 'node:path';
import type { Plan } from '#core/plan/schema/plan.ts';
import { describePlan, type Description } from '#core/review/describe.ts';
import { formatCount, formatNumber, formatSeconds, UNKNOWN_BEFORE_RUN } from '#core/base/units.ts';
import { describeSeries } from '#core/series/outline.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { TITLES } from '#core/presentation/document/words.ts';
import { holdsSeries, parseSeries } from '#core/series/check.ts';
import { parsePlan } from '#core/review/check.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { feedIssues } from '../plans/fromFile.ts';
import { hasErrors, draftFrom, requirePlan } from '../plans/fromPreset.ts';
import { readSettings } from '../plans/settings.ts';
import { findPlanSource, type PlanSource, readPlanFile, listQuestions } from '../plans/source.ts';
import { collect } from '../input/optionReader.ts';
import type { AddCommand } from '../context.ts';

/** Describes a plan for a terminal, including what is unknown before the run. */
function descriptionText(plan: Plan, description: Description): string {
  const { sentences, durationSeconds, requests, arrivalsPerSecond, criteria, warnings } = description;
  const lines = [
    plan.name,
    ...sentences.map((sentence) => `  ${sentence}`),
    '',
    `Duration: ${durationSeconds === null ? UNKNOWN_BEFORE_RUN : formatSeconds(durationSeconds)}`,
    `Requests: ${requests === null ? `${UNKNOWN_BEFORE_RUN}, depends on how fast the server responds` : formatCount(requests)}`,
    ...(arrivalsPerSecond === null ? [] : [`Rate: at most ${formatNumber(arrivalsPerSecond)} requests a second, whatever the server does`]),
    '',
    ...listSection('Pass criteria', criteria.length > 0 ? criteria : ['none: the run only measures']),
    ...listSection('Covered', plan.exercises),
    ...listSection('Not covered', plan.omits),
    ...listSection(TITLES.lookAt, plan.lookAt),
    ...listSection(TITLES.leavesBehind, plan.leavesBehind),
    ...listSection(
      'Warnings',
      warnings.map(({ message, hint }) => `${message} ${hint}`.trim()),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function listSection(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  - ${entry}`)];
}

/** Placeholder for a target that the user has not given. */
const PLACEHOLDER_URL = 'http://127.0.0.1/';
export const addDescribe: AddCommand = (program, { context }) => {
  program
    .command('describe')
    .description('describe what a plan or a preset does, how long it takes and its pass criteria')
    .argument('<preset or file>')
    .option('--set <key=value>', 'as for run; a preset may be described without a target', collect, [])
    .action(async (name: string, flags: { set: string[] }) => {
      const source = await findPlanSource(name, context);
      const { plan, series, introduction } = explainPlan(source, flags.set);
      // Warnings are printed as part of the description.
      const runs = series === null ? '' : `${describeSeries({ plan, series }).join('\n')}\n\n`;
      await context.out.write(introduction + runs + descriptionText(plan, describePlan(plan)));
    });
};

interface ExplainedPlan {
  readonly plan: Plan;
  readonly series: Series | null;
  /** Explains how the plan follows from the answers to the questions; empty for a file. */
  readonly introduction: string;
}

/** Explains a plan. Throws its issues. */
function explainPlan(source: PlanSource, options: readonly string[]): ExplainedPlan {
  const { settings, issues } = readSettings(options, listQuestions(source));
  const isNamed = source.kind === 'file' || settings.targets.length > 0;
  const { plan, series, issues: more, built } = draftFrom(source, isNamed ? settings : { ...settings, targets: [PLACEHOLDER_URL] });
  const derived =
    built?.derived.map(({ label, value, unit }) => `  ${label}: ${formatNumber(value)}${unit === '' ? '' : ` ${unit}`}\n`) ?? [];
  const explanation = built === null || built.explanation === '' ? '' : `${built.explanation}\n`;
  const target = isNamed ? '' : `(No target given; ${PLACEHOLDER_URL} stands in for it.)\n`;
  return { plan: requirePlan(plan, [...issues, ...more]), series, introduction: `${explanation}${derived.join('')}${target}` };
}

export const addValidate: AddCommand = (program, { context, exit }) => {
  program
    .command('validate')
    .description('list every problem of a plan')
    .argument('<file>', 'a plan in YAML or JSON')
    .action(async (file: string) => {
      const text = await readPlanFile(file, context.currentDirectory);
      const series = holdsSeries(text) ? parseSeries(text) : null;
      const parsedPlan = series === null ? parsePlan(text) : { plan: series.document?.plan ?? null, issues: series.issues };
      const { plan } = parsedPlan;
      const issues = [...parsedPlan.issues, ...(plan === null ? [] : await feedIssues(plan, resolve(context.currentDirectory, file)))];
      await printIssues(context.err, issues);
      if (!plan || hasErrors(issues)) return exit(EXIT.invalidPlan);
      await context.out.write(`${file} is valid.\n`);
    });
};
