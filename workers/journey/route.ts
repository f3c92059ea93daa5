import type { FlowChoice, FlowNode } from '#core/work/journey/flow/compile.ts';
import { type Draw, drawFor } from '#core/work/journey/generate.ts';
import type { KnownValue } from './captures.ts';

/** What a way through a flow asks of the user who goes it. */
export interface Traveller {
  /** Seed, user and journey of what is drawn; its `request` is not looked at. */
  readonly draw: Draw;
  /** Of the plan, in which the journey began. */
  readonly stage: number;
  known(name: string): KnownValue | undefined;
  remember(name: string, value: KnownValue | null): void;
}

/** Where somebody is in a flow: the nodes on the way, how many times they are still to be taken, and the items that they are taken for. */
interface Frame {
  readonly nodes: readonly FlowNode[];
  at: number;
  /** Times after this one. */
  left: number;
  readonly items: readonly string[] | null;
  readonly as: string | null;
}

/**
 * The way of one user through a flow, step by step. Every draw follows from the seed, the user, the journey, the place in the flow and how
 * many were drawn in the journey before: on how many threads journeys are walked does not matter.
 */
export class Route {
  /** The step to take; −1 when there is none left. */
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

  /** `most`: steps that are taken at most. */
  begin(most: number): void {
    this.end();
    this.draws = 0;
    this.left = most;
    this.frames.push(frameOf(this.flow, 1));
    this.advance();
  }

  /** Takes the next step. */
  advance(): void {
    for (;;) {
      const frame = this.frames.at(-1);
      if (frame === undefined) {
        this.step = -1;
        return;
      }
      const node = frame.nodes[frame.at];
      frame.at += 1;
      if (node === undefined) this.comeRound(frame);
      else if (node.kind === 'step') {
        if (this.left === 0) return this.end();
        this.left -= 1;
        this.step = node.step;
        return;
      } else this.enter(node);
    }
  }

  /** Leaves the way where it is. */
  end(): void {
    for (const frame of this.frames.splice(0)) this.leave(frame);
    this.step = -1;
  }

  private enter(node: Exclude<FlowNode, { kind: 'step' }>): void {
    switch (node.kind) {
      case 'repeat':
        this.push(frameOf(node.body, node.from + Math.floor(this.draw(node.id) * (node.to - node.from + 1))));
        return;
      case 'choose':
        this.push(frameOf(chosen(node.choices, this.traveller.stage, this.placeIn(node)), 1));
        return;
      case 'forEach': {
        const value = this.traveller.known(node.list) ?? [];
        const items = (typeof value === 'string' ? [value] : value).slice(0, node.atMost);
        this.push({ ...frameOf(node.body, items.length), items, as: node.as });
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

  private comeRound(frame: Frame): void {
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

  /** A number in (0, 1): of the user among all, where each keeps to a choice; else drawn. */
  private placeIn({ among, id }: Extract<FlowNode, { kind: 'choose' }>): number {
    const { stage, draw } = this.traveller;
    const users = among?.[stage] ?? null;
    return users === null ? this.draw(id) : ((draw.user % users) + 0.5) / users;
  }

  private draw(place: string): number {
    this.draws += 1;
    return drawFor(`flow ${place}`, { ...this.traveller.draw, request: this.draws }, 0);
  }
}

function frameOf(nodes: readonly FlowNode[], times: number): Frame {
  return { nodes, at: 0, left: times - 1, items: null, as: null };
}

/** What is drawn by a number in (0, 1). Nothing when no choice has any weight. */
function chosen(choices: readonly FlowChoice[], stage: number, drawn: number): readonly FlowNode[] {
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
