import { flowOf } from '#core/work/journey/flow/takings.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';

/** Names with a value at a point of a flow: on every path to it, and on some paths. */
export interface Known {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
}

/** A `forEach` with its path and the values known there. */
export interface Loop {
  readonly list: string;
  readonly as: string;
  readonly path: string;
  readonly known: Known;
}

/** Known values at each point of a flow. */
export interface KnownValues {
  /** Before each step, by name; for a step in several places, values certain in all. */
  readonly before: ReadonlyMap<string, Known>;
  readonly loops: readonly Loop[];
}

const NOTHING: Known = { certain: new Set(), possible: new Set() };

/** Walks the flow of a plan and collects captured values before each step. Background steps come last. */
export function knownValues(plan: Plan): KnownValues {
  const before = new Map<string, Known>();
  const loops: Loop[] = [];
  const steps = new Map(plan.journey.map((step) => [step.name, step]));

  function follow(flow: readonly FlowPart[], known: Known, path: string): Known {
    return flow.reduce<Known>((now, part, index) => followPart(part, now, `${path}[${index}]`), known);
  }

  function followPart(part: FlowPart, known: Known, path: string): Known {
    if (typeof part === 'string') {
      const other = before.get(part);
      const again = steps.get(part)?.again;
      const here = again === undefined ? known : joined(known, [again.while]);
      before.set(part, other === undefined ? here : met([other, here]));
      return joined(known, capturesOf(steps.get(part)));
    }
    if ('choose' in part) return met(part.choose.map(({ flow }, index) => follow(flow, known, `${path}.choose[${index}].flow`)));
    if ('forEach' in part) {
      loops.push({ list: part.forEach, as: part.as, path, known });
      const after = around(part.flow, joined(known, [part.as]), `${path}.flow`);
      return { certain: known.certain, possible: after.possible };
    }
    const after = around(part.flow, known, `${path}.flow`);
    const least = typeof part.repeat === 'number' ? part.repeat : part.repeat.from;
    return least > 0 ? after : { certain: known.certain, possible: after.possible };
  }

  /** Captures of the first iteration are known in the second. */
  function around(flow: readonly FlowPart[], known: Known, path: string): Known {
    const captured = namesCaptured(flow, steps);
    return follow(flow, { certain: known.certain, possible: new Set([...known.possible, ...captured]) }, path);
  }

  const end = follow(flowOf(plan), NOTHING, 'flow');
  for (const { name, explains } of plan.journey) {
    if (explains !== undefined) before.set(name, before.get(explains.step) ?? NOTHING);
  }
  for (const { name, background } of plan.journey) {
    if (background === undefined) continue;
    const after = background.after === undefined ? undefined : before.get(background.after);
    const certain = after === undefined ? NOTHING : joined(after, capturesOf(steps.get(background.after ?? '')));
    before.set(name, { certain: certain.certain, possible: end.possible });
  }
  return { before, loops };
}

export function capturesOf(step: Step | undefined): string[] {
  return (step?.captures ?? []).map(({ as }) => as);
}

function namesCaptured(flow: readonly FlowPart[], steps: ReadonlyMap<string, Step>): string[] {
  return flow.flatMap((part) => {
    if (typeof part === 'string') return capturesOf(steps.get(part));
    const inner = 'choose' in part ? part.choose.map((choice) => choice.flow) : [part.flow];
    return inner.flatMap((each) => namesCaptured(each, steps));
  });
}

function joined({ certain, possible }: Known, names: readonly string[]): Known {
  return { certain: new Set([...certain, ...names]), possible: new Set([...possible, ...names]) };
}

/** Merges the known values of alternative paths. */
function met(ways: readonly Known[]): Known {
  const [first = NOTHING, ...others] = ways;
  return {
    certain: new Set([...first.certain].filter((name) => others.every((other) => other.certain.has(name)))),
    possible: new Set(ways.flatMap(({ possible }) => [...possible])),
  };
}
