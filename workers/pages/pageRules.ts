import { recordedRequests } from '#core/plan/requests.ts';
import { hasPlaceholders } from '#core/plan/template.ts';

import { closingHeaders, runHeaders } from '../journey/recipe.ts';
import type { WorkerData } from '../messages.ts';
import type { PageRules } from './pageHost.ts';

/** Browsers send these with whatever they ask for. */
const SENT_WITH_ALL = /^accept-(encoding|language)$/i;

/** The rules of a step for one target; null where its answer is no page. */
export function pageRulesOf(data: WorkerData, targetIndex: number, stepIndex: number): PageRules | null {
  const resources = data.plan.journey[stepIndex]?.resources;
  const target = data.targets[targetIndex];
  if (resources === undefined || target === undefined) return null;
  const slots = recordedRequests(data.plan).flatMap(({ step, resource }, slot) =>
    step === stepIndex && resource !== null ? [[resource, slot] as const] : [],
  );
  const step = data.steps[stepIndex]?.headers ?? {};
  const own = Object.fromEntries(Object.entries(step).filter(([name, value]) => SENT_WITH_ALL.test(name) && !hasPlaceholders(value)));
  const closing = closingHeaders(data.plan);
  return {
    slots: new Map(slots),
    isSerial: resources.how === 'serial',
    connections: resources.how === 'serial' ? 1 : resources.connections,
    origin: new URL(target.url).origin,
    otherHosts: new Set(resources.otherHosts.flatMap((host) => ['http:', 'https:'].map((scheme) => new URL(`${scheme}//${host}/`).host))),
    headers: [...runHeaders(data.userAgent, target.headers), own, closing],
    // What a plan sends to its target is nobody else's business.
    headersElsewhere: [...runHeaders(data.userAgent, {}), own, closing],
  };
}
