import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { tlsOf } from '../state/types.ts';
import { isSecureUrl } from '../state/url.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './TargetPage.module.css';
import type { Probes } from './useProbes.ts';

/** Whom to trust, for addresses where it matters; nothing for the others. */
export function CertificatePart({ probes }: { readonly probes: Probes }) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.target.certificate;
  if (!state.targets.some(({ url }) => isSecureUrl(url))) return null;
  const tls = tlsOf(state);
  const change = (verify: boolean): void => {
    dispatch({ type: 'verifyingChanged', verifies: verify });
    // What was asked under the other choice is asked again, so that its answer says what holds now.
    probes.sendAll(
      state.targets.filter(({ id }) => state.probes[id] !== undefined),
      { ...tls, verify },
    );
  };
  const verified = tls.ca === undefined ? say.verified : say.verifiedByPlan;
  return (
    <Disclosure level={2} title={say.title} summary={tls.verify ? verified : say.unverified}>
      <Stack gap={12}>
        <p className={styles.help}>{say.help}</p>
        <Checkbox isSelected={!tls.verify} onChange={(skips) => change(!skips)}>
          {say.skip}
        </Checkbox>
      </Stack>
    </Disclosure>
  );
}
