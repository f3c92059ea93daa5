import { shortName } from '#core/base/foreignNames.ts';
import type { Plan } from './schema/plan.ts';

/** What a target is called where several share the work: its own name, else its host and port, with its path where only that tells them apart. */
export function targetName(plan: Pick<Plan, 'targets'>, index: number): string {
  const target = plan.targets[index];
  if (target === undefined) return `target ${index + 1}`;
  if (target.name !== undefined) return target.name;
  const { host, pathname } = new URL(target.url);
  const isAlone = plan.targets.every((other, position) => position === index || new URL(other.url).host !== host);
  return isAlone ? host : `${host}${pathname}`;
}

/** Whether a run tells apart which of several servers did what. */
export function tellsServers({ targets, servers }: Pick<Plan, 'targets' | 'servers'>): boolean {
  return targets.length > 1 || servers?.header !== undefined;
}

/**
 * Name of the server that gave an answer: its target, where there are several, and what the header says that the plan names. `said` is that header;
 * undefined where there is none, or no answer. null where nothing tells.
 */
export function serverName(plan: Pick<Plan, 'targets'>, target: number, said: string | undefined): string | null {
  const among = plan.targets.length > 1 ? targetName(plan, target) : null;
  const name = shortName(said ?? '', LONGEST_NAME);
  return name === '' ? among : within(among, name);
}

const WITHIN = ' › ';

/** Of a name that {@link serverName} gave: the target, where it says more than that. null where it names one thing only. */
export function targetOfServer(name: string): string | null {
  const at = name.indexOf(WITHIN);
  return at < 0 ? null : name.slice(0, at);
}

/** Whom a header names: who gave the answer, and whom a proxy had asked for it before, in vain. */
export interface SaidServers {
  readonly name: string;
  readonly tried: readonly string[];
}

/**
 * A name that {@link serverName} gave, taken apart. nginx’ `$upstream_addr` lists all that it asked, the one that answered last: “A, B”, and “A : B” where the request was passed to another group.
 */
export function saidServers(said: string): SaidServers {
  const target = targetOfServer(said);
  const listed = target === null ? said : said.slice(target.length + WITHIN.length);
  const names = listed.split(/, | : /).flatMap((one) => (one.trim() === '' || one.trim() === '-' ? [] : [within(target, one.trim())]));
  return { name: names.at(-1) ?? said, tried: names.slice(0, -1) };
}

function within(target: string | null, name: string): string {
  return target === null ? name : `${target}${WITHIN}${name}`;
}

/** Whether a name is the address of a server. Beside such names, any other is that of nginx’ group of servers, which it says when none of them was left. */
export function isAddress(name: string): boolean {
  return /(?:^|› )unix:|:\d+$/.test(name);
}

/** A list of addresses, too. */
const LONGEST_NAME = 200;
