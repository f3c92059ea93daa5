import { isBlock } from '#core/base/json.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { didYouMean, error, type Issue } from '../plan/issues.ts';
import { readYaml } from '../plan/readYaml.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import { judge, unknownQuestionMessage } from './answers.ts';
import { buildPlan } from './build.ts';
import { listAskedQuestions, conditionProblem, listOfferedValues } from './conditions.ts';
import { standIns } from './pageList.ts';
import { fillLabAnswers } from './lab.ts';
import { type Answers, type Condition, type Preset, PRESET_VERSION, presetSchema, type Question } from './schema.ts';
import { envReference } from '#core/plan/secretReference.ts';

export interface ParsedPreset {
  /** The preset; null if there is any error. */
  readonly preset: Preset | null;
  readonly issues: Issue[];
}

/**
 * Parses a preset in YAML or JSON, and checks everything except its plans. For shipped presets, tests check all choices with {@link
 * parsePreset}. Never throws.
 */
export function readPreset(source: string): ParsedPreset {
  const read = readYaml(source);
  if (read.issues.length > 0) return { preset: null, issues: read.issues };
  const version = checkVersion(read.value);
  if (version) return { preset: null, issues: [version] };
  const parsed = presetSchema.safeParse(read.value);
  if (!parsed.success) return { preset: null, issues: schemaIssues(parsed.error, presetSchema, read.value) };
  return withIssues(parsed.data, checkPreset(parsed.data));
}

/**
 * Parses a preset and builds the plans of its defaults and of every combination of choices. An accepted preset therefore makes a valid plan
 * even without any answer. Building takes some hundred plans. Never throws.
 */
export function parsePreset(source: string): ParsedPreset {
  const { preset, issues } = readPreset(source);
  return preset === null ? { preset, issues } : withIssues(preset, [...issues, ...tryChoices(preset)]);
}

function withIssues(preset: Preset, issues: Issue[]): ParsedPreset {
  return { preset: issues.some(({ level }) => level === 'error') ? null : preset, issues };
}

function checkVersion(value: unknown): Issue | null {
  if (!isBlock(value) || !Object.hasOwn(value, 'holdfastPreset')) {
    return error(
      'NOT_A_PRESET',
      'holdfastPreset',
      'This is not a preset.',
      `A preset begins with the line “holdfastPreset: ${PRESET_VERSION}”.`,
    );
  }
  const version = value['holdfastPreset'];
  if (typeof version === 'number' && version > PRESET_VERSION) {
    return error(
      'VERSION_NEWER',
      'holdfastPreset',
      `The preset has version ${version}, which this Holdfast cannot read.`,
      'Update Holdfast.',
    );
  }
  return null;
}

/** Checks what the schema cannot express: duplicate names, defaults out of range, conditions on later questions. */
function checkPreset(preset: Preset): Issue[] {
  return [...checkNames(preset), ...checkDefaults(preset), ...checkConditions(preset), ...checkPlanTemplate(preset), ...checkLab(preset)];
}

/** Checks conditions. A question may depend on earlier choices, and a derived value may depend on any choice. */
function checkConditions({ questions, derive }: Preset): Issue[] {
  const checkConditionsAt = (when: Condition | undefined, path: string, before: readonly Question[]): Issue[] => {
    const found = when === undefined ? null : conditionProblem(when, before);
    return found === null ? [] : [error('BAD_CONDITION', path, found.message, found.hint)];
  };
  return [
    ...questions.flatMap(({ when }, index) => checkConditionsAt(when, `questions[${index}].when`, questions.slice(0, index))),
    ...derive.flatMap(({ when }, index) => checkConditionsAt(when, `derive[${index}].when`, questions)),
  ];
}

function checkNames(preset: Preset): Issue[] {
  const ids = [...preset.questions, ...preset.derive].map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [error('DUPLICATE_NAME', id, `Two things are called “${id}”.`, 'Give each question and each derived value its own id.')],
  );
}

