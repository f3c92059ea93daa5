import { withoutAbsent } from '#core/base/lists.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listLegs } from '#core/work/load/stages.ts';
import { unknownStepIssue, warning } from './make.ts';
import { OTHER_MODELS_HINT } from './bells.ts';

/** Checks that milestones and items of people are steps of the journey, and that each user is one person. */
export function checkPeople(plan: Plan): Issue[] {
  const { people, journey, load, stored = [] } = plan;
  if (people === undefined) return [];
  const steps = journey.filter(
    ({ background, explains, measured }) => background === undefined && explains === undefined && measured !== false,
  );
  const names = steps.map(({ name }) => name);
  const named = [
    ...Object.entries(people.milestones ?? {}).map(([milestone, step]) => ({ step, path: `people.milestones.${milestone}` })),
    ...(people.items?.steps ?? []).map((step, index) => ({ step, path: `people.items.steps[${index}]` })),
  ];
  const unmarked = (people.items?.steps ?? []).filter(
    (step) =>
      !stored.some((count) => count.step === step && count.marker !== undefined) &&
      !journey.some(({ confirms }) => confirms?.includes(step)),
  );
  return [
    ...named.filter(({ step }) => !names.includes(step)).map(({ step, path }) => unknownStepIssue(path, step, names)),
    ...withoutAbsent([
      load.model === 'connections' && error('PEOPLE_WITHOUT_USERS', 'people', 'Fixed connections are no people.', OTHER_MODELS_HINT),
      listLegs(plan).length > 1 &&
        error(
          'PEOPLE_WITH_BREAKS',
          'load.stages',
          'Stages that begin anew have other people.',
          'Let the stages follow each other without a rest, as one load.',
        ),
      unmarked.length > 0 &&
        warning(
          'PEOPLE_NOT_COMPARED',
          'people.items',
          `Nothing shows whether the items of “${unmarked[0] ?? ''}” are stored for each person.`,
          'Add a marker to “stored”, or a step that “confirms” it.',
        ),
    ]),
  ];
}
