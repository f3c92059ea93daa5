import type { Plan } from '#core/plan/schema/plan.ts';

/** Engines: Holdfast's own drivers, and an installed k6, which only runs plans that name it. */
export type EngineName = Exclude<Plan['engine'], 'auto'>;
export type OwnEngine = Exclude<EngineName, 'k6'>;

/** A plan feature that an engine does not support. `path` is its place in the plan. */
export interface Hindrance {
  readonly code: string;
  readonly path: string;
  /** Continues the sentence after the engine's name. */
  readonly message: string;
}

/** An engine of Holdfast's own threads. Its driver is in `workers/drivers`. */
export interface Engine {
  readonly name: OwnEngine;
  readonly version: string;
  /** Size of V8's young generation per thread in MB; V8's default is up to 96. */
  readonly youngObjectsMb: number;
  /** Returns all unsupported features of the plan; empty if it supports the plan. */
  readonly hindrancesOf: (plan: Plan) => Hindrance[];
}
