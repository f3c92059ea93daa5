import { Search } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { HERE } from '#core/plan/schema/hosts.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { characterizeSettingsSchema } from '#core/search/characterize/schema.ts';
import { useAction } from '#ui/shared/backend.ts';
import { useAddress, useConsent, onGenerator, GeneratorSelect, StartRow } from '#ui/shared/quickStart.tsx';
import { LinkButton } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField, TextField } from '../components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { Page, Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches.server;
const MAX_NAME_LENGTH = 120;

/** Page that starts a search to examine the server behind an address. */
export function ServerPage() {
  return (
    <Page title={texts.title} story={texts.story} actions={<LinkButton to="/searches">{words.quick.earlier}</LinkButton>}>
      <ServerForm />
    </Page>
  );
}

function ServerForm() {
  const [, navigate] = useLocation();
  const address = useAddress();
  const [maxUsers, setMaxUsers] = useState<NumberEntry>(characterizeSettingsSchema.parse({}).maxUsers);
  const [idleSeconds, setIdleSeconds] = useState<NumberEntry>(characterizeSettingsSchema.parse({}).idleSeconds);
  const [place, setGenerator] = useState<string>(HERE);
  const start = useAction('searches.start', ['runs.list', 'searches.list']);
  const plan = address.url === null ? null : getPlan(address.url);
  const consent = useConsent(plan && { plan, ...onGenerator(place) });
  const settings = characterizeSettingsSchema.safeParse({ maxUsers, idleSeconds });
  const mayStart = plan !== null && settings.success && consent.isGiven;
  const startAnalysis = (): void => {
    address.complain();
    if (plan === null || !settings.success || !mayStart) return;
    const document = { kind: 'characterize' as const, plan, settings: settings.data, ...onGenerator(place) };
    start.mutate({ document, agreed: consent.agreed }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  };
  const entryProblem = (name: string): string | null => settings.error?.issues.find(({ path }) => path[0] === name)?.message ?? null;
  return (
    <Card>
      <Stack gap={12}>
        <TextField {...address.field} label={texts.address} help={texts.addressHelp} onEnter={startAnalysis} />
        {consent.boxes}
        <Disclosure level={2} title={words.quick.more}>
          <div className={styles.fields}>
            <NumberField label={texts.maxUsers} value={maxUsers} onChange={setMaxUsers} error={entryProblem('maxUsers')} />
            <NumberField
              label={texts.idleSeconds}
              value={idleSeconds}
              onChange={setIdleSeconds}
              unit={texts.seconds}
              help={texts.idleHelp}
              error={entryProblem('idleSeconds')}
            />
            <GeneratorSelect value={place} onChange={setGenerator} help={texts.placeHelp} />
          </div>
        </Disclosure>
        <StartRow label={texts.start} icon={<Search />} isDisabled={plan !== null && !mayStart} start={start} onPress={startAnalysis} />
      </Stack>
    </Card>
  );
}

/** Returns the plan of one page that the search starts from. */
function getPlan(url: string) {
  return planSchema.parse({
    holdfast: 1,
    name: `What is ${new URL(url).host}?`.slice(0, MAX_NAME_LENGTH),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
}
