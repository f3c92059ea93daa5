import type { Plan } from '#core/plan/schema/plan.ts';

/** What can send the requests of a plan: drivers of Holdfast's own threads, and an installed k6, which only runs what names it. */
export type EngineName = Exclude<Plan['engine'], 'auto'>;
export type OwnEngine = Exclude<EngineName, 'k6'>;

/** Something in a plan that an engine cannot do. `path` says where it stands. */
export interface Hindrance {
  readonly code: string;
  readonly path: string;
  /** Goes on after the name of the engine. */
  readonly message: string;
}

/** An engine of Holdfast's own threads. Its driver is in `workers/drivers`. */
export interface Engine {
  readonly name: OwnEngine;
  readonly version: string;
  /** V8's space for young objects in each of its threads, in MB; by itself V8 takes up to 96. */
  readonly youngObjectsMb: number;
  /** Everything in the plan that it cannot do; empty when it will do. */
  readonly hindrancesOf: (plan: Plan) => Hindrance[];
}
