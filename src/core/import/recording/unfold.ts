import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { Walk } from './walk.ts';

const MAX_NAME_LENGTH = 60;
const REDIRECTED_SUFFIX = ', redirected';

/**
 * Splits a step at a redirect that contains a value for later steps, because captures read only the last response of a step. The plan and
 * the recording are both split; the first part captures the target of the redirect.
 */
export function unfoldRedirect(
  plan: Plan,
  recorded: Walk,
  { step: name, hop }: { readonly step: string; readonly hop: number },
): { plan: Plan; recorded: Walk } | null {
  const index = plan.journey.findIndex((step) => step.name === name);
  const step = plan.journey[index];
  const walked = recorded.find((one) => one.step === name);
  const redirect = walked?.exchanges[hop];
  // A step follows either all of its redirects or none, so it cannot be split at a redirect between two others.
  if (step === undefined || walked === undefined || redirect === undefined || step.redirects === undefined) return null;
  if (redirect.status === 307 || redirect.status === 308 || plan.flow !== undefined) return null;
  const first = hop === 0 ? redirect : walked.exchanges[0];
  if (first === undefined) return null;
  const next = freeName(`${name.slice(0, MAX_NAME_LENGTH - REDIRECTED_SUFFIX.length)}${REDIRECTED_SUFFIX}`, plan);
  const location = freeValue(plan);
  const { redirects, resources, checks, captures, thinkTime, expectStatus, ...request } = step;
  const before: Step = {
    ...request,
    checks: [],
    expectStatus: [first.status],
    captures: [{ from: 'header', as: location, name: 'Location', address: true }],
    thinkTime: { kind: 'fixed', seconds: 0 },
  };
  const after: Step = {
    name: next,
    method: 'GET',
    path: `{{${location}}}`,
    headers: {},
    checks,
    redirects,
    ...(resources === undefined ? {} : { resources }),
    ...(captures === undefined ? {} : { captures }),
    ...(thinkTime === undefined ? {} : { thinkTime }),
    ...(expectStatus === undefined ? {} : { expectStatus }),
  };
  return {
    plan: { ...plan, journey: plan.journey.toSpliced(index, 1, before, after) },
    recorded: recorded.flatMap((one) =>
      one === walked
        ? [
            { ...one, exchanges: one.exchanges.slice(0, 1) },
            { ...one, step: next, exchanges: one.exchanges.slice(1) },
          ]
        : [one],
    ),
  };
}

function freeName(wanted: string, { journey }: Plan): string {
  let name = wanted;
  for (let number = 2; journey.some((step) => step.name === name); number += 1)
    name = `${wanted.slice(0, MAX_NAME_LENGTH - 4)} (${number})`;
  return name;
}

function freeValue({ journey, variables, feeds }: Plan): string {
  const taken = new Set([
    ...journey.flatMap(({ captures }) => (captures ?? []).map(({ as }) => as)),
    ...Object.keys(variables ?? {}),
    ...Object.keys(feeds ?? {}),
  ]);
  let name = 'next_address';
  for (let number = 2; taken.has(name); number += 1) name = `next_address_${number}`;
  return name;
}
