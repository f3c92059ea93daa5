import { type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { walkPlan, workOf } from '#core/work/populate/plan.ts';
import { type Populate, POPULATE_MODES } from '#core/plan/schema/populate.ts';
import { error, warning, unknownStep } from './make.ts';
import { checkJourney } from './journey.ts';
import { checkValues } from './values.ts';

/** What is counted belongs to a step, and no name stands twice. */
export function checkStored({ stored = [], journey }: Plan): Issue[] {
  const steps = journey.map(({ name }) => name);
  return stored.flatMap(({ name, step }, index): Issue[] => {
    const path = `stored[${index}]`;
    const isDouble = stored.findIndex((other) => other.name === name) < index;
    return [
      ...(steps.includes(step) ? [] : [unknownStep(`${path}.step`, step, steps)]),
      ...(isDouble ? [error('DOUBLE_NAME', `${path}.name`, `Two counts are called “${name}”.`, 'Give each a name of its own.')] : []),
    ];
  });
}

/** Whether data can be made as the plan says: its feed is there, and its journeys are ones that can be walked. */
export function checkPopulate(plan: Plan): Issue[] {
  const { populate } = plan;
  if (populate === undefined) return [];
  return [...checkWork(plan, populate), ...POPULATE_MODES.flatMap((mode) => checkSteps(plan, populate, mode))];
}

function checkWork({ feeds = {}, leavesBehind }: Plan, populate: Populate): Issue[] {
  const { feed, journey, command, remove, removeCommand } = populate;
  const names = Object.keys(feeds);
  return [
    ...(Object.hasOwn(feeds, feed)
      ? []
      : [
          error(
            'NO_SUCH_FEED',
            'populate.feed',
            `There is no feed “${feed}”.`,
            names.length === 0 ? 'Name the file of its rows under feeds.' : `There is: ${names.join(', ')}.`,
          ),
        ]),
    ...(workOf(populate, 'create') === null
      ? [error('NOTHING_MAKES_ROWS', 'populate', 'It does not say how a row is made.', 'Write a journey, or a command.')]
      : []),
    ...(journey !== undefined && command !== undefined
      ? [error('MADE_TWICE', 'populate.command', 'A row would be made by the journey and by the command.', 'Leave one out.')]
      : []),
    ...(remove !== undefined && removeCommand !== undefined
      ? [error('REMOVED_TWICE', 'populate.removeCommand', 'A row would be removed by a journey and by a command.', 'Leave one out.')]
      : []),
    ...(workOf(populate, 'remove') === null && leavesBehind.length === 0
      ? [
          warning(
            'NOTHING_REMOVES_ROWS',
            'populate.remove',
            'What is made for the test stays: no journey removes it.',
            'Write populate.remove, or say under leavesBehind how it is removed.',
          ),
        ]
      : []),
  ];
}

function checkSteps(plan: Plan, populate: Populate, mode: (typeof POPULATE_MODES)[number]): Issue[] {
  const work = workOf(populate, mode);
  if (work?.kind !== 'journey') return [];
  const at = mode === 'create' ? 'populate.journey' : 'populate.remove';
  const walked = walkPlan(plan, populate, work.steps, mode, 1);
  return [...checkJourney(walked), ...checkValues(walked)]
    .filter(({ path }) => path.startsWith('journey'))
    .map((issue) => ({ ...issue, path: issue.path.replace(/^journey/, at) }));
}
