import { isBlock } from '#core/base/json.ts';
import type { Issue } from '../plan/issues.ts';
import { parseValue } from '#core/review/check.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { secretSchema } from '../plan/schema/url.ts';
import { isSecureUrl } from '#core/plan/url.ts';
import { hasPasswordOfAccount } from '#core/work/accounts/accounts.ts';
import { readAnswers } from './answers.ts';
import { isFulfilled } from './conditions.ts';
import { evaluate, FormulaError } from './expression.ts';
import type { Answers, BuiltPlan, Preset } from './schema.ts';
import { presetSeries } from './series.ts';
import { fillTemplate, type TemplateContext } from './template.ts';
import { scaleTimesOfPlan } from './timeScale.ts';

/**
 * Builds the plan of a preset from answers and targets, and the series if the preset has one, and checks them. Questions without an answer
 * use their default. All problems are reported. If one of them is an error, there is no plan.
 */
export function buildPlan(preset: Preset, answers: Answers, targets: readonly Target[]): BuiltPlan {
  const { values, choices, issues } = readAnswers(preset, answers);
  if (targets.length === 0) issues.push(targetMissing());
  const known: TemplateContext = { values, choices, questions: preset.questions };
  const derived = derive(preset, values, known, issues);
  const explanation = fillTemplateText(preset.explain, known, 'explain', issues);
  fillTemplateText(preset.targetHelp, known, 'targetHelp', issues);
  const emptyPlan = (): BuiltPlan => ({ plan: null, series: null, issues, derived, explanation });
  const filled = fillTemplate(preset.plan, known);
  const filledSeries = fillTemplate(preset.series, known);
  if (issues.length > 0) return emptyPlan();
  for (const { path, message } of filled.problems) issues.push(formulaIssue(`plan.${path}`, message));
  for (const { path, message } of filledSeries.problems) issues.push(formulaIssue(`series.${path}`, message));
  const scale = readTimeScale(preset, known, issues);
  if (issues.length > 0) return emptyPlan();
  const block = disableResumption(isBlock(filled.value) ? filled.value : {}, targets);
  const isShared = wantsLogin(preset, answers) || (preset.login === false && !hasPasswordOfAccount(JSON.stringify(block['journey'] ?? [])));
  const made = presetSeries(
    filledSeries.value,
    targets.map((target) => targetOf(preset, target, isShared)),
    scale,
  );
  issues.push(...made.issues);
  const parsed = planAt(scale, { ...block, targets: made.targets, preset: preset.id, answers: selectAnswers(preset, answers) });
  issues.push(...parsed.issues);
  const { plan } = parsed;
  if (plan === null || issues.some(({ level }) => level === 'error')) return emptyPlan();
  issues.push(...made.check(plan));
  if (issues.some(({ level }) => level === 'error')) return emptyPlan();
  return { plan, series: made.series, issues, derived, explanation };
}

/** Removes TLS resumption if no target uses TLS. */
function disableResumption(block: Record<string, unknown>, targets: readonly Target[]): Record<string, unknown> {
  const { tls, ...others } = block;
  if (!isBlock(tls) || targets.some(({ url }) => isSecureUrl(url))) return block;
  const { resume: _resume, ...settings } = tls;
  return Object.keys(settings).length === 0 ? others : { ...others, tls: settings };
}

/** Returns the answers to questions that the plan stores, without secrets in plain text. */
function selectAnswers({ questions }: Preset, answers: Answers): Answers {
  const isKept = (id: string, answer: Answers[string]): boolean => {
    const kind = questions.find((question) => question.id === id)?.kind;
    return kind !== 'secret' && kind !== 'database' ? true : answer === '' || secretSchema.shape.secret.safeParse(answer).success;
  };
  return Object.fromEntries(Object.entries(answers).filter(([id, answer]) => isKept(id, answer)));
}

/** Returns whether somebody must log in before the plan starts. */
export function wantsLogin(preset: Preset, answers: Answers): boolean {
  const { login } = preset;
  return typeof login === 'boolean' ? login : isFulfilled(login, readAnswers(preset, answers).choices);
}

/**
 * Returns the target for the plan: as a folder if required, and without a shared login if users log in themselves. A site ends a session
 * when another user logs in.
 */
