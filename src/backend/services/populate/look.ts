import { problemOf } from '#core/base/errors.ts';
import { rowsNeeded } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { populateCommands, workOf } from '#core/work/populate/plan.ts';
import type { PopulateLook } from '#core/work/populate/state.ts';
import { lookIntoFeeds } from '../runs/readFeeds.ts';
import { rowsOf } from './rows.ts';

/** What the feeds of a plan hold beside what it needs, and how much of it has been made on its target. Changes nothing and sends nothing. */
export async function lookIntoPlan(plan: Plan): Promise<PopulateLook> {
  const { feeds, problems } = await lookIntoFeeds(plan);
  return {
    feeds: Object.entries(plan.feeds ?? {}).map(([name, feed]) => ({
      name,
      file: feed.file,
      needed: rowsNeeded(plan, feed),
      rows: getOwn(feeds, name)?.rows.length ?? null,
    })),
    problems,
    populate: await populateOf(plan),
  };
}

async function populateOf(plan: Plan): Promise<PopulateLook['populate']> {
  const { populate } = plan;
  if (populate === undefined) return null;
  const shared = {
    feed: populate.feed,
    perSecond: populate.perSecond,
    removes: workOf(populate, 'remove') !== null,
    commands: [...populateCommands(populate, 'create'), ...populateCommands(populate, 'remove')],
  };
  try {
    const { total, todo, record, target } = await rowsOf(plan, 'create');
    return { ...shared, total, made: total - todo.length, record, target, problem: null };
  } catch (thrown) {
    const { message, hint } = problemOf(thrown);
    return { ...shared, total: 0, made: 0, record: '', target: plan.targets[0]?.url ?? '', problem: `${message} ${hint}`.trim() };
  }
}
