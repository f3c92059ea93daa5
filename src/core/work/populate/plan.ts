import type { Feed } from '#core/plan/schema/feeds.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { CREATED_FEED, type PlanCommand, type Populate, type PopulateMode } from '#core/plan/schema/populate.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';

/** What is run for a row: a journey or a command; null if the plan has neither. */
export type RowWork =
  | { readonly kind: 'journey'; readonly steps: readonly Step[] }
  | { readonly kind: 'command'; readonly command: PlanCommand };

export function findRowWork(populate: Populate, mode: PopulateMode): RowWork | null {
  const steps = mode === 'create' ? populate.journey : populate.remove;
  const command = mode === 'create' ? populate.command : populate.removeCommand;
  if (steps !== undefined) return { kind: 'journey', steps };
  return command === undefined ? null : { kind: 'command', command };
}

/** Returns the commands that a populate runs. */
export function populateCommands(populate: Populate, mode: PopulateMode): string[] {
  const work = findRowWork(populate, mode);
  return work?.kind === 'command' ? [work.command.run] : [];
}

const CREATED: Feed = { file: 'what was made', separator: ',', order: 'unique', secret: [] };

/**
 * Returns a plan that runs one journey for each of `rows` rows at the first target. It uses arrivals, so rows do not wait for each other,
 * at the maximum rate and concurrency that `populate` allows.
 */
export function walkPlan(plan: Plan, populate: Populate, steps: readonly Step[], mode: PopulateMode, rows: number): Plan {
  const { feeds = {}, safety } = plan;
  const feed = getOwn(feeds, populate.feed);
  const { populate: _own, demand: _demand, stored: _stored, servers: _servers, cookies: _cookies, flow: _flow, ...others } = plan;
  return {
    ...others,
    targets: plan.targets.slice(0, 1),
    journey: steps.map(({ once: _once, renew: _renew, ...step }) => step),
    feeds: {
      ...feeds,
      ...(feed === undefined ? {} : { [populate.feed]: { ...feed, order: 'unique' } }),
      ...(mode === 'remove' ? { [CREATED_FEED]: CREATED } : {}),
    },
    load: {
      model: 'arrivals',
      spacing: 'uniform',
      maxInFlight: populate.atOnce,
      stages: [{ kind: 'count', counted: true, arrivals: Math.max(1, rows), seconds: Math.max(1, rows) / populate.perSecond }],
    },
    criteria: [],
    safety: { errorWindowSeconds: safety.errorWindowSeconds },
    engine: 'native',
    threads: 1,
    cookies: 'journey',
  };
}

/** Returns the column that identifies a row. */
export function keyColumn({ key }: Populate, columns: readonly string[], isSecret: (column: string) => boolean): string | null {
  if (key !== undefined) return columns.includes(key) ? key : null;
  if (columns.includes('username')) return 'username';
  return columns.find((column) => !isSecret(column)) ?? null;
}
