import { z } from 'zod';
import { MOST_NAMES, OTHERS } from '../foreignNames.ts';
import { targetOfServer } from '../plan/serverNames.ts';
import type { Window } from '../stats/window.ts';
import type { ServerCount } from '../stats/window.ts';
import { addServer, noServerCount } from '../stats/windowFold.ts';

/** What one of several servers did in a run, warm-up included. */
export const serverResultSchema = z.strictObject({
  name: z.string(),
  /** Complete answers, good or not, and its share of those of all servers. */
  answered: z.int(),
  share: z.number(),
  failed: z.int(),
  /** Of the failed, those without a complete answer. */
  unanswered: z.int(),
  /** Mean service time; null where nothing was answered. */
  meanMs: z.number().nullable(),
  /** When it was asked and answered nothing at all. */
  silent: z.array(z.strictObject({ fromSecond: z.number(), toSecond: z.number() })),
});
export type ServerResult = z.output<typeof serverResultSchema>;

interface Seen {
  readonly total: ServerCount;
  readonly silent: { fromSecond: number; toSecond: number }[];
  /** The last span of silence is not over yet. */
  isSilent: boolean;
}

/**
 * Sums up what each of several servers did. Windows are added in the order of time. Only an answer says which server behind a target gave it: a request that gets none belongs to
 * the target, whose servers are silent as long as none of them answers.
 */
export class ServerTally {
  private readonly seen = new Map<string, Seen>();
  /** The first ones of the run. */
  private readonly names = new Set<string>();

  add(window: Window): void {
    const sums = this.sumOf(window);
    for (const [name, count] of sums) {
      let seen = this.seen.get(name);
      if (seen === undefined) this.seen.set(name, (seen = { total: noServerCount(), silent: [], isSilent: false }));
      addServer(seen.total, count);
      const answered = [...sums].reduce((sum, [other, its]) => sum + (targetOfServer(other) === name ? its.answered : 0), count.answered);
      follow(seen, { ...count, answered }, window);
    }
    // A server that answers ends the silence of its target, of which nobody may have got no answer meanwhile.
    for (const [name, { answered }] of sums) {
      const target = this.seen.get(targetOfServer(name) ?? '');
      if (target !== undefined && answered > 0) target.isSilent = false;
    }
  }

  /** In the order of their names, `shard-2` before `shard-10`. */
  results(): ServerResult[] {
    const servers = withUnnamed(this.seen);
    const answered = [...servers.values()].reduce((sum, { total }) => sum + total.answered, 0);
    return [...servers.entries()]
      .map(([name, { total, silent }]) => ({
        name,
        answered: total.answered,
        share: answered === 0 ? 0 : total.answered / answered,
        failed: total.failed,
        unanswered: total.unanswered,
        meanMs: total.answered === 0 ? null : total.serviceUs / total.answered / 1_000,
        silent,
      }))
      .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  }

  private sumOf({ cells }: Window): Map<string, ServerCount> {
    const sums = new Map<string, ServerCount>();
    for (const { servers } of cells)
      for (const [said, count] of Object.entries(servers)) {
        if (this.names.size < MOST_NAMES) this.names.add(said);
        const name = this.names.has(said) ? said : OTHERS;
        let sum = sums.get(name);
        if (sum === undefined) sums.set(name, (sum = noServerCount()));
        addServer(sum, count);
      }
    return sums;
  }
}

type Tallied = ReadonlyMap<string, Pick<Seen, 'total' | 'silent'>>;

/** Where a target is a single server that names itself, what it did not answer is its own. */
function withUnnamed(seen: Tallied): Tallied {
  const all = new Map(seen);
  for (const [target, { total, silent }] of seen) {
    const [only, ...others] = [...seen.keys()].filter((name) => targetOfServer(name) === target);
    const named = only === undefined ? undefined : all.get(only);
    if (only === undefined || named === undefined || others.length > 0) continue;
    const sum = noServerCount();
    addServer(sum, named.total);
    addServer(sum, total);
    all.delete(target);
    all.set(only, { total: sum, silent: [...named.silent, ...silent].toSorted((one, other) => one.fromSecond - other.fromSecond) });
  }
  return all;
}

/** A second in which a server was not asked says nothing of it. */
function follow(seen: Seen, { answered, unanswered }: ServerCount, { second, width }: Window): void {
  if (answered > 0) seen.isSilent = false;
  else if (unanswered > 0) {
    const last = seen.silent.at(-1);
    if (seen.isSilent && last !== undefined) last.toSecond = second + width;
    else seen.silent.push({ fromSecond: second, toSecond: second + width });
    seen.isSilent = true;
  }
}
