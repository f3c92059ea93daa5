import { askKey, isPublic, needsAgreement, type Ask } from '#core/review/asks/ask.ts';
import type { WizardState } from './types.ts';

/** What somebody has to agree to before the plan of the moment may do anything. */
export interface Agreement {
  /** Everything that the plan asks for. */
  readonly asks: readonly Ask[];
  /** What of it is open, as the wizard asks for it: by one word, and each public host by itself. */
  readonly together: readonly Ask[];
  readonly hosts: readonly Ask[];
  /** What is still missing. */
  readonly missing: readonly Ask[];
  /** What calls of the backend are told to be agreed to. */
  readonly keys: string[];
}

type Agreed = Pick<WizardState, 'foreign' | 'agreed'>;

/**
 * A plan that was made here asks for what the person has entered, so only public hosts are confirmed. What stood in a plan that was opened or imported
 * (`foreign`) is agreed to. `open`: what the backend knows of no agreement to.
 */
export function agreementOf({ foreign, agreed }: Agreed, asks: readonly Ask[], open: readonly Ask[]): Agreement {
  const asked = open.filter((ask) => isPublic(ask) || foreign.includes(askKey(ask)));
  const missing = asked.filter((ask) => !agreed.includes(askKey(ask)));
  return {
    asks,
    together: asked.filter((ask) => !isPublic(ask)),
    hosts: asked.filter(isPublic),
    missing,
    keys: asks
      .filter((ask) => needsAgreement(ask) && !missing.includes(ask) && !missing.some((one) => askKey(one) === askKey(ask)))
      .map(askKey),
  };
}

/** What a single request that the person has just asked for is agreed to by that: all of it, but what stood in a plan of somebody else's. */
export function agreedByAsking({ foreign, agreed }: Agreed, asks: readonly Ask[]): string[] {
  return asks.map(askKey).filter((key) => !foreign.includes(key) || agreed.includes(key));
}
