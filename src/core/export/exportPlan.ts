import { HoldfastError } from '#core/base/errors.ts';
import { replaceHiddenByVariables } from '../plan/hiddenText.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { exportAb } from './ab/exportAb.ts';
import { exportArtillery } from './artillery/exportArtillery.ts';
import { exportCurl } from './curl/exportCurl.ts';
import { hindrance, type ExportKind, type ExportResult, type ExportSources } from './exported.ts';
import { k6Script } from './k6/k6Script.ts';

/** Exports a plan to another tool. Never throws because of the plan; unsupported features become issues or notes. */
export function exportPlan(kind: ExportKind, given: Plan, sources: ExportSources = {}): ExportResult {
  const plan = replaceHiddenByVariables(given);
  const stream = plan.journey.findIndex((step) => step.stream !== undefined);
  if (stream >= 0)
    return {
      kind: 'refused',
      issues: [hindrance(`journey[${stream}].stream`, 'No other tool holds event streams.', 'Export the plan without the step.')],
    };
  const own = listHoldfastOnlyFeatures(plan);
  if (own.length > 0) return { kind: 'refused', issues: own };
  switch (kind) {
    case 'k6':
      return exportK6(plan, sources);
    case 'artillery':
      return exportArtillery(plan, sources);
    case 'curl':
      return exportCurl(plan);
    case 'ab':
      return exportAb(plan);
    default:
      return kind satisfies never;
  }
}

/** Returns the features that no tool supports. */
function listHoldfastOnlyFeatures({ journey, targets, namedTargets = {} }: Plan): ReturnType<typeof hindrance>[] {
  const paths = [
    ...targets.map(({ auth }, index) => [`targets[${index}].auth`, auth] as const),
    ...Object.entries(namedTargets).map(([name, { auth }]) => [`namedTargets.${name}.auth`, auth] as const),
    ...journey.map(({ auth }, index) => [`journey[${index}].auth`, auth] as const),
  ];
  return [
    ...paths.flatMap(([path, auth]) =>
      auth === undefined ? [] : [hindrance(path, 'Exports do not write auth.', 'Write the header Authorization instead.')],
    ),
    ...journey.flatMap(({ bodyFile }, index) =>
      bodyFile === undefined
        ? []
        : [hindrance(`journey[${index}].bodyFile`, 'Exports do not take the file of a body along.', 'Send it as a part of multipart.')],
    ),
    ...journey.flatMap(({ reload }, index) =>
      reload === undefined
        ? []
        : [hindrance(`journey[${index}].reload`, 'Exports do not reload failed steps.', 'Export the plan without reload.')],
    ),
    ...journey.flatMap(({ gate }, index) =>
      gate === undefined
        ? []
        : [
            hindrance(
              `journey[${index}].gate`,
              'Other tools have no bell at which all users start together.',
              'Export the plan without gate.',
            ),
          ],
    ),
    ...journey.flatMap(({ renew }, index) =>
      renew === undefined
        ? []
        : [hindrance(`journey[${index}].renew`, 'Other tools do not log in again.', 'Export the plan without renew.')],
    ),
  ];
}

function exportK6(plan: Plan, sources: ExportSources): ExportResult {
  try {
    const { script, files, environment, notes } = k6Script(plan, sources);
    return { kind: 'exported', exported: { kind: 'k6', text: script, files, environment, notes } };
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError)) throw thrown;
    return { kind: 'refused', issues: [hindrance('', thrown.message, thrown.hint)] };
  }
}
