import { createHash } from 'node:crypto';
import { askKey, asksOf, needsAgreement, openAsks, type Ask, type Asking } from '#core/review/asks/ask.ts';
import { askLine, KIND_WORDS, visibleKey } from '#core/review/asks/words.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { shownText } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { Store } from '#backend/store/store.ts';
import { readReference, sessionReference } from '#core/plan/secretReference.ts';

export type Agreements = ReturnType<typeof createAgreements>;

/**
 * What persons have agreed to. An agreement is about one plan and its list as they are: it is found again by a hash of both, so the same plan is run again
 * without a question, and a plan that has changed is asked about anew. Nothing within a plan counts.
 */
export function createAgreements(store: Pick<Store, 'hasAgreement' | 'addAgreement'>) {
  /** What is asked for, and what of it nobody has agreed to. */
  function look(asking: Asking): { asks: Ask[]; open: Ask[] } {
    const asks = asksOf(asking);
    const open = openAsks(asks, []);
    return { asks, open: open.length === 0 || store.hasAgreement(hashOf(asking, asks)) ? [] : open };
  }

  return {
    look,
    /** Whether everything was agreed to, now (by its keys) or before. */
    covers: (asking: Asking, agreed: readonly string[]): boolean => openAsks(look(asking).open, agreed).length === 0,
    /** Keeps what was agreed to. Throws `AGREEMENT_NEEDED` with everything that was not. */
    require(asking: Asking, agreed: readonly string[]): void {
      const { asks, open } = look(asking);
      const missing = openAsks(open, agreed);
      if (missing.length > 0) throw agreementNeeded(missing);
      if (open.length > 0) store.addAgreement(hashOf(asking, asks), new Date().toISOString());
    },
  };
}

/** Everything that was not agreed to, at once. */
export function agreementNeeded(asks: readonly Ask[]): HoldfastError {
  return new HoldfastError({
    code: 'AGREEMENT_NEEDED',
    message: `Nothing was sent or opened. The plan needs permission for:\n${asks.map((ask) => `  ${KIND_WORDS[ask.kind]}: ${askLine(ask)}`).join('\n')}`,
    hint: `Allow only what you know. Load only servers that are yours or whose owner has agreed: ${asks.map(visibleKey).join(', ')}`,
    data: { asks },
  });
}

/** The list is part of it: a later version may find more in the same plan. Secrets are not: what the app keeps in memory has another name each time. */
function hashOf({ plan, series, on }: Asking, asks: readonly Ask[]): string {
  const whole = planSchema.safeParse(plan);
  const hidden = whole.success ? hideSecrets(whole.data, () => KEPT) : plan;
  const list = asks.filter(needsAgreement).map(askKey).sort();
  return createHash('sha256')
    .update(JSON.stringify(inOrder({ plan: hidden, series, on, list })))
    .digest('hex');
}

const KEPT = sessionReference('kept');

/** The same value with its names in one order, and without what differs each time. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value === 'string') return readReference(value)?.kind === 'session' ? KEPT : shownText(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // Pairs and no block: a name of somebody else's must not become a property.
  return { block: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]) };
}
