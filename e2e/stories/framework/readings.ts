import { SENT_OUTCOMES } from '#core/measurement/ledger.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** A time as a number; null where the app says "never" or does not know it. */
export function ms(time: TimeMs): number | null {
  return typeof time === 'number' ? time : null;
}

/** Requests whose end was recorded, however they ended: a recorder that loses an answer has counted that the request was sent. */
export function ended({ ledger: { requests } }: Pick<RunResult, 'ledger'>): number {
  return SENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], 0);
}

/** Complete answers of a run, of one status or of all. */
export function answers({ status }: Pick<RunResult, 'status'>, of?: number): number {
  if (of !== undefined) return status[String(of)] ?? 0;
  return Object.values(status).reduce((sum, count) => sum + count, 0);
}

/** The same of several runs together. */
export function answersOfAll(results: readonly RunResult[], of?: number): number {
  return results.reduce((sum, result) => sum + answers(result, of), 0);
}

export function withStatus(lines: readonly LoggedRequest[], status: number): number {
  return lines.filter((line) => line.status === status).length;
}

/** The percentile of times that a server logged, in ms: of n values the ceil(p·n)th. */
export function loggedPercentile(lines: readonly LoggedRequest[], percent: number): number {
  const times = lines.map((line) => line.ms).sort((left, right) => left - right);
  return times[Math.max(0, Math.ceil((percent / 100) * times.length) - 1)] ?? NaN;
}

/** The mean of the times that a server logged. */
export function meanMs(lines: readonly LoggedRequest[]): number {
  return lines.reduce((sum, line) => sum + line.ms, 0) / lines.length;
}

/** For plans: an address, and the path of its only step. */
export function oneStep(url: string, path = ''): { targets: { url: string }[]; journey: { name: string; path: string }[] } {
  return { targets: [{ url }], journey: [{ name: 'page', path }] };
}

/** The same, for visitors of whom each has a connection of their own and keeps it: after a page they look at it for longer than the load lasts. */
export function connectionEach(url: string, path = ''): Pick<PlanInput, 'targets' | 'journey' | 'connections' | 'drainSeconds'> {
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

/** What the app concluded under this id, or under one that begins with it and a dot. */
export function concluded({ findings }: Pick<RunResult, 'findings'>, id: string): Finding[] {
  return findings.filter((finding) => finding.id === id || finding.id.startsWith(`${id}.`));
}

/** The number that a finding gives under this name; null where it gives none. */
export function numberIn(finding: Finding | undefined, what: string): number | null {
  const value = Number.parseFloat((finding?.figures?.find((one) => one.what === what)?.value ?? '').replaceAll(',', ''));
  return Number.isNaN(value) ? null : value;
}

/** Rules that tell how this machine was: other programs may keep it busy, or take all its turns for a while. */
const OF_THIS_MACHINE = /^(?:generatorLimited$|standstill\.)/;

/** Problems and warnings of a run, but for those about this machine. */
export function alarms({ findings }: { readonly findings: readonly Pick<Finding, 'level' | 'id'>[] }): string[] {
  return findings.flatMap(({ level, id }) => (level === 'info' || OF_THIS_MACHINE.test(id) ? [] : [id]));
}
