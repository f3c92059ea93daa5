import { type ReactNode, useState } from 'react';
import { type Ask, askKey, type Asking, asksOf, isPublic } from '#core/review/asks/ask.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { words } from '#ui/words/words.ts';

export interface Consent {
  /** What the start of the plan is told to be agreed to. */
  readonly agreed: string[];
  readonly isGiven: boolean;
  /** A box for each public host; nothing where there is none. */
  readonly boxes: ReactNode;
}

/** Consent to a plan that was just entered: only hosts that others may own are asked about, each by its name. `asking` null: there is no plan. */
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
