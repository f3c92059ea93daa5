import { parseTemplate } from '#core/journey/template.ts';
import { recordedRequests } from '#core/journey/requests.ts';
import type { Plan } from '#core/plan/schema.ts';

/** How many requests a tool says that it made, by their place among the kinds of requests of a plan. */
export type Told = ReadonlyMap<number, number>;

/** Steps that ask for the same and so cannot be told apart in a log. */
export interface Compared {
  readonly name: string;
  readonly told: number;
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
export function compareWithLog(plan: Plan, told: Told, logged: readonly Asked[]): Compared[] {
  const kinds = recordedRequests(plan);
  const groups = new Map<string, { readonly names: string[]; readonly pattern: RegExp; told: number; logged: number }>();
  for (const [slot, { name, step, isRedirect, resource }] of kinds.entries()) {
    const asked = plan.journey[step];
    if (asked === undefined || isRedirect || resource !== null) continue;
    const pattern = patternOf(plan, asked);
    const group = groups.get(pattern) ?? { names: [], pattern: new RegExp(pattern), told: 0, logged: 0 };
    group.names.push(name);
    group.told += told.get(slot) ?? 0;
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
  const steps = [...groups.values()].map(({ names, told: own, logged: lines }): Compared => {
    const extra = Math.min(elsewhere, Math.max(0, lines - own));
    elsewhere -= extra;
    others += extra;
    return { name: names.join(' / '), told: own, logged: lines - extra };
  });
  return followed + others === 0 ? steps : [...steps, { name: FOLLOWED, told: followed, logged: others }];
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

/** The largest difference of a row from the log, as a share of what the log has. */
export function largestDifference(rows: readonly Compared[]): number {
  return Math.max(0, ...rows.map(({ told, logged }) => Math.abs(told - logged) / Math.max(1, logged)));
}
