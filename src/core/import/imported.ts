import type { Issue } from '../plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Something that the plan does not say in the way in which it was written. */
export interface Note {
  /** `leftOut`: it has no equivalent. `changed`: the plan says it otherwise. `assumed`: nothing was said, and the plan needs it. `secret`: it is kept out of the plan. */
  readonly kind: 'leftOut' | 'changed' | 'assumed' | 'secret';
  /** Where it stands: an option, a path into the document. */
  readonly place: string;
  /** What stands there; never a value that may be a secret. */
  readonly what: string;
  readonly instead: string;
}

/** Parts of a document that can be chosen: any number of operations or servers, one environment. */
export type Choosing = 'operations' | 'environment' | 'hosts';

/** The parts that a person takes of a document, by their ids or labels; `all` for every operation. */
export interface Chosen {
  readonly kind: Choosing;
  readonly ids: readonly string[];
}

/** A part of a document that can be taken or left. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly isTaken: boolean;
}

export interface Imported {
  /** Id of an importer. */
  readonly kind: string;
  /** As a person would write it: without what a plan says by default. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly plan: Plan;
  /** What was found of secrets, by the name of the environment variable that the plan refers to. No part of the plan. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
  /** Where a document offers more than a plan should take at once: the operations of a description, the environments of a script. */
  readonly choices?: readonly Choice[];
  /** What the choices are; left out, operations. */
  readonly chooses?: Choosing;
}

export type ImportResult =
  | { readonly kind: 'imported'; readonly imported: Imported }
  /** Why no plan was made. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[]; readonly notes: readonly Note[] };

/** Whether Holdfast has proposed the load: what was imported says nothing of one. */
export function isLoadProposed({ notes }: Pick<Imported, 'notes'>): boolean {
  return notes.some(({ kind, place }) => kind === 'assumed' && (place === 'load' || place === 'config.phases'));
}

/** An address of which nothing is to be said but the load that Holdfast proposes. */
export function isPlainAddress({ kind, notes }: Pick<Imported, 'kind' | 'notes'>): boolean {
  return kind === 'address' && notes.length === 1 && isLoadProposed({ notes });
}

export function refuse(code: string, path: string, message: string, hint: string, notes: readonly Note[] = []): ImportResult {
  return { kind: 'refused', issues: [{ level: 'error', code, path, message, hint }], notes };
}
