import { useEffect, useEffectEvent } from 'react';
import { useProbes } from '../target/useLogin.ts';
import { useWizard } from '../WizardProvider.tsx';

/** Further addresses are not probed. */
const MAX_ADDRESSES = 8;

/**
 * Sends one request to each address that was not probed yet, as soon as that is allowed. The results appear on the pages Check and Target,
 * where a detected login form opens the account fields.
 */
export function useFirstLook(isAllowed: boolean): void {
  const { state } = useWizard();
  const probes = useProbes();
  const unseen = state.targets.slice(0, MAX_ADDRESSES).filter(({ id }) => state.probes[id] === undefined);
  const look = useEffectEvent(() => probes.sendAll(unseen));
  const isDue = isAllowed && unseen.length > 0;
  useEffect(() => {
    if (isDue) look();
  }, [isDue]);
}
