import { type ReactNode, useState } from 'react';
import { type Ask, askKey, type Asking, asksOf, isPublic } from '#core/review/asks/ask.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { words } from '#ui/words/words.ts';

export interface Consent {
  /** Permissions to pass to the start of the plan. */
  readonly agreed: string[];
  readonly isGiven: boolean;
  /** A checkbox for each public host. */
  readonly boxes: ReactNode;
}

/** Returns the consent for a plan that was just entered: only public hosts need it, each by name. `asking` null: no plan. */
export function useConsent(asking: Asking | null): Consent {
  const [given, setGiven] = useState<readonly string[]>([]);
  const asks: readonly Ask[] = asking === null ? [] : asksOf(asking);
  const hosts = asks.filter(isPublic).map(({ name }) => name);
  return {
    agreed: asks.map(askKey),
    isGiven: hosts.every((host) => given.includes(host)),
    boxes: hosts.map((host) => (
      <Checkbox
        key={host}
        isSelected={given.includes(host)}
        onChange={(isGiven) => setGiven(isGiven ? [...given, host] : given.filter((other) => other !== host))}
      >
        {words.quick.consent(host)}
      </Checkbox>
    )),
  };
}
