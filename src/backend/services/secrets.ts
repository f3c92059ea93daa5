import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HoldfastError, unreadFile } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { SECRET_FORMS } from '#core/plan/schema/text.ts';

/** One secret that could not be had, and what to do. */
export interface MissingSecret {
  readonly reference: string;
  readonly message: string;
  readonly hint: string;
}

export interface SecretsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
  /** Told of every value as soon as it is known, so that it never gets into a log or the store. */
  readonly onKnown: (value: string) => void;
}

export type Secrets = ReturnType<typeof createSecrets>;

/** Secrets live in memory only and only as long as the backend. */
export function createSecrets({ environment, resolveAsk, onKnown }: SecretsOptions) {
  const kept = new Map<string, string>();

  async function valueOf(reference: string): Promise<string> {
    const separator = reference.indexOf(':');
    const kind = reference.slice(0, separator);
    const rest = reference.slice(separator + 1);
    switch (kind) {
      case 'session':
        return found(kept.get(rest), 'This value was kept in memory only and is gone.', 'Enter it (or log in) again.');
      case 'env':
        return found(getOwn(environment, rest), `The environment variable ${rest} is not set.`, `Set ${rest} before you start Holdfast.`);
      case 'file':
        return readSecretFile(rest);
      case 'ask':
        if (!resolveAsk) throw new Missing('It must be entered, and nobody is here to enter it.', 'Use env:NAME or file:PATH instead.');
        return resolveAsk(rest);
      default:
        throw new Missing('This is not a reference to a secret.', SECRET_FORMS);
    }
  }

  return {
    /** Returns the reference that a plan may hold. */
    keep(value: string): string {
      const id = randomBytes(9).toString('base64url');
      kept.set(id, value);
      onKnown(value);
      return `session:${id}`;
    },
    /** Values by reference. Throws `SECRETS_MISSING` that lists every secret that cannot be had. Questions are asked last. */
    async resolve(references: readonly string[]): Promise<Map<string, string>> {
      const values = new Map<string, string>();
      const missing: MissingSecret[] = [];
      const unique = [...new Set(references)].sort((a, b) => Number(a.startsWith('ask:')) - Number(b.startsWith('ask:')));
      for (const reference of unique) {
        if (reference.startsWith('ask:') && missing.length > 0) break;
        try {
          const value = await valueOf(reference);
          onKnown(value);
          values.set(reference, value);
        } catch (thrown) {
          if (!(thrown instanceof Missing)) throw thrown;
          missing.push({ reference, message: thrown.message, hint: thrown.hint });
        }
      }
      if (missing.length > 0) throw secretsMissing(missing);
      return values;
    },
  };
}

class Missing extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function found(value: string | undefined, message: string, hint: string): string {
  if (value === undefined) throw new Missing(message, hint);
  return value;
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (thrown) {
    const { message, hint } = unreadFile(path, thrown);
    throw new Missing(message, hint);
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
