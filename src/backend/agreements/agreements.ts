import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { askKey, listAsks, needsAgreement, openAsks, type Ask, type AskSource } from '#core/review/asks/ask.ts';
import { askLine, KIND_WORDS, visibleKey } from '#core/review/asks/labels.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { mapTexts, replaceReferences } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { OWNER_ONLY } from '../dataDirectory.ts';
import type { Store } from '#backend/store/store.ts';
import { readReference, sessionReference } from '#core/plan/secretReference.ts';

interface Digest {
  readonly key: Buffer;
  /** Returns the secret that this process keeps in memory under this reference id; undefined if there is none. */
  valueOf(id: string): string | undefined;
}

export type Agreements = ReturnType<typeof createAgreements>;

/**
 * Creates the store of what the user has agreed to. An agreement covers one unchanged plan with its unchanged list of permissions, because
 * it is found by a hash of both. The same plan therefore runs again without a question, and a changed plan needs a new agreement. Fields of
 * a plan cannot grant anything.
 */
export function createAgreements(store: Pick<Store, 'hasAgreement' | 'addAgreement'>, digest: Digest) {
  function listOpenAsks(asking: AskSource): { asks: Ask[]; open: Ask[] } {
    const asks = listAsks(asking);
    const open = openAsks(asks, []);
    return { asks, open: open.length === 0 || store.hasAgreement(hashPlanAndAsks(asking, asks, digest)) ? [] : open };
  }

  return {
    look: listOpenAsks,
    /** Returns whether the user has agreed to everything, either with the given keys or earlier. */
    covers: (asking: AskSource, agreedKeys: readonly string[]): boolean => openAsks(listOpenAsks(asking).open, agreedKeys).length === 0,
    /** Stores the agreements that were given. Throws `AGREEMENT_NEEDED` with everything that is missing. */
    require(asking: AskSource, agreedKeys: readonly string[]): void {
      const { asks, open } = listOpenAsks(asking);
      const missing = openAsks(open, agreedKeys);
      if (missing.length > 0) throw agreementNeeded(missing);
      if (open.length > 0) store.addAgreement(hashPlanAndAsks(asking, asks, digest), new Date().toISOString());
    },
  };
}

/** Returns an error that lists everything to which the user has not agreed. */
export function agreementNeeded(asks: readonly Ask[]): HoldfastError {
  return new HoldfastError({
    code: 'AGREEMENT_NEEDED',
    message: `Nothing was sent or opened. The plan needs permission for:\n${asks.map((ask) => `  ${KIND_WORDS[ask.kind]}: ${askLine(ask)}`).join('\n')}`,
    hint: `Allow only what you know. Load only servers that are yours or whose owner has agreed: ${asks.map(visibleKey).join(', ')}`,
    data: { asks },
  });
}

/**
 * Returns a hash of a plan together with the list of what the plan asks for, because a later version may ask for more in the same plan.
 * Each secret is included as a digest that is made with the key of this data directory, because another value of a header may turn a GET
 * into a DELETE. References to values in memory are left out of the hash, because they differ each time.
 */
function hashPlanAndAsks({ plan, series, on }: AskSource, asks: readonly Ask[], { key, valueOf }: Digest): string {
  // Digests are as long as a reference, because they may be part of a name whose length is limited.
  const digest = (value: string): string => createHmac('sha256', key).update(value).digest('base64url').slice(0, REFERENCE_LETTERS);
  const reference = (text: string): string => {
    const parts = readReference(text);
    return parts?.kind === 'session' ? sessionReference(digest(valueOf(parts.id) ?? '')) : text;
  };
  // References to secrets in memory are first replaced by the secrets, so that a value has the same digest whether it is in clear text or
  // in memory.
  const known = mapTexts({ plan, series }, (text) => (readReference(text) === null ? replaceReferences(text, reference) : reference(text)));
  const { plan: own, series: ownSeries } = knownSchema.parse(known);
  const whole = planSchema.safeParse(own);
  const hidden = whole.success ? hideSecrets(whole.data, (value) => sessionReference(digest(value))) : own;
  const list = asks.filter(needsAgreement).map(askKey).sort();
  return createHash('sha256')
    .update(JSON.stringify(sortMembers({ plan: hidden, series: ownSeries, on, list })))
    .digest('hex');
}

const knownSchema = z.object({ plan: z.unknown(), series: z.unknown() });

/** Returns the same value with its members sorted by name. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // Pairs are used instead of an object, because a name from outside must not become a property.
  return { block: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, sortMembers(inner)]) };
}

const KEY_BYTES = 32;
const REFERENCE_LETTERS = 12;

/** Returns the key for the digests. It is created once. If the key is lost, Holdfast asks for every agreement again. */
export function agreementKey(dataDirectory: string): Buffer {
  const file = join(dataDirectory, 'agreements.key');
  try {
    writeFileSync(file, randomBytes(KEY_BYTES), { mode: OWNER_ONLY.file, flag: 'wx' });
  } catch {
    // The key exists, or another process has just created it. If the disk is full, this process uses a key that is not stored.
  }
  try {
    const key = readFileSync(file);
    if (key.length === KEY_BYTES) return key;
  } catch {
    // A key that cannot be read is replaced, like an incomplete key.
  }
  return randomBytes(KEY_BYTES);
}
