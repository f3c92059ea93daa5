import { wantedRequests } from '#core/measurement/requestOutcomes.ts';
import type { Finding } from '#core/result/schema.ts';
import { type MeasuredRun, MIN_NOTICEABLE_SHARE, ruleOf } from './rule.ts';

/** Rules about a server that stood still or was away, regardless of load. */
const STOPPED = new Set(['outage', 'freeze', 'serverDown', 'noServerLeft', 'nothingAnswered']);
/** Rules about requests that the server refuses on purpose. The id of `unexpectedStatus` ends in the status. */
const REFUSED = new Set(['missingRoute', 'redirectMeasured', 'accountsRefused', 'refusedAtAnyLoad', 'clientLimit']);
const REFUSED_STATUS = /^unexpectedStatus\.4(?!08)\d\d$/;
/** Smallest share of all failures that makes a finding their cause. */
const MIN_EXPLAINED_SHARE = 0.5;

/**
 * Returns the finding that explains the failures of a run by another cause than load: refused accounts, expired tokens, rules of the server, redirects,
 * freezes. null if load may be the cause.
 */
export function notOfLoad(facts: MeasuredRun, findings: readonly Finding[]): Finding | null {
  const problems = findings.filter(({ level }) => level !== 'info');
  const stopped = problems.find((finding) => STOPPED.has(ruleOf(finding)));
  if (stopped !== undefined) return stopped;
  const refused = problems.find((finding) => REFUSED.has(ruleOf(finding)) || REFUSED_STATUS.test(finding.id));
  if (refused === undefined) return null;
  const { ok, inFlight } = facts.outcomes.requests;
  const wanted = wantedRequests(facts.outcomes.requests) - inFlight;
  const isRefusedStep = (name: string) => problems.some(({ id }) => id === `refusedAtAnyLoad.${name}` || id === `accountsRefused.${name}`);
  const isLimited = problems.some((finding) => ruleOf(finding) === 'clientLimit');
  const explained = facts.steps.reduce((sum, { name, requests, status }) => {
    if (isRefusedStep(name)) return sum + requests.httpError + requests.wrongBody;
    return sum + countOf(status, (code) => (code >= 300 && code < 500 && code !== 304 && code !== 408) || (isLimited && code === 503));
  }, 0);
  const failed = wanted - ok;
  if (ruleOf(refused) === 'redirectMeasured') return refused;
  return failed >= MIN_NOTICEABLE_SHARE * wanted && explained >= MIN_EXPLAINED_SHARE * failed ? refused : null;
}

function countOf(statuses: Readonly<Record<string, number>>, matches: (status: number) => boolean): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (matches(Number(status)) ? count : 0), 0);
}
