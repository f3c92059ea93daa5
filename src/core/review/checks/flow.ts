import { buildFlow, listFlows, namesInFlow, sumExecutions, countExecutions, weightOf } from '#core/work/journey/flow/executions.ts';
import type { Choose, FlowPart } from '#core/plan/schema/flow.ts';
import { cookiesOf } from '#core/work/journey/walked.ts';
import { formatCount } from '#core/base/units.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { emptyRange, unknownStageIssue, unknownStepIssue, warning } from './make.ts';

/** Maximum product of nested repetitions in a flow. */
export const MAX_REPETITIONS = 10_000;

/** Checks that the flow is valid and uses every step. */
export function checkFlow(plan: Plan): Issue[] {
  const duet = checkDuetFlow(plan);
  if (duet.length > 0 || plan.flow === undefined) return duet;
  const written = checkParts(plan, plan.flow, 'flow', 1);
  return written.length > 0 ? [...written, ...checkNeverTaken(plan)] : [...checkNeverTaken(plan), ...checkEmpty(plan)];
}

/** Checks that the flow of a duet is one choice between the steps of its two variants, and that its engine supports duets. */
function checkDuetFlow({ duet, flow = [], engine }: Plan): Issue[] {
  if (duet === undefined) return [];
  const [choice, ...others] = flow;
  const isChoice = typeof choice === 'object' && 'choose' in choice && choice.choose.length === 2 && choice.per === undefined;
  if (!isChoice || others.length > 0)
    return [
      error('DUET_FLOW', 'flow', 'A duet chooses between two variants.', 'Write one choose with two flows, or a series with duet: true.'),
    ];
  return engine === 'k6' ? [error('DUET_ENGINE', 'engine', 'k6 cannot run a duet.', 'Remove engine: Holdfast then uses its own.')] : [];
}

function checkParts(plan: Plan, flow: readonly FlowPart[], path: string, outerRepetitions: number): Issue[] {
  return flow.flatMap((part, index) => checkPart(plan, part, `${path}[${index}]`, outerRepetitions));
}

function checkPart(plan: Plan, part: FlowPart, path: string, outerRepetitions: number): Issue[] {
  if (typeof part === 'string') return checkName(plan, part, path);
  const repetitions =
    'repeat' in part ? outerRepetitions * (typeof part.repeat === 'number' ? part.repeat : part.repeat.to) : outerRepetitions;
  return [
    ...('repeat' in part ? checkRepeat(part.repeat, `${path}.repeat`, outerRepetitions, repetitions) : []),
    ...('choose' in part ? checkChoose(plan, part, `${path}.choose`) : []),
    ...listFlows(part).flatMap((inner) => checkParts(plan, inner.flow, `${path}.${inner.path}`, repetitions)),
  ];
}

function checkName({ journey }: Plan, name: string, path: string): Issue[] {
  const step = journey.find((known) => known.name === name);
  if (step === undefined) {
    const stepNames = journey.map((each) => each.name);
    return [unknownStepIssue(path, name, stepNames)];
  }
  if (step.explains !== undefined)
    return [
      error(
        'EXPLAINS_IN_FLOW',
        path,
        `“${name}” is sent only if “${step.explains.step}” fails. It cannot also be part of the flow.`,
        'Remove it from the flow, or remove explains from the step.',
      ),
    ];
  if (step.background === undefined) return [];
  return [
    error(
      'BACKGROUND_IN_FLOW',
      path,
      `“${name}” is sent beside the journey. It cannot also be part of the flow.`,
      'Remove it from the flow, or remove background from the step.',
    ),
  ];
}

function checkRepeat(repeat: number | { from: number; to: number }, path: string, outerRepetitions: number, repetitions: number): Issue[] {
  const issues: Issue[] = [];
  if (typeof repeat !== 'number' && repeat.from > repeat.to) {
    issues.push(emptyRange(path, repeat, 'Use the smaller number as from.'));
  }
  if (outerRepetitions <= MAX_REPETITIONS && repetitions > MAX_REPETITIONS) {
    const message = `With the repetitions around it, this repeats up to ${formatCount(repetitions)} times in a journey.`;
    issues.push(error('FLOW_TOO_LONG', path, message, `Repeat it at most ${formatCount(MAX_REPETITIONS)} times.`));
  }
  return issues;
}

function checkChoose(plan: Plan, { choose }: Choose, path: string): Issue[] {
  const stages = plan.load.stages.map((_, index) => stageName(plan, index));
  const unknown = choose.flatMap(({ weightIn }, index) =>
    Object.keys(weightIn ?? {}).flatMap((stage) =>
      stages.includes(stage) ? [] : [unknownStageIssue(`${path}[${index}].weightIn`, stage, stages)],
    ),
  );
  const without = stages.find((stage) => choose.every((choice) => weightOf(choice, stage) === 0));
  if (without === undefined) return unknown;
  const where = choose.some(({ weight }) => weight > 0) || stages.length > 1 ? ` in “${without}”` : '';
  return [...unknown, error('NOTHING_TO_CHOOSE', path, `All choices have weight 0${where}.`, 'Give at least one a weight above 0.')];
}

function checkNeverTaken(plan: Plan): Issue[] {
  const named = new Set(namesInFlow(buildFlow(plan)));
  return plan.journey.flatMap(({ name, background, explains }, index) => {
    if (background !== undefined || explains !== undefined) return [];
    const path = `journey[${index}].name`;
    if (!named.has(name)) {
      return [error('STEP_NEVER_TAKEN', path, `The flow does not contain the step “${name}”.`, 'Add it to the flow, or remove the step.')];
    }
    if (plan.load.stages.some((_, stage) => countExecutions(plan, name, stage).most !== 0)) return [];
    return [
      warning(
        'STEP_NEVER_TAKEN',
        path,
        `The step “${name}” never runs: it is only in parts with weight 0 or no repetition.`,
        'Give the part a weight, or remove the step.',
      ),
    ];
  });
}

/** Rejects flows that may be empty, because a user would repeat them without a pause. */
function checkEmpty(plan: Plan): Issue[] {
  const isOnce = plan.load.model !== 'arrivals' && cookiesOf(plan) === 'user';
  const always = new Set(plan.journey.flatMap(({ name, once }) => (once === true && isOnce ? [] : [name])));
  const stages = plan.load.stages.map((_, index) => stageName(plan, index));
  if (stages.every((stage) => sumExecutions(buildFlow(plan), (name) => always.has(name), stage).least > 0)) return [];
  return [
    error(
      'JOURNEY_MAY_BE_EMPTY',
      'flow',
      'Some paths through the flow send no request.',
      'Add a step that every journey takes, such as the page where users choose.',
    ),
  ];
}
