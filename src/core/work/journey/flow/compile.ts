import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import { buildFlow, namesInFlow, weightOf } from './executions.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';

/** A compiled flow. `id` is the part's position in the flow, from which random draws are derived. */
export type FlowNode =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'repeat'; readonly id: string; readonly from: number; readonly to: number; readonly body: readonly FlowNode[] }
  | {
      readonly kind: 'choose';
      readonly id: string;
      readonly choices: readonly FlowChoice[];
      /** Number of users among whom the choices are divided, for each stage; null if choices are drawn at random. */
      readonly among: readonly (number | null)[] | null;
      /** Whether the slots of a duet decide. */
      readonly isDuet: boolean;
    }
  | { readonly kind: 'forEach'; readonly list: string; readonly as: string; readonly atMost: number; readonly body: readonly FlowNode[] };

export interface FlowChoice {
  readonly body: readonly FlowNode[];
  /** Weights for each stage of the plan. */
  readonly weights: readonly number[];
}

/** Returns the fixed number of users; null for arrivals. */
function countUsers(stage: Stage): number | null {
  if ('connections' in stage) return stage.connections;
  return 'users' in stage ? stage.users : null;
}

/** Compiles a flow: step names become positions, and parts without steps are removed. */
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
      return [
        {
          kind: 'choose',
          id,
          choices,
          among: part.per === 'user' ? plan.load.stages.map(countUsers) : null,
          isDuet: plan.duet !== undefined && id === '.0',
        },
      ];
    }
    const body = compile(part.flow, id);
    if ('forEach' in part) return [{ kind: 'forEach', list: part.forEach, as: part.as, atMost: part.atMost ?? Infinity, body }];
    const { from, to } = typeof part.repeat === 'number' ? { from: part.repeat, to: part.repeat } : part.repeat;
    return [{ kind: 'repeat', id, from, to, body }];
  };
  return compile(buildFlow(plan), '');
}
