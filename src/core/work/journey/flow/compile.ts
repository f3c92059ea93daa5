import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import { flowOf, namesInFlow } from './parts.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { weightOf } from './takings.ts';

/** A flow made ready to be walked. `id` says where it stands in the flow: what is drawn follows from it. */
export type FlowNode =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'repeat'; readonly id: string; readonly from: number; readonly to: number; readonly body: readonly FlowNode[] }
  | {
      readonly kind: 'choose';
      readonly id: string;
      readonly choices: readonly FlowChoice[];
      /** Among so many users they are divided, by stage; null where they are drawn. */
      readonly among: readonly (number | null)[] | null;
    }
  | {
      readonly kind: 'forEach';
      readonly list: string;
      readonly as: string;
      readonly atMost: number;
      readonly body: readonly FlowNode[];
    };

export interface FlowChoice {
  readonly body: readonly FlowNode[];
  /** By stage of the plan. */
  readonly weights: readonly number[];
}

/** Users whose number is known before; each arrival is one that nobody has counted. */
function usersOf(stage: Stage): number | null {
  if ('connections' in stage) return stage.connections;
  return 'users' in stage ? stage.users : null;
}

/** The flow of a plan with positions for names. Parts in which no step is taken are left out: nobody has to walk through them. */
export function compileFlow(plan: Plan): FlowNode[] {
  const stages = plan.load.stages.map((_, index) => stageName(plan, index));
  const compile = (flow: readonly FlowPart[], at: string): FlowNode[] => flow.flatMap((part, index) => compilePart(part, `${at}.${index}`));
  const compilePart = (part: FlowPart, id: string): FlowNode[] => {
    if (typeof part === 'string') {
      const step = plan.journey.findIndex(({ name }) => name === part);
      return step < 0 ? [] : [{ kind: 'step', step }];
    }
    if (namesInFlow([part]).length === 0) return [];
    if ('choose' in part) {
      const choices = part.choose.map((choice, index) => ({
        body: compile(choice.flow, `${id}.${index}`),
        weights: stages.map((stage) => weightOf(choice, stage)),
      }));
      return [{ kind: 'choose', id, choices, among: part.per === 'user' ? plan.load.stages.map(usersOf) : null }];
    }
    const body = compile(part.flow, id);
    if ('forEach' in part) return [{ kind: 'forEach', list: part.forEach, as: part.as, atMost: part.atMost ?? Infinity, body }];
    const { from, to } = typeof part.repeat === 'number' ? { from: part.repeat, to: part.repeat } : part.repeat;
    return [{ kind: 'repeat', id, from, to, body }];
  };
  return compile(flowOf(plan), '');
}
