import { readErrorName } from '#core/base/errorNames.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { Point } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import {
  countStatuses,
  failedShare,
  figure,
  type FindingDraft,
  type MeasuredRun,
  rangeOf,
  ruleOf,
  secondsOf,
  overloadedShare,
} from './rule.ts';
import { sumOf } from '#core/base/lists.ts';

/** Minimum share of failures in a second of an outage. */
const MIN_FAILED = 0.5;
/** Minimum length of an outage in seconds. Shorter disturbances are not reported. */
const MIN_SECONDS = 2;
const MIN_FAILURES = 5;
/** Maximum length in seconds of a gap with successful responses inside an outage. The responses belong to requests that were in flight. */
const MAX_BRIDGED_SECONDS = 2;
/** Minimum share of the run's failures that must lie in the outage for it to explain them. */
const MIN_SHARE_OF_FAILURES = 0.9;
/** Maximum share of failures outside the outage. */
const MAX_FAILED_OUTSIDE = 0.05;
/** Minimum share of the load at the beginning of the outage that must remain when the server is back. */
const MIN_SAME_LOAD = 0.5;
/** Maximum delay with which a monitor notices an outage, in seconds. */
const MONITOR_DELAY_SECONDS = 15;
/**
 * Maximum share of overloaded seconds. Above it, the load generator may cause failed connections and time-outs. A status, in contrast,
 * always comes from the server.
 */
const MAX_OVERLOADED_SHARE = 0.5;
const MIN_STATUSES = 0.9;

/** Rules that know the cause more precisely and therefore replace an outage. */
const EXACT_RULES = new Set([
  'bellRefusals',
  'serverDown',
  'noServerLeft',
  'freeze',
  'refused',
  'workerTimeout',
  'clientLimit',
  'fullBacklog',
  'proxySlots',
  'proxyTimeout',
  'hopPorts',
  'portsExhausted',
  'limitReached',
  'growingQueue',
  'nothingResponded',
]);
/** Consequences of an outage, by the beginning of their ids. */
const CONSEQUENCE_PREFIXES = [
  'unexpectedStatus.5',
  'rateDips',
  'notSteady',
  'slowTail',
  'averageHides.',
  'fastFailures.',
  'groups.',
  'warmingUp.',
  'ownTimeout',
  'proxySlots',
  'failuresBeforeServers',
  'slowerAndSlower.',
  'growingQueue.',
  'behaviour.',
];

/** Adds the outage as one finding: removes its consequences and adds the monitors' observations as evidence. */
export function mergeOutage(found: readonly FindingDraft[], facts: MeasuredRun): FindingDraft[] {
  const exact = found.filter((finding) => EXACT_RULES.has(ruleOf(finding)));
  if (exact.length > 0) return found.map((finding) => (exact.includes(finding) ? addMonitorFailures(finding, facts) : finding));
  const points = findOutageSeconds(facts);
  const outage = points === null ? null : findOutage(points);
  if (outage === null) return [...found];
  return [addMonitorFailures(outage, facts), ...found.filter(({ id }) => !CONSEQUENCE_PREFIXES.some((start) => id.startsWith(start)))];
}

/** Returns the points of the longest outage; null if there is none. */
function findOutageSeconds(facts: MeasuredRun): readonly Point[] | null {
  const { windows } = facts;
  const statuses = sumOf(windows, ({ status }) => countStatuses(status, (code) => code >= 500));
  const failed = sumOf(windows, (point) => point.failed);
  if (overloadedShare(facts) > MAX_OVERLOADED_SHARE && statuses < MIN_STATUSES * failed) return null;
  let longest: Point[] = [];
  let current: Point[] = [];
  let bridgedSeconds = 0;
  for (const point of windows) {
    const isOut = point.failed > 0 && failedShare([point]) >= MIN_FAILED;
    if (isOut) current.push(point);
    else if (current.length > 0) bridgedSeconds += point.width;
    if (isOut) bridgedSeconds = 0;
    if (bridgedSeconds > MAX_BRIDGED_SECONDS) [current, bridgedSeconds] = [[], 0];
    if (current.length > longest.length) longest = [...current];
  }
  const [first, last] = [longest[0], longest.at(-1)];
  if (first === undefined || last === undefined) return null;
  const outageWindows = windows.filter(({ second }) => second >= first.second && second <= last.second);
  const outside = windows.filter((point) => !outageWindows.includes(point));
  const failures = sumOf(outageWindows, ({ failed }) => failed);
  const isOne = failures >= MIN_SHARE_OF_FAILURES * failed && failures >= MIN_FAILURES && secondsOf(outageWindows) >= MIN_SECONDS;
  // Failures that begin when the load rises, and last, are no outage. After an outage, the server recovers under the same load.
  const after = windows.filter(({ second }) => second > last.second);
  const before = windows.filter(({ second, started }) => second < first.second && started > 0).map(({ started }) => started);
  // Refusals are quick, so a load of users or connections sends many more requests during an outage.
  const usual = before.length === 0 ? first.started : medianOf(before.toSorted((one, other) => one - other));
  const isBack = after.some(({ ok, failed, started }) => ok > 0 && failed <= MAX_FAILED_OUTSIDE * ok && started >= MIN_SAME_LOAD * usual);
  return isOne && isBack && sumOf(outside, ({ ok }) => ok) > 0 && failedShare(outside) <= MAX_FAILED_OUTSIDE ? outageWindows : null;
}

function findOutage(points: readonly Point[]): FindingDraft | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const toSecond = last.second + last.width;
  const kinds = new Map<string, number>();
  const add = (name: string, count: number): void => void kinds.set(name, (kinds.get(name) ?? 0) + count);
  for (const { status, errors } of points) {
    for (const [code, count] of Object.entries(status)) if (Number(code) >= 500) add(`status ${code}`, count);
    for (const [name, count] of Object.entries(errors)) add(readErrorName(name).code, count);
  }
  const [mostFrequent] = [...kinds].toSorted(([, one], [, other]) => other - one);
  // Failures because of content or a status below 500 are refusals, not an outage.
  if (mostFrequent === undefined || sumOf(points, ({ failed }) => failed) > 2 * sumOf([...kinds.values()], (count) => count)) return null;
  const failures = sumOf(points, ({ failed }) => failed);
  return {
    id: 'outage',
    level: 'problem',
    sentence: `From second ${formatNumber(first.second)} to ${formatNumber(toSecond)} the server was away: ${formatCount(failures)} requests failed in ${formatSeconds(toSecond - first.second)}, mostly with ${mostFrequent[0]}. Then it came back.`,
    evidence: ['Outside of these seconds requests succeeded.'],
    figures: [...kinds]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, 3)
      .map(([name, count]) => figure(name, formatCount(count))),
    remedy: 'Check the logs of the server and of its database for that time: was it restarted, stopped or out of memory?',
    confidence: 'likely',
    range: rangeOf(points),
  };
}

function addMonitorFailures(finding: FindingDraft, { events }: MeasuredRun): FindingDraft {
  const { range, evidence } = finding;
  if (range === null) return finding;
  const noticed = events
    .filter(({ kind, second }) => kind === 'monitor' && second >= range.fromSecond - 1 && second <= range.toSecond + MONITOR_DELAY_SECONDS)
    .map(({ second, text }) => `Second ${formatNumber(second)}: ${text}`);
  return noticed.length === 0 ? finding : { ...finding, evidence: [...evidence, ...noticed] };
}
