import { freeName } from '../base/text.ts';
import { secretReferences } from '../plan/secrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readReference, type SecretReference } from '#core/plan/secretReference.ts';

/**
 * Returns environment variable names for the secrets of a plan, by reference, because exports never contain secrets. `env:TOKEN` keeps its
 * name; `file:/home/me/key.pem` becomes HOLDFAST_KEY_PEM, `ask:Password of the accounts` HOLDFAST_PASSWORD_OF_THE_ACCOUNTS.
 */
export function secretNames(plan: Plan): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // Exports contain no monitors, so their secrets need no names.
  const references = secretReferences({ ...plan, monitors: [] });
  const read = references.map((reference) => ({ reference, parts: readReference(reference) }));
  const taken = new Set(read.flatMap(({ parts }) => (parts?.kind === 'env' ? [parts.name] : [])));
  for (const { reference, parts } of read) {
    if (parts?.kind === 'env') {
      names.set(reference, parts.name);
      continue;
    }
    const words = secretName(parts)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 60);
    const name = freeName(`HOLDFAST_${words === '' ? 'SECRET' : words}`, (one) => taken.has(one));
    taken.add(name);
    names.set(reference, name);
  }
  return names;
}

function secretName(parts: SecretReference | null): string {
  switch (parts?.kind) {
    case 'file':
      return parts.path.split(/[/\\]/).at(-1) ?? '';
    case 'ask':
      return parts.label;
    default:
      return 'SECRET';
  }
}
