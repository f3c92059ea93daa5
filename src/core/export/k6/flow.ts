import { buildFlow, namesInFlow, weightOf } from '#core/work/journey/flow/executions.ts';
import type { Choose, FlowPart } from '#core/plan/schema/flow.ts';
import { stageName } from '#core/plan/names.ts';
import { memberCode, quote, formatValue } from './javaScript.ts';
import { indent, type StepWriting } from './steps.ts';

/** Returns the flow as statements. `gone` is the statement that ends a journey early. */
export function flowLines(writing: StepWriting, gone: string): string[] {
  let loops = 0;
  const { plan } = writing.draft;
  const linesOfFlow = (flow: readonly FlowPart[]): string[] => flow.flatMap(partLines);
  const partLines = (part: FlowPart): string[] => {
    if (typeof part === 'string') return stepLines(writing, part, gone);
    if (namesInFlow([part]).length === 0) return [];
    if ('choose' in part) return chooseLines(writing, part, linesOfFlow);
    if ('forEach' in part) {
      const items = `[].concat(${memberCode('values', part.forEach)} ?? [])${part.atMost === undefined ? '' : `.slice(0, ${part.atMost})`}`;
      const item = memberCode('values', part.as);
      return [`for (const item of ${items}) {`, indent([`${item} = item;`, ...linesOfFlow(part.flow)]), '}', `delete ${item};`];
    }
    loops += 1;
    const counter = `round${loops}`;
    const times =
      typeof part.repeat === 'number'
        ? String(part.repeat)
        : `${writing.draft.requireHelper('wholeNumber')}(${part.repeat.from}, ${part.repeat.to})`;
    return [
      ...(typeof part.repeat === 'number' ? [] : [`const rounds${loops} = ${times};`]),
      `for (let ${counter} = 0; ${counter} < ${typeof part.repeat === 'number' ? times : `rounds${loops}`}; ${counter} += 1) {`,
      indent(linesOfFlow(part.flow)),
      '}',
    ];
  };
  return linesOfFlow(buildFlow(plan));
}

function stepLines({ draft, features, names }: StepWriting, name: string, gone: string): string[] {
  const index = draft.plan.journey.findIndex((step) => step.name === name);
  const step = draft.plan.journey[index];
  const call = names[index];
  if (step === undefined || call === undefined) return [];
  const isOnce = step.once === true && features.hasOnce;
  return [`if (${isOnce ? `!taken.has(${quote(call)}) && ` : ''}!${call}()) ${gone}`];
}

function chooseLines(writing: StepWriting, { choose, per }: Choose, lines: (flow: readonly FlowPart[]) => string[]): string[] {
  const { draft } = writing;
  const { plan } = draft;
  const weights = plan.load.stages.map((_, stage) =>
    choose.map((choice) => Number(weightOf(choice, stageName(plan, stage)).toPrecision(6))),
  );
  const first = weights[0] ?? [];
  const isSame = weights.every((row) => row.join() === first.join());
  draft.requireHelper('draw');
  if (!isSame) draft.requireHelper('stage');
  // A journey uses the weights of the stage in which the journey started.
  const table = isSame ? formatValue(first) : `${formatValue(weights)}[beganIn]`;
  const cases = choose.flatMap(({ flow }, index) => {
    const body = lines(flow);
    return body.length === 0 ? [] : [`case ${index}:`, indent([...body, 'break;'])];
  });
  const users = Math.max(
    ...plan.load.stages.map((stage) => ('users' in stage ? stage.users : 'connections' in stage ? stage.connections : 0)),
  );
  // Each user belongs to a group, by user number.
  const place = per === 'user' && users > 0 ? `, (exec.vu.idInTest - 0.5) / ${users}` : '';
  return [`switch (draw(${table}${place})) {`, indent([...cases, 'default:']), '}'];
}

/** Returns whether random choices depend on the stage. */
export function drawsByStage({ draft: { plan } }: Pick<StepWriting, 'draft'>): boolean {
  const usesVariable = (flow: readonly FlowPart[]): boolean =>
    flow.some((part) => {
      if (typeof part === 'string') return false;
      if (!('choose' in part)) return usesVariable(part.flow);
      return part.choose.some((choice) => choice.weightIn !== undefined || usesVariable(choice.flow));
    });
  return usesVariable(plan.flow ?? []);
}
