import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import { formatSeconds } from '#core/base/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { listLegs, secondsOf } from '#core/work/load/stages.ts';
import { warning } from './make.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Hint for a load model without virtual users. */
export const OTHER_MODELS_HINT = 'Use the load model users or arrivals.';

/** Checks that only steps of users have reloads, because only users can pause. */
export function checkReloads({ load, journey }: Plan): Issue[] {
  return journey.flatMap(({ name, reload, background, measured }, index) => {
    if (reload === undefined) return [];
    const path = `journey[${index}].reload`;
    if (load.model === 'connections') return [error('RELOAD_WITHOUT_USERS', path, 'Fixed connections do not reload.', OTHER_MODELS_HINT)];
    if (background !== undefined || measured === false)
      return [error('RELOAD_BESIDE_JOURNEY', path, `“${name}” is no step of the journey, so nobody reloads it.`, 'Remove reload.')];
    return [];
  });
}

/** Checks that only one step gives places, and that it gives them to users who end their journey when none is left. */
export function checkPlaces({ load, journey }: Plan): Issue[] {
  const steps = journey.flatMap(({ places, ...step }, index) => (places === undefined ? [] : [{ ...step, ...places, index }]));
  return steps.flatMap(({ name, count, background, measured, index }) => {
    const path = `journey[${index}].places`;
    return withoutAbsent([
      load.model === 'connections' &&
        error('PLACES_WITHOUT_USERS', path, 'Fixed connections do not end a journey when no place is left.', OTHER_MODELS_HINT),
      (background !== undefined || measured === false) &&
        error('PLACES_BESIDE_JOURNEY', path, `“${name}” is no step of the journey, so it gives no places.`, 'Remove places.'),
      count !== undefined &&
        steps.some((other) => other.count !== undefined && other.index < index) &&
        error('PLACES_TWICE', path, 'Two steps give places.', 'Keep the count of one step, and leave it out at the others.'),
      count === undefined &&
        steps.every((other) => other.count === undefined) &&
        error('PLACES_WITHOUT_COUNT', path, 'No step says how many places there are.', 'Add count to the step that gives the places.'),
    ]);
  });
}

/** Checks that every gate has a bell, that users of the load can wait, and that each bell rings during the load. */
export function checkBells(plan: Plan): Issue[] {
  const bells = plan.bells ?? {};
  const gates = plan.journey.flatMap(({ gate }, index) => (gate === undefined ? [] : [{ gate, path: `journey[${index}].gate` }]));
  const seconds = computePlannedSeconds(plan);
  return [
    ...gates.flatMap(({ gate, path }) =>
      getOwn(bells, gate) === undefined
        ? [
            error(
              'UNKNOWN_BELL',
              path,
              `There is no bell “${gate}”.`,
              didYouMean(gate, Object.keys(bells)) || `Add bells: ${gate}: atSeconds.`,
            ),
          ]
        : [],
    ),
    ...plan.journey.flatMap((step, index) => (step.gate === undefined ? [] : checkGatedStep(step, `journey[${index}].gate`))),
    ...(gates.length > 0 ? checkLoadOfBells(plan) : []),
    ...Object.entries(bells).flatMap(([name, { atSeconds }]) =>
      withoutAbsent([
        !gates.some(({ gate }) => gate === name) &&
          warning('BELL_WITHOUT_GATE', `bells.${name}`, `No step waits for the bell “${name}”.`, `Add gate: ${name} to a step.`),
        gates.filter(({ gate }) => gate === name).length > 1 &&
          error(
            'BELL_TWICE',
            `bells.${name}`,
            `Two steps wait for the bell “${name}”.`,
            'Give each step its own bell; two bells may ring together.',
          ),
        seconds !== null &&
          atSeconds >= seconds &&
          error(
            'BELL_AFTER_LOAD',
            `bells.${name}.atSeconds`,
            `The bell “${name}” rings at ${formatSeconds(atSeconds)}, but the load ends at ${formatSeconds(seconds)}.`,
            'Make the load longer, or let the bell ring earlier.',
          ),
        stageAtSecond(plan, atSeconds)?.counted === false &&
          error(
            'BELL_NOT_JUDGED',
            `bells.${name}.atSeconds`,
            `The bell “${name}” rings in a stage that is not counted, so no pass criterion would judge it.`,
            'Let it ring in a counted stage. For arrivals, use kind: constant with perSecond: 0 instead of a pause.',
          ),
      ]),
    ),
  ];
}

/** Returns the stage whose load runs at a second of the load; undefined after its end. */
function stageAtSecond({ load }: Plan, second: number): Stage | undefined {
  let endsAt = 0;
  return load.stages.find((stage) => {
    endsAt += secondsOf(stage) ?? Number.POSITIVE_INFINITY;
    return second < endsAt;
  });
}

function checkGatedStep(step: Plan['journey'][number], path: string): Issue[] {
  if (step.background === undefined && step.explains === undefined) return [];
  return [error('GATE_BESIDE_JOURNEY', path, `“${step.name}” is no step of the journey, so nobody waits there.`, 'Remove gate.')];
}

function checkLoadOfBells(plan: Plan): Issue[] {
  if (plan.load.model === 'connections')
    return [error('BELL_WITHOUT_USERS', 'load.model', 'Fixed connections do not wait for a bell.', OTHER_MODELS_HINT)];
  if (listLegs(plan).length > 1)
    return [
      error(
        'BELL_WITH_BREAKS',
        'load.stages',
        'Stages that begin anew have no common clock for a bell.',
        'Remove restSeconds and continues: false.',
      ),
    ];
  return [];
}
