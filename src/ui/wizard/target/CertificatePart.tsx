import { certificatesIn } from '#core/plan/certificates.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { isSecureUrl } from '#core/plan/url.ts';
import { tlsOf } from '../state/types.ts';
import { useWizard } from '../WizardContext.ts';
import { AuthorityField } from './AuthorityField.tsx';
import type { Probes } from './useProbes.ts';
import styles from './TargetPage.module.css';

/** Whom to trust, for addresses where it matters; nothing for the others. */
export function CertificatePart({ probes }: { readonly probes: Probes }) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.target.certificate;
  if (!state.targets.some(({ url }) => isSecureUrl(url))) return null;
  const tls = tlsOf(state);
  // What was asked under the other choice is asked again, so that its answer says what holds now.
  const askAgain = (chosen: Plan['tls']): void => {
    probes.sendAll(
      state.targets.filter(({ id }) => state.probes[id] !== undefined),
      chosen,
    );
  };
  const verify = (verifies: boolean): void => {
    dispatch({ type: 'verifyingChanged', verifies });
    askAgain({ ...tls, verify: verifies });
  };
  const trust = (authority: string): void => {
    dispatch({ type: 'authorityChanged', authority });
    const { ca: _earlier, ...others } = tls;
    askAgain(authority === '' ? others : { ...others, ca: authority });
  };
  const trusted = certificatesIn(tls.ca ?? '').length;
  const verified = trusted === 0 ? say.verified : say.verifiedByOwn;
  return (
    <Disclosure level={2} title={say.title} summary={tls.verify ? verified : say.unverified}>
      <Stack gap={16}>
        <p className={styles.help}>{say.help}</p>
        {tls.verify ? <AuthorityField trusted={trusted} onChange={trust} /> : null}
        <Checkbox isSelected={!tls.verify} onChange={(skips) => verify(!skips)}>
          {say.skip}
        </Checkbox>
      </Stack>
    </Disclosure>
  );
}
