import { useEffect, useEffectEvent } from 'react';
import { useProbes } from '../target/useLogin.ts';
import { useWizard } from '../WizardProvider.tsx';

/** More addresses than this are not looked at one by one. */
const MOST_ADDRESSES = 8;

/**
 * Sends one request to each address that nobody has looked at, as soon as that is allowed. What it says stands on Check, and on Target, where a login form that it met
 * opens the fields of an account.
 */
export function useFirstLook(isAllowed: boolean): void {
  const { state } = useWizard();
  const probes = useProbes();
  const unseen = state.targets.slice(0, MOST_ADDRESSES).filter(({ id }) => state.probes[id] === undefined);
  const look = useEffectEvent(() => probes.sendAll(unseen));
  const isDue = isAllowed && unseen.length > 0;
  useEffect(() => {
    if (isDue) look();
  }, [isDue]);
}