function checkDefaults(preset: Preset): Issue[] {
  return preset.questions.flatMap((question, index) => {
    const judged = judge(question, question.default);
    return 'value' in judged ? [] : [error('BAD_DEFAULT', `questions[${index}].default`, judged.problem.message, judged.problem.hint)];
  });
}

/** Placeholder for the practice server, because none runs while a preset is checked. */
const LAB_STAND_IN = { folder: '/', control: 'http://127.0.0.1/', addresses: [] };

function checkLab(preset: Preset): Issue[] {
  const filled = fillLabAnswers(preset, LAB_STAND_IN);
  return Object.entries(filled).flatMap(([id, answer]) => {
    const question = preset.questions.find((one) => one.id === id);
    const path = `labAnswers.${id}`;
    if (question === undefined)
      return [
        error(
          'UNKNOWN_ANSWER',
          path,
          unknownQuestionMessage(id),
          didYouMean(
            id,
            preset.questions.map((one) => one.id),
          ),
        ),
      ];
    const judged = judge(question, answer);
    return 'value' in judged ? [] : [error('BAD_DEFAULT', path, judged.problem.message, judged.problem.hint)];
  });
}

function checkPlanTemplate(preset: Preset): Issue[] {
  return ['targets', 'preset', 'answers'].flatMap((key) =>
    Object.hasOwn(preset.plan, key)
      ? [error('NOT_IN_A_PRESET', `plan.${key}`, `A preset's plan has no “${key}”.`, 'Remove it. Holdfast fills it in.')]
      : [],
  );
}

/** Maximum number of combinations that are built. */
const MAX_TRIED_COMBINATIONS = 100;

/** Builds the plans of all relevant combinations of choices. Returns each problem once, with the first choices that cause it. */
function tryChoices(preset: Preset): Issue[] {
  const target = targetSchema.parse({ url: 'http://localhost/' });
  const found = new Map<string, Issue>();
  for (const answers of listCombinations(preset)) {
    for (const issue of buildPlan(preset, { ...answers, ...standIns(preset, answers) }, [target]).issues) {
      if (issue.level !== 'error') continue;
      const key = `${issue.code} ${issue.path} ${issue.message}`;
      const choices = Object.entries(answers).map(([id, value]) => `${id}: ${value}`);
      const withChoices = choices.length === 0 ? issue.message : `With ${choices.join(', ')}: ${issue.message}`;
      if (!found.has(key)) found.set(key, { ...issue, message: withChoices });
    }
  }
  return [...found.values()];
}

/** Returns every combination of choices that conditions refer to, the defaults first, without choices that do not apply. */
export function listCombinations(preset: Preset): Answers[] {
  const named = JSON.stringify([preset.questions, preset.derive, preset.plan, preset.series, preset.explain, preset.targetHelp]);
  let all: Answers[] = [{}];
  for (const question of preset.questions) {
    const values = listTriedValues(question);
    if (values === null || !isNamedInCondition(named, question.id)) continue;
    // Bounded in each round: forty choices would have more combinations than fit into memory.
    all = all
      .flatMap((answers) =>
        listAskedQuestions(preset, answers).includes(question)
          ? [question.default, ...values.filter((value) => value !== question.default)].map((value) =>
              value === question.default ? answers : { ...answers, [question.id]: value },
            )
          : [answers],
      )
      .slice(0, MAX_TRIED_COMBINATIONS);
  }
  return all;
}

/** Returns the answers that differ in conditions; null for other questions. */
function listTriedValues(question: Question): readonly (string | number)[] | null {
  return question.kind === 'database' ? ['', envReference('DATABASE_URL')] : listOfferedValues(question);
}

/** Returns whether JSON text contains a `when` with this name. */
function isNamedInCondition(json: string, id: string): boolean {
  return [...json.matchAll(/"when":\{([^{}]*)\}/g)].some(([, inside = '']) => inside.includes(`"${id}":`));
}
