import { parseTemplate } from '#core/journey/template.ts';
import type { Issue } from '../issues.ts';
import type { Plan, Step } from '../schema.ts';
import { checkBodies } from './bodies.ts';
import { checkHeaders } from './headers.ts';
import { error, repeated } from './make.ts';
import { checkPayload } from './payload.ts';

export function checkJourney(plan: Plan): Issue[] {
  const twice = repeated(plan.journey.map((step) => step.name)).map((index) =>
    error(
      'DUPLICATE_STEP_NAME',
      `journey[${index}].name`,
      'Two steps have the same name.',
      'Give each its own name: figures and objectives go by it.',
    ),
  );
  return [...plan.journey.flatMap((step, index) => checkStep(plan, step, `journey[${index}]`)), ...twice];
}

function checkStep(plan: Plan, step: Step, path: string): Issue[] {
  const issues = [...checkPath(plan, step, `${path}.path`), ...checkHeaders(step.headers, `${path}.headers`)];
  return [...issues, ...checkPayload(step, path), ...checkBodies(step, path)];
}

/** Consent and safety go by the targets' hosts, so a path must not lead to another one. */
function checkPath(plan: Plan, step: Step, path: string): Issue[] {
  const [first = '', ...rest] = parseTemplate(step.path).map((part) => (typeof part === 'string' ? part : null));
  // What a placeholder at the beginning holds is an address of its own; it is looked at when it is known.
  const written = first === null ? '' : [first, ...rest.map((part) => part ?? 'x')].join('');
  if (/[\p{Cc}\s]/u.test(written)) {
    return [error('PATH_INVALID', path, 'The path holds a blank or a control character.', 'Write a blank as %20.')];
  }
  const leaving = plan.targets.find(
    (target) => !URL.canParse(written, target.url) || new URL(written, target.url).origin !== new URL(target.url).origin,
  );
  if (!leaving) return [];
  return [
    error(
      'STEP_LEAVES_TARGET',
      path,
      `The path “${step.path.slice(0, 80)}” does not lead to the target ${new URL(leaving.url).host}.`,
      'Give the host as a target and only the rest of the address here, with one slash in front at most.',
    ),
  ];
}
