import { askKey, isOnlyRead, needsAgreement } from '#core/review/asks/ask.ts';
import { visibleLine } from '#core/base/text.ts';
import { AskList } from '#ui/shared/AgreementProblem.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { useWizard } from '../WizardProvider.tsx';

const agreementWords = words.agreement;

/** The permissions of a plan, collapsed into one line. Renders nothing if some are missing or if none need consent. */
export function GivenAgreement({ agreement: { asks, together, hosts } }: { readonly agreement: Agreement }) {
  if (!asks.some(needsAgreement) || together.length + hosts.length > 0) return null;
  return (
    <Disclosure level={2} title={agreementWords.title} summary={agreementWords.known}>
      <AskList asks={asks} />
    </Disclosure>
  );
}

/** The permissions of a plan, with checkboxes for consent. Renders nothing if none are missing. */
export function AgreementCard({ agreement: { asks, together, hosts } }: { readonly agreement: Agreement }) {
  const { state, dispatch } = useWizard();
  if (together.length + hosts.length === 0) return null;
  const keys = together.map(askKey);
  return (
    <Card title={agreementWords.title}>
      <Stack gap={12}>
        <p>{agreementWords.story}</p>
        <AskList asks={asks} />
        {keys.length === 0 ? null : (
          <Checkbox
            isSelected={keys.every((key) => state.agreed.includes(key))}
            onChange={(isGiven) => dispatch({ type: 'agreementChanged', keys, given: isGiven })}
          >
            {agreementWords.agree}
          </Checkbox>
        )}
        {hosts.map((ask) => (
          <Checkbox
            key={ask.name}
            isSelected={state.agreed.includes(askKey(ask))}
            onChange={(isGiven) => dispatch({ type: 'agreementChanged', keys: [askKey(ask)], given: isGiven })}
          >
            {(isOnlyRead(ask) ? agreementWords.hostRead : agreementWords.host)(visibleLine(ask.name))}
          </Checkbox>
        ))}
      </Stack>
    </Card>
  );
}
