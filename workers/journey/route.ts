import type { FlowChoice, FlowNode } from '#core/work/journey/flow/compile.ts';
import { type Draw, drawFor } from '#core/work/journey/generate.ts';
import type { DuetSide } from '#core/work/journey/duet.ts';
import type { KnownValue } from './captures.ts';

/** The user data that a route needs. */
export interface Traveller {
  /** Seed, user and journey for random draws; its `request` is ignored. */
  readonly draw: Draw;
  /** Stage of the plan in which the journey started. */
  readonly stage: number;
  /** Variant of a duet in whose slot the journey was scheduled; omitted without a duet. */
  readonly side?: DuetSide | undefined;
  knownValue(name: string): KnownValue | undefined;
  remember(name: string, value: KnownValue | null): void;
}

/** Position in a flow: its nodes, the remaining repetitions, and the items of the iteration. */
interface Frame {
  readonly nodes: readonly FlowNode[];
  at: number;
  /** Number of remaining repetitions after the current one. */
  left: number;
  readonly items: readonly string[] | null;
  readonly as: string | null;
}

/**
 * The path of one user through a flow. Every draw depends only on seed, user, journey, position in the flow and number of earlier draws of
 * the journey. It does not depend on the number of threads.
 */
export class Route {
  /** Current step; −1 if none is left. */
  step = -1;
  private readonly flow: readonly FlowNode[];
  private readonly traveller: Traveller;
  private frames: Frame[] = [];
  private draws = 0;
  private left = 0;

  constructor(flow: readonly FlowNode[], traveller: Traveller) {
    this.flow = flow;
    this.traveller = traveller;
  }

  /** Begins a journey. `maxSteps` is the maximum number of steps. */
  begin(maxSteps: number): void {
    this.end();
    this.draws = 0;
    this.left = maxSteps;
    this.frames.push(makeFrame(this.flow, 1));
    this.advance();
  }

  /** Moves to the next step. */
  advance(): void {
    for (;;) {
      const frame = this.frames.at(-1);
      if (frame === undefined) {
        this.step = -1;
        return;
      }
      const node = frame.nodes[frame.at];
      frame.at += 1;
      if (node === undefined) this.endRound(frame);
      else if (node.kind === 'step') {
        if (this.left === 0) return this.end();
        this.left -= 1;
        this.step = node.step;
        return;
      } else this.enter(node);
    }
  }

  end(): void {
    for (const frame of this.frames.splice(0)) this.leave(frame);
    this.step = -1;
  }

  private enter(node: Exclude<FlowNode, { kind: 'step' }>): void {
    switch (node.kind) {
      case 'repeat':
        this.push(makeFrame(node.body, node.from + Math.floor(this.draw(node.id) * (node.to - node.from + 1))));
        return;
      case 'choose':
        this.push(makeFrame(chooseFlow(node.choices, this.traveller.stage, this.placeIn(node)), 1));
        return;
      case 'forEach': {
        const value = this.traveller.knownValue(node.list) ?? [];
        const items = (typeof value === 'string' ? [value] : value).slice(0, node.atMost);
        this.push({ ...makeFrame(node.body, items.length), items, as: node.as });
        return;
      }
      default:
        node satisfies never;
    }
  }

  private push(frame: Frame): void {
    if (frame.left < 0) return;
    this.frames.push(frame);
    this.takeItem(frame);
  }

  private endRound(frame: Frame): void {
    if (frame.left > 0) {
      frame.left -= 1;
      frame.at = 0;
      this.takeItem(frame);
      return;
    }
    this.frames.pop();
    this.leave(frame);
  }

  private takeItem({ items, as, left }: Frame): void {
    if (items !== null && as !== null) this.traveller.remember(as, items[items.length - 1 - left] ?? '');
  }

  private leave({ as }: Frame): void {
    if (as !== null) this.traveller.remember(as, null);
  }

  /**
   * Returns a number in (0, 1) that selects a choice: in a duet, the middle of the half that belongs to the journey's variant; if each user
   * keeps one choice, the user's position among all users; otherwise a random number.
   */
  private placeIn({ among, id, isDuet }: Extract<FlowNode, { kind: 'choose' }>): number {
    const { stage, draw, side } = this.traveller;
    if (isDuet) return ((side ?? 0) + 0.5) / 2;
    const users = among?.[stage] ?? null;
    return users === null ? this.draw(id) : ((draw.user % users) + 0.5) / users;
  }

  private draw(place: string): number {
    this.draws += 1;
    return drawFor(`flow ${place}`, { ...this.traveller.draw, request: this.draws }, 0);
  }
}

function makeFrame(nodes: readonly FlowNode[], times: number): Frame {
  return { nodes, at: 0, left: times - 1, items: null, as: null };
}

/** Returns the flow of the choice for a number in (0, 1); an empty flow if no choice has a weight. */
function chooseFlow(choices: readonly FlowChoice[], stage: number, drawn: number): readonly FlowNode[] {
  const weights = choices.map((choice) => choice.weights[stage] ?? choice.weights[0] ?? 0);
  let left = drawn * weights.reduce((sum, weight) => sum + weight, 0);
  let last: readonly FlowNode[] = [];
  for (const [index, { body }] of choices.entries()) {
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    last = body;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}
