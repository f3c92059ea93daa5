import type { Issue } from '../plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** What plans can be made of. */
export const IMPORT_KINDS = [
  'ab',
  'wrk',
  'wrk2',
  'hey',
  'oha',
  'autocannon',
  'curl',
  'har',
  'openapi',
  'postman',
  'artillery',
  'jmeter',
  'funkload',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** As people call them. */
export const KIND_NAMES: Readonly<Record<ImportKind | 'address', string>> = {
  ab: 'an ab command (ApacheBench)',
  wrk: 'a wrk command',
  wrk2: 'a wrk2 command',
  hey: 'a hey command',
  oha: 'an oha command',
  autocannon: 'an autocannon command',
  curl: 'a curl command',
  address: 'an address',
  har: 'a HAR file (a browser recording)',
  openapi: 'an OpenAPI description',
  postman: 'a Postman collection',
  artillery: 'an Artillery script',
  jmeter: 'a JMeter plan',
  funkload: 'a FunkLoad configuration',
};

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

/** The parts that a person takes of a document; only one kind of document has each of them. */
export type Chosen =
  /** By their ids or labels; `all` for every one. */
  { readonly kind: 'operations'; readonly ids: readonly string[] } | { readonly kind: 'environment'; readonly name: string };

/** A part of a document that can be taken or left. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly isTaken: boolean;
}

export interface Imported {
  readonly kind: ImportKind | 'address';
  /** As a person would write it: without what a plan says by default. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly plan: Plan;
  /** What was found of secrets, by the name of the environment variable that the plan refers to. No part of the plan. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
  /** Where a document offers more than a plan should take at once: the operations of a description, the environments of a script. */
  readonly choices?: readonly Choice[];
  /** Of the choices, one is taken; left out, any number. */
  readonly choosesOne?: true;
}

export type ImportResult =
  | { readonly kind: 'imported'; readonly imported: Imported }
  /** Why no plan was made. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[]; readonly notes: readonly Note[] };

export function refuse(code: string, path: string, message: string, hint: string, notes: readonly Note[] = []): ImportResult {
  return { kind: 'refused', issues: [{ level: 'error', code, path, message, hint }], notes };
}
