import { parseTemplate } from '#core/plan/secrets.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import { takingsOf } from '#core/work/journey/flow/takings.ts';
import { plannedJourneysOf } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** What a tool says of what it did. */
export interface Ran {
  /** As much of the plan as the tool was told. */
  readonly plan: Plan;
  /** How many requests it made, by their place among the kinds of requests of a plan. */
  readonly told: ReadonlyMap<number, number>;
  /** Those of them that broke off below HTTP, such as over a connection that the server just closed: the server may know nothing of them. */
  readonly brokenOff: ReadonlyMap<number, number>;
  /** Journeys that it left out because as many were on their way as the plan allows. */
  readonly skipped: number;
  /** Requests that may have been on their way when the time was over: servers log them, and the tool counts answers only. */
  readonly underWay: number;
}

/** Steps that ask for the same and so cannot be told apart in a log. */
export interface Compared {
  readonly name: string;
  /** What the plan and the journeys that were left out come to; null where nothing says it before. */
  readonly planned: number | null;
  readonly told: number;
  /** Of those that are told. */
  readonly brokenOff: number;
  readonly logged: number;
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** In place of what is known only while a journey is walked; a segment may hold nothing of it that could be meant as something else. */
const UNKNOWN = 'holdfast-unknown';
const FOLLOWED = 'redirects, and what pages link to';

/**
 * Requests of each step as the tool counts them beside the lines of the servers’ logs. What no step asks for by itself is a redirect or belongs to a
 * page; a redirect that leads to the address of a step is told apart by how many of them the tool has beyond those lines.
 */
export function compareWithLog({ plan, told, brokenOff, skipped }: Ran, logged: readonly Asked[]): Compared[] {
  const kinds = recordedRequests(plan);
  const groups = new Map<string, Group>();
  for (const [slot, { name, step, isRedirect, resource }] of kinds.entries()) {
    const asked = plan.journey[step];
    if (asked === undefined || isRedirect || resource !== null) continue;
    const pattern = patternOf(plan, asked);
    const group = groups.get(pattern) ?? { names: [], pattern: new RegExp(pattern), planned: 0, told: 0, brokenOff: 0, logged: 0 };
    const planned = plannedOf(plan, step, skipped);
    group.names.push(name);
    group.planned = group.planned === null || planned === null ? null : group.planned + planned;
    group.told += told.get(slot) ?? 0;
    group.brokenOff += brokenOff.get(slot) ?? 0;
    groups.set(pattern, group);
  }
  // The one that says most of its address comes first: a path that an answer gave matches everything.
  const inOrder = [...groups.values()].toSorted((one, other) => knownOf(other.pattern) - knownOf(one.pattern));
  let others = 0;
  for (const { method, path } of logged) {
    const group = inOrder.find(({ pattern }) => pattern.test(`${method} ${path.split('?', 1)[0] ?? ''}`));
    if (group === undefined) others += 1;
    else group.logged += 1;
  }
  const followed = kinds.reduce(
    (sum, { isRedirect, resource }, slot) => sum + (isRedirect || resource !== null ? (told.get(slot) ?? 0) : 0),
    0,
  );
  // Only what was followed can have come to the address of a step beside the step itself.
  let elsewhere = Math.max(0, followed - others);
  const steps = [...groups.values()].map(({ names, planned, told: own, brokenOff: broken, logged: lines }): Compared => {
    const extra = Math.min(elsewhere, Math.max(0, lines - own));
    elsewhere -= extra;
    others += extra;
    return { name: names.join(' / '), planned, told: own, brokenOff: broken, logged: lines - extra };
  });
  return followed + others === 0 ? steps : [...steps, { name: FOLLOWED, planned: null, told: followed, brokenOff: 0, logged: others }];
}

interface Group {
  readonly names: string[];
  readonly pattern: RegExp;
  planned: number | null;
  told: number;
  brokenOff: number;
  logged: number;
}

/** Requests of a step that the plan comes to, where all of its journeys take it equally often and nothing is asked for again. */
function plannedOf(plan: Plan, step: number, skipped: number): number | null {
  const { name = '', poll, background, once } = plan.journey[step] ?? {};
  if (poll !== undefined || background !== undefined || once === true) return null;
  let journeys = 0;
  let requests = 0;
  for (const stage of plan.load.stages.keys()) {
    const begun = plannedJourneysOf(plan, stage);
    const { least, most } = takingsOf(plan, name, stage);
    if (begun === null || least !== most) return null;
    journeys += begun;
    requests += begun * least;
  }
  return journeys === 0 ? 0 : Math.round((requests * (journeys - skipped)) / journeys);
}

/** A request of the step as the logs of the targets tell it, as a regular expression. */
function patternOf({ targets }: Plan, { method, path }: Plan['journey'][number]): string {
  const text = parseTemplate(path)
    .map((part) => (typeof part === 'string' ? part : UNKNOWN))
    .join('');
  if (text.startsWith(UNKNOWN)) return `^${method} .*$`;
  const paths = targets.map(({ url }) => new URL(text, url).pathname.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return `^${method} (${[...new Set(paths)].join('|').replaceAll(UNKNOWN, '[^/]+')})$`;
}

function knownOf(pattern: RegExp): number {
  return pattern.source.replaceAll(/\.\*|\[\^\\?\/\]\+/g, '').length;
}

/** The largest difference of a row: what the tool counts from what the log has, as a share of that, and the log from the plan. */
export function largestDifference(rows: readonly Compared[], underWay = 0): number {
  return Math.max(
    0,
    ...rows.flatMap(({ planned, told, brokenOff, logged }) => [
      Math.max(0, logged > told ? logged - told - underWay : told - brokenOff - logged) / Math.max(1, logged),
      planned === null ? 0 : Math.max(0, logged > planned ? logged - planned : planned - brokenOff - logged) / Math.max(1, planned),
    ]),
  );
}