function targetOf({ targetIsFolder }: Preset, target: Target, isShared: boolean): Target {
  const { cookie, ...others } = target;
  return { ...others, ...(cookie === undefined || !isShared ? {} : { cookie }), url: targetIsFolder ? folderOf(target.url) : target.url };
}

/** Adds a trailing slash unless the address is a file. */
function folderOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return search !== '' || /(\/|\.\w+)$/.test(pathname) ? address : `${origin}${pathname}/`;
}

/** Fills in a text template as far as possible, to show it before an address is known. */
export function presetText(preset: Preset, template: Preset['explain'], answers: Answers): string {
  const { values, choices } = readAnswers(preset, answers);
  return fillTemplateText(template, { values, choices, questions: preset.questions }, '', []);
}

/** Returns the labels of the practice server's addresses that the answers to the questions select; empty for its defaults. */
export function listLabAddresses(preset: Preset, answers: Answers): string[] {
  const { values, choices } = readAnswers(preset, answers);
  const { value } = fillTemplate(preset.labAddresses, { values, choices, questions: preset.questions });
  return Array.isArray(value) ? value.filter((label) => typeof label === 'string') : [];
}

function planAt(scale: number, value: unknown): { plan: Plan | null; issues: Issue[] } {
  const asWritten = parseValue(value);
  return asWritten.plan === null || scale === 1 ? asWritten : parseValue(scaleTimesOfPlan(asWritten.plan, scale));
}

/** Adds derived values to `values` in order, as far as their inputs are known. */
function derive(preset: Preset, values: Map<string, number | string>, known: TemplateContext, issues: Issue[]): BuiltPlan['derived'] {
  const complete = issues.every((issue) => !issue.path.startsWith('answers.'));
  const derived: BuiltPlan['derived'] = [];
  for (const { id, label, formula, unit, explanation, when } of preset.derive) {
    if (!isFulfilled(when, known.choices)) continue;
    try {
      const value = evaluate(formula, values);
      values.set(id, value);
      derived.push({ id, label, value, unit, explanation });
    } catch (thrown) {
      if (!(thrown instanceof FormulaError)) throw thrown;
      // If an answer to a question is invalid, the formula is not at fault.
      if (complete) issues.push(formulaIssue(`derive.${id}`, thrown.message));
    }
  }
  return derived;
}

/** Returns the filled-in text; empty after an error, which is reported unless there are other issues. */
function fillTemplateText(template: Preset['explain'], known: TemplateContext, path: string, issues: Issue[]): string {
  // The text counts as prose, so that numbers are formatted for people.
  const { value, problems } = fillTemplate({ story: template }, known);
  const [problem] = problems;
  if (problem !== undefined) {
    if (issues.length === 0) issues.push(formulaIssue(`${path}${problem.path.slice('story'.length)}`, problem.message));
    return '';
  }
  const text = isBlock(value) ? value['story'] : '';
  return Array.isArray(text) ? text.join(' ') : typeof text === 'string' ? text : '';
}

function readTimeScale({ timeScale }: Preset, known: TemplateContext, issues: Issue[]): number {
  try {
    const { value, problems } = fillTemplate(timeScale, known);
    const [problem] = problems;
    if (problem !== undefined) throw new FormulaError(problem.message);
    const scale = typeof value === 'string' ? evaluate(value, known.values) : value;
    if (typeof scale === 'number' && scale > 0) return scale;
    issues.push(formulaIssue('timeScale', 'the time scale must be above 0'));
  } catch (thrown) {
    if (!(thrown instanceof FormulaError)) throw thrown;
    issues.push(formulaIssue('timeScale', thrown.message));
  }
  return 1;
}

function formulaIssue(path: string, message: string): Issue {
  return {
    level: 'error',
    code: 'FORMULA',
    path,
    message: `This cannot be calculated: ${message.replace(/[.?]+$/, '')}.`,
    hint: 'Change the values. In your own preset, you can also change the formula.',
  };
}

function targetMissing(): Issue {
  return {
    level: 'error',
    code: 'TARGET_MISSING',
    path: 'targets',
    message: 'There is no address to test.',
    hint: 'Enter at least one, for example http://contest.example.org/.',
  };
}
