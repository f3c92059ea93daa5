/** Where the value of a secret is found. A plan holds it as one text, such as `env:TOKEN`, which this file makes and reads. */
export type SecretReference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  /** A person is asked for it, by this label. */
  | { readonly kind: 'ask'; readonly label: string }
  /** It is in the memory of this backend. */
  | { readonly kind: 'session'; readonly id: string };

/** How the references that a person may write are written. */
export const WRITTEN_FORMS = 'env:NAME, file:PATH or ask:LABEL';

const SESSION_ID = String.raw`[\w-]+`;
/** A reference to the memory of this backend, within a longer pattern. */
export const SESSION_PATTERN = `session:${SESSION_ID}`;

const WRITTEN = new RegExp(`^(?:env:([A-Za-z_][A-Za-z0-9_]*)|file:(.+)|ask:(.+)|session:(${SESSION_ID}))$`);

export function envReference(name: string): string {
  return `env:${name}`;
}

export function fileReference(path: string): string {
  return `file:${path}`;
}

export function askReference(label: string): string {
  return `ask:${label}`;
}

export function sessionReference(id: string): string {
  return `session:${id}`;
}

/** The parts of a reference; null for any other text. */
export function readReference(text: string): SecretReference | null {
  const [, name, path, label, id] = WRITTEN.exec(text) ?? [];
  if (name !== undefined) return { kind: 'env', name };
  if (path !== undefined) return { kind: 'file', path };
  if (label !== undefined) return { kind: 'ask', label };
  return id === undefined ? null : { kind: 'session', id };
}
