import type { Issue } from '../plan/issues.ts';
import { isBlock } from '../plan/migrate.ts';
import { readYaml } from '../plan/readYaml.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import { targetSchema } from '../plan/schema.ts';
import { judge } from './answers.ts';
import { buildPlan } from './build.ts';
import { PRESET_VERSION, presetSchema, type Preset } from './schema.ts';

export interface ParsedPreset {
  /** null when any issue is an error. */
  readonly preset: Preset | null;
  readonly issues: Issue[];
}

/**
 * Reads a preset written as YAML or JSON. Never throws. Its defaults are tried as answers, so that a preset which is accepted
 * makes a valid plan before anybody answers anything.
 */
export function parsePreset(source: string): ParsedPreset {
  const read = readYaml(source);
  if (read.issues.length > 0) return { preset: null, issues: read.issues };
  const version = checkVersion(read.value);
  if (version) return { preset: null, issues: [version] };
  const parsed = presetSchema.safeParse(read.value);
  if (!parsed.success) return { preset: null, issues: schemaIssues(parsed.error, presetSchema, read.value) };
  const issues = checkPreset(parsed.data);
  return { preset: issues.some(({ level }) => level === 'error') ? null : parsed.data, issues };
}

function checkVersion(value: unknown): Issue | null {
  if (!isBlock(value) || !Object.hasOwn(value, 'holdfastPreset')) {
    return problem(
      'NOT_A_PRESET',
      'holdfastPreset',
      'This is not a preset.',
      `A preset starts with the line “holdfastPreset: ${PRESET_VERSION}”.`,
    );
  }
  const version = value['holdfastPreset'];
  if (typeof version === 'number' && version > PRESET_VERSION) {
    return problem(
      'VERSION_NEWER',
      'holdfastPreset',
      `The preset is of version ${version}, which this Holdfast does not know.`,
      'Update Holdfast.',
    );
  }
  return null;
}

/** What the schema cannot say: names used twice, defaults outside their own range, formulas and texts that do not work out. */
function checkPreset(preset: Preset): Issue[] {
  return [...checkNames(preset), ...checkDefaults(preset), ...checkPlanTemplate(preset), ...tryDefaults(preset)];
}

function checkNames(preset: Preset): Issue[] {
  const ids = [...preset.questions, ...preset.derive].map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [problem('DUPLICATE_NAME', id, `Two things are called “${id}”.`, 'Give each question and each derived value its own id.')],
  );
}

function checkDefaults(preset: Preset): Issue[] {
  return preset.questions.flatMap((question, index) => {
    const judged = judge(question, question.default);
    return 'value' in judged ? [] : [problem('BAD_DEFAULT', `questions[${index}].default`, judged.problem.message, judged.problem.hint)];
  });
}

function checkPlanTemplate(preset: Preset): Issue[] {
  return ['targets', 'preset'].flatMap((key) =>
    Object.hasOwn(preset.plan, key)
      ? [problem('NOT_IN_A_PRESET', `plan.${key}`, `A preset's plan has no “${key}”.`, 'Leave it out: Holdfast fills it in.')]
      : [],
  );
}

function tryDefaults(preset: Preset): Issue[] {
  const target = targetSchema.parse({ url: 'http://localhost/' });
  return buildPlan(preset, {}, [target]).issues.filter(({ level }) => level === 'error');
}

function problem(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'error', code, path, message, hint };
}
