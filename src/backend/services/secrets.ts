import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HoldfastError, describeReadFailure } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { SECRET_FORMS } from '#core/plan/schema/url.ts';
import { readReference, sessionReference } from '#core/plan/secretReference.ts';

export interface MissingSecret {
  readonly reference: string;
  readonly message: string;
  readonly hint: string;
}

export interface SecretsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
  /** Called with every value as soon as it is known, so that the value never enters a log or the store. */
  readonly onKnown: (value: string) => void;
}

export type Secrets = ReturnType<typeof createSecrets>;

/** Creates the resolver of secrets. Values are kept only in memory, as long as the backend runs. */
export function createSecrets({ environment, resolveAsk, onKnown }: SecretsOptions) {
  const kept = new Map<string, string>();
  const references = new Map<string, string>();

  async function valueOf(reference: string): Promise<string> {
    const parts = readReference(reference);
    switch (parts?.kind) {
      case 'session':
        return requireValue(kept.get(parts.id), 'This value was kept in memory only and is gone.', 'Enter it (or log in) again.');
      case 'env':
        return environmentValue(parts.name);
      case 'file':
        return readSecretFile(parts.path);
      case 'ask':
        if (!resolveAsk)
          throw new MissingValue('It must be entered, and nobody is here to enter it.', 'Use env:NAME or file:PATH instead.');
        return resolveAsk(parts.label);
      case undefined:
        throw new MissingValue('This is not a reference to a secret.', SECRET_FORMS);
      default:
        return parts satisfies never;
    }
  }

  function environmentValue(name: string): string {
    return requireValue(
      getOwn(environment, name),
      `The environment variable ${name} is not set.`,
      `Set ${name} before you start Holdfast.`,
    );
  }

  return {
    /** Keeps a value and returns the reference that a plan may contain. Equal values have one reference, so equal plans stay equal. */
    keep(value: string): string {
      const known = references.get(value);
      if (known !== undefined) return known;
      const id = randomBytes(9).toString('base64url');
      kept.set(id, value);
      references.set(value, sessionReference(id));
      onKnown(value);
      return sessionReference(id);
    },
    keptValue: (id: string): string | undefined => kept.get(id),
    /**
     * Returns values by reference. Throws `SECRETS_MISSING` with every missing secret. The user is asked only after all other secrets were
     * found.
     */
    async resolve(references: readonly string[]): Promise<Map<string, string>> {
      const values = new Map<string, string>();
      const missing: MissingSecret[] = [];
      const unique = [...new Set(references)].sort((a, b) => Number(isAsked(a)) - Number(isAsked(b)));
      for (const reference of unique) {
        if (isAsked(reference) && missing.length > 0) break;
        try {
          const value = await valueOf(reference);
          onKnown(value);
          values.set(reference, value);
        } catch (thrown) {
          if (!(thrown instanceof MissingValue)) throw thrown;
          missing.push({ reference, message: thrown.message, hint: thrown.hint });
        }
      }
      if (missing.length > 0) throw secretsMissing(missing);
      return values;
    },
  };
}

export function isAsked(reference: string): boolean {
  return readReference(reference)?.kind === 'ask';
}

class MissingValue extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function requireValue(value: string | undefined, message: string, hint: string): string {
  if (value === undefined) throw new MissingValue(message, hint);
  return value;
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (thrown) {
    const { message, hint } = describeReadFailure(path, thrown);
    throw new MissingValue(message, hint);
  }
}

function secretsMissing(missing: readonly MissingSecret[]): HoldfastError {
  return new HoldfastError({
    code: 'SECRETS_MISSING',
    message:
      missing.length === 1
        ? 'A secret that the plan needs is not available.'
        : `${missing.length} secrets that the plan needs are not available.`,
    hint: missing.map(({ reference, message, hint }) => `${reference}: ${message} ${hint}`).join('\n'),
    data: { missing },
  });
}
