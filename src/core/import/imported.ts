import type { Issue } from '../plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** A difference between the plan and the imported document. */
export interface Note {
  /**
   * `leftOut`: plans have no equivalent. `changed`: the plan expresses it differently. `assumed`: the plan requires it, but the document
   * does not contain it. `secret`: it was kept out of the plan.
   */
  readonly kind: 'leftOut' | 'changed' | 'assumed' | 'secret';
  /** The location in the document: an option or a path. */
  readonly location: string;
  /** What the document contains there; never a possible secret. */
  readonly what: string;
  readonly instead: string;
}

/** Kinds of choices: any number of operations or servers, or one environment. */
export type ChoiceKind = 'operations' | 'environment' | 'hosts';

/** The chosen parts of a document, by their ids or labels. `all` selects every operation. */
export interface ChosenParts {
  readonly kind: ChoiceKind;
  readonly ids: readonly string[];
}

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly isTaken: boolean;
}

export interface ImportedPlan {
  readonly kind: string;
  /** The plan without default values. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly plan: Plan;
  /** Values of secrets, by the environment variables to which the plan refers. The plan does not contain the values. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
  /**
   * Present if only some parts of the document are used: operations of a description, servers of a recording, or one environment of a
   * script.
   */
  readonly choices?: readonly Choice[];
  /** The kind of the choices; omitted: operations. */
  readonly chooses?: ChoiceKind;
}

export type ImportResult =
  | { readonly kind: 'imported'; readonly imported: ImportedPlan }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[]; readonly notes: readonly Note[] };

/** Returns whether Holdfast proposed the load because the document had none. */
export function isLoadProposed({ notes }: Pick<ImportedPlan, 'notes'>): boolean {
  return notes.some(({ kind, location }) => kind === 'assumed' && (location === 'load' || location === 'config.phases'));
}

/** Returns whether an import is only an address, without any notes except that the load is proposed. */
export function isPlainAddress({ kind, notes }: Pick<ImportedPlan, 'kind' | 'notes'>): boolean {
  return kind === 'address' && notes.length === 1 && isLoadProposed({ notes });
}

export function refuse(code: string, path: string, message: string, hint: string, notes: readonly Note[] = []): ImportResult {
  return { kind: 'refused', issues: [{ level: 'error', code, path, message, hint }], notes };
}

/** Joins names for a sentence, cut off after `maxLength` characters. */
export function joinListed(names: readonly string[], maxLength: number): string {
  return names.join(', ').slice(0, maxLength);
}

/** Refuses the choice of an environment that the document does not have. */
export function refuseEnvironment(message: string, names: readonly string[], path = ''): ImportResult {
  return refuse('NO_SUCH_ENVIRONMENT', path, message, `It has: ${joinListed(names, 1_000)}.`);
}
