import { parseTemplate } from '#core/plan/secrets.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { computeTakings } from '#core/work/journey/flow/takings.ts';
import { findPlannedJourneys } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** A tool's own report. */
export interface ToolReport {
  /** The part of the plan that the tool got. */
  readonly plan: Plan;
  /** Number of requests by their index among the plan's kinds of requests. */
  readonly reported: ReadonlyMap<number, number>;
  /** Number of requests that failed below HTTP, such as over a closed connection: the server may not have seen them. */
  readonly brokenOff: ReadonlyMap<number, number>;
  /** Journeys that were skipped because the plan's maximum was in flight. */
  readonly skipped: number;
  /** Maximum number of requests in flight at the end: servers log them, but the tool counts only responses. */
  readonly underWay: number;
}

/** Steps with the same request, which a log cannot distinguish. */
export interface ComparedStep {
  readonly name: string;
  /** Planned number minus skipped journeys; null if unknown. */
  readonly planned: number | null;
  readonly reported: number;
  /** Included in `reported`. */
  readonly brokenOff: number;
  readonly logged: number;
}

interface LoggedLine {
  readonly method: string;
  readonly path: string;
}

/** Replaces values that are only known during a journey. The text must not be ambiguous in a path. */
const UNKNOWN_VALUE = 'holdfast-unknown';
const FOLLOW_UP_REQUESTS = 'redirects, and what pages link to';

/**
 * Compares the requests of each step with the servers' logs. Requests of no step are redirects or belong to a page. Redirects to the
 * address of a step are recognized by the tool's surplus.
 */
export function compareWithLog({ plan, reported, brokenOff, skipped }: ToolReport, logged: readonly LoggedLine[]): ComparedStep[] {
  const kinds = listRecordedRequests(plan);
  const groups = new Map<string, Group>();
  for (const [slot, { name, step, isRedirect, resource }] of kinds.entries()) {
    const asked = plan.journey[step];
    if (asked === undefined || isRedirect || resource !== null) continue;
    const pattern = readPattern(plan, asked);
    const group = groups.get(pattern) ?? { names: [], pattern: new RegExp(pattern), planned: 0, reported: 0, brokenOff: 0, logged: 0 };
    const planned = countPlanned(plan, step, skipped);
    group.names.push(name);
    group.planned = group.planned === null || planned === null ? null : group.planned + planned;
    group.reported += reported.get(slot) ?? 0;
    group.brokenOff += brokenOff.get(slot) ?? 0;
    groups.set(pattern, group);
  }
  // The most specific pattern comes first: a path from a response matches everything.
  const inOrder = [...groups.values()].toSorted((one, other) => countKnown(other.pattern) - countKnown(one.pattern));
  let others = 0;
  for (const { method, path } of logged) {
    const group = inOrder.find(({ pattern }) => pattern.test(`${method} ${path.split('?', 1)[0] ?? ''}`));
    if (group === undefined) others += 1;
    else group.logged += 1;
  }
  const followed = kinds.reduce(
    (sum, { isRedirect, resource }, slot) => sum + (isRedirect || resource !== null ? (reported.get(slot) ?? 0) : 0),
    0,
  );
  // Only followed redirects can have the address of a step.
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

/** Returns the planned requests of a step if all its journeys take it equally often and nothing is repeated, otherwise null. */
function countPlanned(plan: Plan, step: number, skipped: number): number | null {
  const { name = '', poll, background, once } = plan.journey[step] ?? {};
  if (poll !== undefined || background !== undefined || once === true) return null;
  let journeys = 0;
  let requests = 0;
  for (const stage of plan.load.stages.keys()) {
    const begun = findPlannedJourneys(plan, stage);
    const { least, most } = computeTakings(plan, name, stage);
    if (begun === null || least !== most) return null;
    journeys += begun;
    requests += begun * least;
  }
  return journeys === 0 ? 0 : Math.round((requests * (journeys - skipped)) / journeys);
}

/** Returns a regular expression for the step's requests in the logs. */
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

/** Returns the largest relative difference between tool and log, or log and plan. */
export function largestDifference(rows: readonly ComparedStep[], underWay = 0): number {
  return Math.max(
    0,
    ...rows.flatMap(({ planned, reported, brokenOff, logged }) => [
      Math.max(0, logged > reported ? logged - reported - underWay : reported - brokenOff - logged) / Math.max(1, logged),
      planned === null ? 0 : Math.max(0, logged > planned ? logged - planned : planned - brokenOff - logged) / Math.max(1, planned),
    ]),
  );
}
