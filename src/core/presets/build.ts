import { describePlan } from '../plan/describe.ts';
import type { Issue } from '../plan/issues.ts';
import { planOf } from '../plan/parse.ts';
import type { Target } from '../plan/schema.ts';
import { readAnswers } from './answers.ts';
import { FormulaError } from './expression.ts';
import type { Answers, BuiltPlan, Preset } from './schema.ts';
import { fillTemplate, fillText, formulaValue } from './template.ts';

/**
 * The plan that a preset makes of answers and targets, checked and described. Questions without an answer keep their default.
 * Every problem of answers, formulas and the plan is reported; with any error there is no plan.
 */
export function buildPlan(preset: Preset, answers: Answers, targets: readonly Target[]): BuiltPlan {
  const { values, issues } = readAnswers(preset, answers);
  if (targets.length === 0) issues.push(targetMissing());
  const derived = derive(preset, values, issues);
  const explanation = explain(preset, values, issues);
  const filled = fillTemplate(preset.plan, values);
  if (issues.length > 0) return { plan: null, issues, description: null, derived, explanation };
  for (const { path, message } of filled.problems) issues.push(formulaIssue(`plan.${path}`, message));
  if (issues.length > 0) return { plan: null, issues, description: null, derived, explanation };
  const parsed = planOf({ ...asBlock(filled.value), targets, preset: preset.id });
  issues.push(...parsed.issues);
  return { plan: parsed.plan, issues, description: parsed.plan && describePlan(parsed.plan), derived, explanation };
}

/** Adds the derived values to `values`, in their order, as far as what they need is known. */
function derive(preset: Preset, values: Map<string, number | string>, issues: Issue[]): BuiltPlan['derived'] {
  const complete = issues.every((issue) => !issue.path.startsWith('answers.'));
  const derived: BuiltPlan['derived'] = [];
  for (const { id, label, formula, unit, explanation } of preset.derive) {
    try {
      const value = formulaValue(formula, values);
      values.set(id, value);
      derived.push({ id, label, value, unit, explanation });
    } catch (thrown) {
      if (!(thrown instanceof FormulaError)) throw thrown;
      // A formula over an unusable answer is not itself at fault.
      if (complete) issues.push(formulaIssue(`derive.${id}`, thrown.message));
    }
  }
  return derived;
}

function explain(preset: Preset, values: Map<string, number | string>, issues: Issue[]): string {
  try {
    return fillText(preset.explain, values, true);
  } catch (thrown) {
    if (!(thrown instanceof FormulaError)) throw thrown;
    if (issues.length === 0) issues.push(formulaIssue('explain', thrown.message));
    return '';
  }
}

function formulaIssue(path: string, message: string): Issue {
  return {
    level: 'error',
    code: 'FORMULA',
    path,
    message: `This cannot be worked out: ${message}.`,
    hint: 'Change the answers, or the formula where the preset is your own.',
  };
}

function targetMissing(): Issue {
  return {
    level: 'error',
    code: 'TARGET_MISSING',
    path: 'targets',
    message: 'There is no address to test.',
    hint: 'Name at least one, for example http://contest.example.org/.',
  };
}

function asBlock(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
