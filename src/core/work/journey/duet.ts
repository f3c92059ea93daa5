import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { drawFor } from './generate.ts';
import { namesInFlow } from './flow/executions.ts';

/** Index of a variant of a duet: 0 for the first, 1 for the second. */
export type DuetSide = 0 | 1;

/** Two slots of a duet, one for each variant. */
export interface SlotPair {
  readonly pair: number;
  /** Variant whose journeys begin at this instant. */
  readonly side: DuetSide;
}

/**
 * Divides the time of a run into slots in which the two variants of a duet take turns. A coin decides for each pair of slots which variant
 * is first. No regular disturbance of the machine can therefore always hit the same variant. All threads and load generators of a run
 * compute the same slots.
 */
export class DuetSlots {
  private readonly slotUs: number;
  private readonly runId: string;
  private last: { readonly pair: number; readonly first: DuetSide } = { pair: -1, first: 0 };

  constructor({ slotMs }: NonNullable<Plan['duet']>, runId: string) {
    this.slotUs = slotMs * 1_000;
    this.runId = runId;
  }

  /** Returns the slot at an instant. `sinceUs`: time since second 0 of the run. */
  at(sinceUs: number): SlotPair {
    const slot = Math.max(0, Math.floor(sinceUs / this.slotUs));
    const pair = Math.floor(slot / 2);
    if (pair !== this.last.pair) {
      const draw = drawFor(`duet ${this.runId}`, { seed: 0, user: pair, journey: 0, request: 0 }, 0);
      this.last = { pair, first: draw < 0.5 ? 0 : 1 };
    }
    const isSecond = slot % 2 === 1;
    return { pair, side: isSecond === (this.last.first === 0) ? 1 : 0 };
  }
}

/** Returns the variant of each recorded request of a duet; null for requests of neither. */
export function sidesOfRequests(plan: Pick<Plan, 'journey' | 'flow'>): (DuetSide | null)[] {
  const [choice] = plan.flow ?? [];
  const sides = typeof choice === 'object' && 'choose' in choice ? choice.choose.map(({ flow }) => new Set(namesInFlow(flow))) : [];
  return listRecordedRequests(plan).map(({ step }) => {
    const name = plan.journey[step]?.name ?? '';
    const side = sides.findIndex((names) => names.has(name));
    return side === 0 || side === 1 ? side : null;
  });
}
