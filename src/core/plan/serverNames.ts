import { shortName } from '../foreignNames.ts';
import type { Plan } from './schema.ts';

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
  return targets.length > 1 || servers !== undefined;
}

/**
 * Name of the server that gave an answer: its target, where there are several, and what the header says that the plan names. `said` is that header;
 * undefined where there is none, or no answer. null where nothing tells.
 */
export function serverName(plan: Pick<Plan, 'targets'>, target: number, said: string | undefined): string | null {
  const of = plan.targets.length > 1 ? targetName(plan, target) : null;
  const name = shortName(said ?? '', LONGEST_NAME);
  if (name === '') return of;
  return of === null ? name : `${of}${WITHIN}${name}`;
}

const WITHIN = ' › ';

/** Of a name that {@link serverName} gave: the target, where it says more than that. null where it names one thing only. */
export function targetOfServer(name: string): string | null {
  const at = name.indexOf(WITHIN);
  return at < 0 ? null : name.slice(0, at);
}

const LONGEST_NAME = 80;
