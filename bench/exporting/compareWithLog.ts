import { parseTemplate } from '#core/plan/secrets.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { countExecutions } from '#core/work/journey/flow/executions.ts';
import { findPlannedJourneys } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** The numbers that a tool reports about its own run. */
export interface ToolReport {
  /** The part of the plan that was exported to the tool. */
  readonly plan: Plan;
  /** Numbers of requests, by the index of the request among the plan's kinds of requests. */
  readonly reported: ReadonlyMap<number, number>;
  /** Numbers of requests that failed below HTTP, for example on a closed connection. The server may not have seen these requests. */
  readonly brokenOff: ReadonlyMap<number, number>;
  /** Number of journeys that were skipped because the maximum of the plan was already in flight. */
  readonly skipped: number;
  /** Maximum number of requests in flight at the end. Servers log these, but the tool counts only responses. */
  readonly underWay: number;
}

/** Steps that send the same request. A log cannot distinguish between them. */
export interface ComparedStep {
  readonly name: string;
  /** Planned number of requests minus those of skipped journeys; null if unknown. */
  readonly planned: number | null;
  readonly reported: number;
  /** Number of requests that failed below HTTP. `reported` includes them. */
  readonly brokenOff: number;
  readonly logged: number;
}

interface LoggedLine {
  readonly method: string;
  readonly path: string;
}

/** Text in place of values that are known only during a journey. It must be recognizable in a path. */
const UNKNOWN_VALUE = 'holdfast-unknown';
const FOLLOW_UP_REQUESTS = 'redirects, and what pages link to';

/**
 * Compares the requests of each step with the servers' logs. Requests that belong to no step are redirects or belong to a page. A redirect
 * to the address of a step is recognized because the tool counts more redirects than the log shows elsewhere.
 */
export function compareWithLog({ plan, reported, brokenOff, skipped }: ToolReport, loggedLines: readonly LoggedLine[]): ComparedStep[] {
  const kinds = listRecordedRequests(plan);
  const groups = new Map<string, Group>();
  for (const [slot, { name, step, isRedirect, resource }] of kinds.entries()) {
    const input = plan.journey[step];
    if (input === undefined || isRedirect || resource !== null) continue;
    const pattern = readPattern(plan, input);
    const group = groups.get(pattern) ?? { names: [], pattern: new RegExp(pattern), planned: 0, reported: 0, brokenOff: 0, logged: 0 };
    const planned = countPlanned(plan, step, skipped);
    group.names.push(name);
    group.planned = group.planned === null || planned === null ? null : group.planned + planned;
    group.reported += reported.get(slot) ?? 0;
    group.brokenOff += brokenOff.get(slot) ?? 0;
    groups.set(pattern, group);
  }
  // The most specific pattern comes first, because the pattern of a path from a response matches everything.
  const inOrder = [...groups.values()].toSorted((one, other) => countKnown(other.pattern) - countKnown(one.pattern));
  let others = 0;
  for (const { method, path } of loggedLines) {
    const group = inOrder.find(({ pattern }) => pattern.test(`${method} ${path.split('?', 1)[0] ?? ''}`));
    if (group === undefined) others += 1;
    else group.logged += 1;
  }
  const followed = kinds.reduce(
    (sum, { isRedirect, resource }, slot) => sum + (isRedirect || resource !== null ? (reported.get(slot) ?? 0) : 0),
    0,
  );
  // Only redirects that were followed can lead to the address of a step.
  let elsewhere = Math.max(0, followed - others);
  const steps = [...groups.values()].map(({ names, planned, reported: own, brokenOff: broken, logged: lines }): ComparedStep => {
    const extra = Math.min(elsewhere, Math.max(0, lines - own));
    elsewhere -= extra;
    others += extra;
    return { name: names.join(' / '), planned, reported: own, brokenOff: broken, logged: lines - extra };
  });
  return followed + others === 0
    ? steps
    : [...steps, { name: FOLLOW_UP_REQUESTS, planned: null, reported: followed, brokenOff: 0, logged: others }];
}

interface Group {
  readonly names: string[];
  readonly pattern: RegExp;
  planned: number | null;
  reported: number;
  brokenOff: number;
  logged: number;
}

/**
 * Returns the planned number of requests for a step, or null unless all journeys contain the step equally often and nothing is repeated.
 */
function countPlanned(plan: Plan, step: number, skipped: number): number | null {
  const { name = '', poll, background, once } = plan.journey[step] ?? {};
  if (poll !== undefined || background !== undefined || once === true) return null;
  let journeys = 0;
  let requests = 0;
  for (const stage of plan.load.stages.keys()) {
    const startedCount = findPlannedJourneys(plan, stage);
    const { least, most } = countExecutions(plan, name, stage);
    if (startedCount === null || least !== most) return null;
    journeys += startedCount;
    requests += startedCount * least;
  }
  return journeys === 0 ? 0 : Math.round((requests * (journeys - skipped)) / journeys);
}

/** Returns a regular expression that matches the requests of a step in the logs. */
function readPattern({ targets }: Plan, { method, path }: Plan['journey'][number]): string {
  const text = parseTemplate(path)
    .map((part) => (typeof part === 'string' ? part : UNKNOWN_VALUE))
    .join('');
  if (text.startsWith(UNKNOWN_VALUE)) return `^${method} .*$`;
  const paths = targets.map(({ url }) => new URL(text, url).pathname.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return `^${method} (${[...new Set(paths)].join('|').replaceAll(UNKNOWN_VALUE, '[^/]+')})$`;
}

function countKnown(pattern: RegExp): number {
  return pattern.source.replaceAll(/\.\*|\[\^\\?\/\]\+/g, '').length;
}

/** Returns the largest relative difference, either between the tool and the log or between the log and the plan. */
export function largestDifference(rows: readonly ComparedStep[], underWay = 0): number {
  return Math.max(
    0,
    ...rows.flatMap(({ planned, reported, brokenOff, logged }) => [
      Math.max(0, logged > reported ? logged - reported - underWay : reported - brokenOff - logged) / Math.max(1, logged),
      planned === null ? 0 : Math.max(0, logged > planned ? logged - planned : planned - brokenOff - logged) / Math.max(1, planned),
    ]),
  );
}
