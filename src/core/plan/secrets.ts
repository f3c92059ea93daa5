import { listHiddenReferences } from './hiddenText.ts';
import type { Plan, TextOrSecret } from './schema/plan.ts';
import { listTargets } from './url.ts';

/** Returns the references (`env:TOKEN`, `ask:password` …) that must be resolved before the plan runs, each once. */
export function secretReferences(plan: Plan): string[] {
  const found = new Set<string>();
  const collectSecret = (value: TextOrSecret | undefined): void => {
    if (typeof value === 'object') found.add(value.secret);
  };
  for (const target of listTargets(plan)) {
    Object.values(target.headers).forEach(collectSecret);
    collectSecret(target.cookie);
    collectSecret(target.auth?.password);
  }
  for (const step of plan.journey) {
    Object.values(step.headers).forEach(collectSecret);
    collectSecret(step.body);
  }
  for (const monitor of plan.monitors ?? []) {
    if ('connection' in monitor) collectSecret(monitor.connection);
    if ('password' in monitor) collectSecret(monitor.password);
  }
  for (const count of plan.stored ?? []) if ('connection' in count) collectSecret(count.connection);
  for (const variable of Object.values(plan.variables ?? {})) if (variable.kind === 'secret') found.add(variable.secret);
  clientCertificateReferences(plan.tls).forEach((reference) => found.add(reference));
  return [...new Set([...found, ...listHiddenReferences(plan)])];
}

/** Replaces the secrets in a document for which `references` contains a reference. */
export function replaceByReferences(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => replaceByReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      name === 'secret' && typeof member === 'string' ? (references.get(member) ?? member) : replaceByReferences(member, references),
    ]),
  );
}

/** Returns the references of the client certificate's key; empty if there is none. */
export function clientCertificateReferences({ clientCertificate: own }: Plan['tls']): string[] {
  if (own === undefined) return [];
  return own.passphrase === undefined ? [own.key.secret] : [own.key.secret, own.passphrase.secret];
}

/** A placeholder for a value that is known only during a journey. */
export interface Placeholder {
  readonly name: string;
  /** Whether the placeholder is `{{name|raw}}`: the value is not escaped for its context. */
  readonly isRaw: boolean;
}

/** Literal texts and placeholders in order. */
export type Template = readonly (string | Placeholder)[];

const PLACEHOLDER_PATTERN = /\\\{\{|\{\{\s*([A-Za-z_][\w-]*(?:\.[\w.-]+)?)\s*(?:\|\s*(raw)\s*)?\}\}/g;

/**
 * Parses `text {{name}} text`. `\{{` is a literal `{{`; so is a `{{` without a valid name, as in other template languages.
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let literal = '';
  let position = 0;
  for (const match of text.matchAll(PLACEHOLDER_PATTERN)) {
    const [whole, name, raw] = match;
    literal += text.slice(position, match.index);
    position = match.index + whole.length;
    if (name === undefined) literal += '{{';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push({ name, isRaw: raw !== undefined });
    }
  }
  literal += text.slice(position);
  return literal === '' && parts.length > 0 ? parts : [...parts, literal];
}

/** Returns the names of placeholders in a text, each once. */
export function listPlaceholderNames(text: string): string[] {
  return [...new Set(parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])))];
}

export function hasPlaceholders(text: string): boolean {
  return text.includes('{{') && parseTemplate(text).some((part) => typeof part !== 'string');
}

export function fillTemplate(template: Template, valueOf: (placeholder: Placeholder) => string): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : valueOf(part);
  return text;
}
