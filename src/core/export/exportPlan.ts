import { HoldfastError } from '#core/base/errors.ts';
import { replaceHiddenByVariables } from '../plan/hiddenText.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { exportAb } from './ab/exportAb.ts';
import { exportArtillery } from './artillery/exportArtillery.ts';
import { exportCurl } from './curl/exportCurl.ts';
import type { Issue } from '../plan/issues.ts';
import { EXPORT_KINDS, hindrance, type ExportKind, type ExportResult, type ExportSources } from './exported.ts';
import { k6Script } from './k6/k6Script.ts';

/** Exports a plan to another tool. Never throws because of the plan; unsupported features become issues or notes. */
export function exportPlan(kind: ExportKind, originalPlan: Plan, sources: ExportSources = {}): ExportResult {
  const plan = replaceHiddenByVariables(originalPlan);
  const stream = plan.journey.findIndex((step) => step.stream !== undefined);
  if (stream >= 0)
    return {
      kind: 'refused',
      issues: [hindrance(`journey[${stream}].stream`, 'No other tool holds event streams.', 'Export the plan without the step.')],
    };
  const own = listHoldfastOnlyFeatures(kind, plan);
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

/** Fields of a step that either no other tool or only k6 supports: the reason and an alternative. */
const OWN_FIELDS = [
  {
    field: 'bodyFile',
    kinds: ['artillery'],
    message: 'Artillery sends a file only as a part of a form.',
    hint: 'Export it for k6, curl or ab, or send the file as a part of multipart.',
  },
  {
    field: 'gate',
    kinds: ['artillery', 'curl', 'ab'],
    message: 'Only k6 scripts wait for a bell.',
    hint: 'Export it for k6, or without gate.',
  },
  {
    field: 'places',
    kinds: EXPORT_KINDS,
    message: 'Exports do not count places.',
    hint: 'Run the plan with Holdfast: in other tools, whoever finds no place left would be a failure.',
  },
  {
    field: 'reload',
    kinds: EXPORT_KINDS,
    message: 'Exports do not repeat a step after a failure.',
    hint: 'Run the plan with Holdfast, or export it without reload: each failure then counts at once.',
  },
  {
    field: 'renew',
    kinds: EXPORT_KINDS,
    message: 'Exports do not log in again within a journey.',
    hint: 'Export it without renew, with a load that ends before a login expires.',
  },
] as const;

function listHoldfastOnlyFeatures(kind: ExportKind, { journey }: Plan): Issue[] {
  return OWN_FIELDS.filter(({ kinds }) => kinds.some((one) => one === kind)).flatMap(({ field, message, hint }) =>
    journey.flatMap((step, index) => (step[field] === undefined ? [] : [hindrance(`journey[${index}].${field}`, message, hint)])),
  );
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
