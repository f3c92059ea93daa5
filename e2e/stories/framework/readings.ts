import { SENT_OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** Returns a time as a number, or null if it is “never” or unknown. */
export function knownMs(time: TimeMs): number | null {
  return typeof time === 'number' ? time : null;
}

/** Returns the number of requests whose outcome was recorded. If a recorder loses a response, the request was still counted as sent. */
export function countRecorded({ outcomes: { requests } }: Pick<RunResult, 'outcomes'>): number {
  return SENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], 0);
}

/** Returns the number of complete responses in a run, either with one status or with any status. */
export function countResponses({ status }: Pick<RunResult, 'status'>, of?: number): number {
  if (of !== undefined) return status[String(of)] ?? 0;
  return Object.values(status).reduce((sum, count) => sum + count, 0);
}

/** Returns the number of complete responses in several runs together. */
export function countResponsesOfAll(results: readonly RunResult[], of?: number): number {
  return results.reduce((sum, result) => sum + countResponses(result, of), 0);
}

export function countWithStatus(lines: readonly LoggedRequest[], status: number): number {
  return lines.filter((line) => line.status === status).length;
}

/** Returns a percentile of the times that a server logged, in ms: of n values, the one at position ceil(p·n). */
export function loggedPercentile(lines: readonly LoggedRequest[], percent: number): number {
  const times = lines.map((line) => line.ms).sort((remaining, right) => remaining - right);
  return times[Math.max(0, Math.ceil((percent / 100) * times.length) - 1)] ?? NaN;
}

/** Returns the mean of the times that a server logged, in ms. */
export function meanMs(lines: readonly LoggedRequest[]): number {
  return lines.reduce((sum, line) => sum + line.ms, 0) / lines.length;
}

/** Returns the fields of a plan that has one step, at an address. */
export function oneStepPlan(url: string, path = ''): { targets: { url: string }[]; journey: { name: string; path: string }[] } {
  return { targets: [{ url }], journey: [{ name: 'page', path }] };
}

/** Returns the fields of a plan whose users each keep one connection: after a page, they pause for longer than the load lasts. */
export function oneConnectionPerUserPlan(url: string, path = ''): Pick<PlanInput, 'targets' | 'journey' | 'connections' | 'drainSeconds'> {
  const looking = { kind: 'fixed' as const, seconds: 600 };
  return {
    targets: [{ url }],
    journey: [
      { name: 'page', path, thinkTime: looking },
      { name: 'next page', path },
    ],
    connections: { reuse: 'journey' },
    drainSeconds: 1,
  };
}

/** Returns the findings with this id, or with an id that begins with it and a dot. */
export function findFindings({ findings }: Pick<RunResult, 'findings'>, id: string): Finding[] {
  return findings.filter((finding) => finding.id === id || finding.id.startsWith(`${id}.`));
}

/** Returns the number in a finding's figure with this name, or null. */
export function figureOf(finding: Finding | undefined, what: string): number | null {
  const value = Number.parseFloat((finding?.figures?.find((one) => one.what === what)?.value ?? '').replaceAll(',', ''));
  return Number.isNaN(value) ? null : value;
}

/** Matches rules about this machine. Other programs may keep the machine busy or block it. */
const MACHINE_RULES = /^(?:generatorLimited$|standstill\.)/;

/** Returns the ids of a run's problems and warnings, except those about this machine. */
export function listAlarms({ findings }: { readonly findings: readonly Pick<Finding, 'level' | 'id'>[] }): string[] {
  return findings.flatMap(({ level, id }) => (level === 'info' || MACHINE_RULES.test(id) ? [] : [id]));
}
