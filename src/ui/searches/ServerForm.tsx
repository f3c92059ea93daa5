import { Search } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { askKey, asksOf, isPublic } from '#core/review/asks/ask.ts';
import { characterizeSettingsSchema } from '#core/search/characterize/schema.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import { useAction, useCall } from '../app/backend.ts';
import { HostProblem } from '../app/machines/HostProblem.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { Checkbox } from '../components/Checkbox.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField, TextField } from '../components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { Stack } from '../components/Page.tsx';
import { Select } from '../components/Select.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches.server;
const LONGEST_NAME = 120;

/** An address, and what it is is found out. */
export function ServerForm() {
  const [, navigate] = useLocation();
  const [address, setAddress] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [consented, setConsented] = useState<string | null>(null);
  const [maxUsers, setMaxUsers] = useState<NumberEntry>(characterizeSettingsSchema.parse({}).maxUsers);
  const [idleSeconds, setIdleSeconds] = useState<NumberEntry>(characterizeSettingsSchema.parse({}).idleSeconds);
  const [place, setPlace] = useState<string>(HERE);
  const hosts = useCall('hosts.list', {}).data ?? [];
  const places = [{ value: HERE, label: texts.here }, ...hosts.map(({ name }) => ({ value: name, label: name }))];
  const start = useAction('searches.start', ['runs.list', 'searches.list']);
  const url = completeUrl(address);
  const problem = address.trim() === '' ? null : urlProblem(address);
  const plan = address.trim() === '' || problem !== null ? null : planOf(url);
  const on = place === HERE ? {} : { on: [place] };
  const asks = plan === null ? [] : asksOf({ plan, ...on });
  const publicHost = asks.find(isPublic)?.name;
  const settings = characterizeSettingsSchema.safeParse({ maxUsers, idleSeconds });
  const mayStart = plan !== null && settings.success && (publicHost === undefined || consented === publicHost);
  const press = (): void => {
    setLeft(true);
    if (plan === null || !settings.success || !mayStart) return;
    const document = { kind: 'characterize' as const, plan, settings: settings.data, ...on };
    start.mutate({ document, agreed: asks.map(askKey) }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  };
  const missing = isLeft && address.trim() === '' ? texts.needsAddress : null;
  const wrongEntry = (name: string): string | null => settings.error?.issues.find(({ path }) => path[0] === name)?.message ?? null;
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <p className={styles.quiet}>{texts.story}</p>
        <TextField
          label={texts.address}
          type="url"
          code
          value={address}
          onChange={setAddress}
          onBlur={() => setLeft(address !== '')}
          onEnter={press}
          help={texts.addressHelp}
          error={isLeft ? (problem ?? missing) : null}
        />
        {publicHost === undefined ? null : (
          <Checkbox isSelected={consented === publicHost} onChange={(given) => setConsented(given ? publicHost : null)}>
            {texts.consent(publicHost)}
          </Checkbox>
        )}
        <Disclosure title={texts.more}>
          <div className={styles.fields}>
            <NumberField label={texts.maxUsers} value={maxUsers} onChange={setMaxUsers} error={wrongEntry('maxUsers')} />
            <NumberField
              label={texts.idleSeconds}
              value={idleSeconds}
              onChange={setIdleSeconds}
              unit={texts.seconds}
              help={texts.idleHelp}
              error={wrongEntry('idleSeconds')}
            />
            {hosts.length === 0 ? null : (
              <Select label={texts.place} help={texts.placeHelp} value={place} choices={places} onChange={setPlace} />
            )}
          </div>
        </Disclosure>
        {start.error ? <HostProblem problem={start.error} onAgain={press} /> : null}
        <div>
          <Button look="primary" icon={<Search />} isDisabled={plan !== null && !mayStart} isPending={start.isPending} onPress={press}>
            {texts.start}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}

/** One page, and the load that the search makes of it. */
function planOf(url: string) {
  return planSchema.parse({
    holdfast: 1,
    name: `What is ${new URL(url).host}?`.slice(0, LONGEST_NAME),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
}
