import { parseValue } from '#core/review/check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { k6Script, type K6ScriptOptions } from '../k6/k6Script.ts';
import type { AskedRequest } from './k6StandIn.ts';

/*
 * k6 may not be installed where tests run, so the scripts run against a replacement of its modules with its own clock. bench/exports runs
 * them with an installed k6 and compares the results with server logs.
 */

const target = { url: 'http://127.0.0.1:8080/shop/' };

/** Returns a plan and the script made from it. */
export function made(input: Omit<PlanInput, 'holdfast' | 'name' | 'targets'> & Partial<PlanInput>, options: K6ScriptOptions = {}) {
  const { plan, issues } = parseValue({ holdfast: 1, name: 'A plan', targets: [target], ...input });
  if (plan === null) throw new Error(JSON.stringify(issues, null, 1));
  return { plan, ...k6Script(plan, options) };
}

export const page = [{ name: 'page', path: 'page' }];
export const brief: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 1, seconds: 1 }] };

/** Counts requests by the value of a tag. */
export function countBy(requests: readonly AskedRequest[], tag: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tags } of requests) counts[tags[tag] ?? ''] = (counts[tags[tag] ?? ''] ?? 0) + 1;
  return counts;
}
