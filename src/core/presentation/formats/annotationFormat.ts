import { findLine } from '#core/plan/readYaml.ts';
import type { CriterionResult } from '#core/result/verdict.ts';
import type { RunResult } from '#core/result/schema.ts';

/** Plan file of a run, as a build system sees it. */
export interface PlanFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/**
 * Formats the criteria that did not pass as workflow commands, which GitHub shows beside the lines of the plan: an error for a failed
 * criterion, and a warning for an undecided one. Empty if all passed. Source: GitHub Docs, “Workflow commands for GitHub Actions”.
 */
export function formatAnnotations({ criteria, plan }: Pick<RunResult, 'criteria' | 'plan'>, { path, text }: PlanFile): string {
  return criteria
    .filter(({ outcome }) => outcome !== 'passed')
    .map((one) => {
      const line = findLine(text, findPath(one, plan));
      const properties = `file=${escapeProperty(path)},line=${line},title=${escapeProperty(`Load test: ${one.text}`)}`;
      return `::${one.outcome === 'failed' ? 'error' : 'warning'} ${properties}::${escapeMessage(one.reason)}\n`;
    })
    .join('');
}

/** Returns the path of the criterion in the plan. For a default criterion, returns the path of its step. */
function findPath({ criterion, step, isDefault }: CriterionResult, plan: RunResult['plan']): (string | number)[] {
  const written = JSON.stringify(criterion);
  const index = isDefault === true ? -1 : (plan.criteria ?? []).findIndex((one) => JSON.stringify(one) === written);
  if (index >= 0) return ['criteria', index];
  const place = plan.journey.findIndex(({ name }) => name === step);
  return place >= 0 ? ['journey', place] : ['criteria'];
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
