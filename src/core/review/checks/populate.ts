import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { walkPlan, findRowWork } from '#core/work/populate/plan.ts';
import { type Populate, POPULATE_MODES } from '#core/plan/schema/populate.ts';
import { warning, unknownStepIssue } from './make.ts';
import { checkJourney } from './journey.ts';
import { checkValues } from './values.ts';
import { withoutAbsent } from '#core/base/lists.ts';

export function checkStored({ stored = [], journey }: Plan): Issue[] {
  const steps = journey.map(({ name }) => name);
  return stored.flatMap(({ name, step, marker }, index): Issue[] => {
    const path = `stored[${index}]`;
    const sentNames = journey.flatMap((one) => (one.name === step ? namesSentBy(one, journey) : []));
    const names = marker === undefined ? [] : listPlaceholderNames(marker);
    const isMarker = names.length > 0 && names.every((value) => sentNames.includes(value));
    const isDouble = stored.findIndex((other) => other.name === name) < index;
    return withoutAbsent([
      !steps.includes(step) && unknownStepIssue(`${path}.step`, step, steps),
      isDouble && error('DOUBLE_NAME', `${path}.name`, `Two counts have the name “${name}”.`, 'Give each a different name.'),
      !(marker === undefined || isMarker || !steps.includes(step)) &&
        error(
          'NOT_A_MARKER',
          `${path}.marker`,
          `“${step}” does not send or capture this marker.`,
          sentNames.length === 0
            ? 'Send a value such as {{uuid}} with the step, and use it as the marker.'
            : `The values of this step: ${sentNames.map((value) => `{{${value}}}`).join(', ')}.`,
        ),
    ]);
  });
}

/** Returns the names of the values that a step sends or captures. Includes those that are entered into the fields of a captured form. */
function namesSentBy(step: Plan['journey'][number], journey: Plan['journey']): string[] {
  const sent = namesOfStep(step);
  const entered = journey.flatMap(({ captures = [] }) =>
    captures.flatMap((capture) =>
      capture.from === 'form' && capture.text !== undefined && sent.includes(capture.as) ? listPlaceholderNames(capture.text) : [],
    ),
  );
  return [...sent, ...(step.captures ?? []).map(({ as }) => as), ...entered];
}

/** Checks that the feed of `populate` exists and its journeys are valid. */
export function checkPopulate(plan: Plan): Issue[] {
  const { populate } = plan;
  if (populate === undefined) return [];
  return [...checkWork(plan, populate), ...POPULATE_MODES.flatMap((mode) => checkSteps(plan, populate, mode))];
}

function checkWork({ feeds = {}, leavesBehind }: Plan, populate: Populate): Issue[] {
  const { feed, journey, command, remove, removeCommand } = populate;
  const names = Object.keys(feeds);
  return withoutAbsent([
    !Object.hasOwn(feeds, feed) &&
      error(
        'NO_SUCH_FEED',
        'populate.feed',
        `There is no feed “${feed}”.`,
        names.length === 0 ? 'Add it under feeds with the file of its rows.' : `There is: ${names.join(', ')}.`,
      ),
    findRowWork(populate, 'create') === null &&
      error('NOTHING_MAKES_ROWS', 'populate', 'It does not define how to create a row.', 'Add a journey or a command.'),
    journey !== undefined &&
      command !== undefined &&
      error('MADE_TWICE', 'populate.command', 'Both the journey and the command would create a row.', 'Remove one.'),
    remove !== undefined &&
      removeCommand !== undefined &&
      error('REMOVED_TWICE', 'populate.removeCommand', 'Both a journey and a command would remove a row.', 'Remove one.'),
    findRowWork(populate, 'remove') === null &&
      leavesBehind.length === 0 &&
      warning(
        'NOTHING_REMOVES_ROWS',
        'populate.remove',
        'Test data stays on the server: no journey removes it.',
        'Add populate.remove, or describe the removal under leavesBehind.',
      ),
  ]);
}

function checkSteps(plan: Plan, populate: Populate, mode: (typeof POPULATE_MODES)[number]): Issue[] {
  const work = findRowWork(populate, mode);
  if (work?.kind !== 'journey') return [];
  const at = mode === 'create' ? 'populate.journey' : 'populate.remove';
  const walked = walkPlan(plan, populate, work.steps, mode, 1);
  return [...checkJourney(walked), ...checkValues(walked)]
    .filter(({ path }) => path.startsWith('journey'))
    .map((issue) => ({ ...issue, path: issue.path.replace(/^journey/, at) }));
}
