/** The source of a secret's value. In a plan, it is one text such as `env:TOKEN`. */
export type SecretReference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  /** The user is asked for the value with this label. */
  | { readonly kind: 'ask'; readonly label: string }
  /** The value is in the memory of this backend. */
  | { readonly kind: 'session'; readonly id: string };

/** Forms of references that users may write. */
export const REFERENCE_FORMS = 'env:NAME, file:PATH or ask:LABEL';

const SESSION_ID = String.raw`[\w-]+`;
/** Pattern of a reference to the memory of this backend. */
export const SESSION_PATTERN = `session:${SESSION_ID}`;

const REFERENCE_PATTERN = new RegExp(`^(?:env:([A-Za-z_][A-Za-z0-9_]*)|file:(.+)|ask:(.+)|session:(${SESSION_ID}))$`);

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

/** Parses a reference; null for any other text. */
export function readReference(text: string): SecretReference | null {
  const [, name, path, label, id] = REFERENCE_PATTERN.exec(text) ?? [];
  if (name !== undefined) return { kind: 'env', name };
  if (path !== undefined) return { kind: 'file', path };
  if (label !== undefined) return { kind: 'ask', label };
  return id === undefined ? null : { kind: 'session', id };
}
