import { Crosshair } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { HERE } from '#core/plan/schema/hosts.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { breakingPointSettingsSchema } from '#core/search/breakingPoint/schema.ts';
import { useAction } from '#ui/shared/backend.ts';
import { useAddress, useConsent, onGenerator, GeneratorSelect, StartRow } from '#ui/shared/quickStart.tsx';
import { LinkButton } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField, TextField } from '../components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { Page, Stack } from '../components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches.breakingPoint;
const LIMIT_MS = 1_000;
const MODELS: readonly { readonly value: QuickModel; readonly label: string }[] = [
  { value: 'arrivals', label: texts.models.arrivals },
  { value: 'connections', label: texts.models.connections },
];

/** Page that starts a search for the breaking point, from an address and a response time limit. */
export function BreakingPointPage() {
  return (
    <Page title={texts.title} story={texts.story} actions={<LinkButton to="/searches">{words.quick.earlier}</LinkButton>}>
      <Stack gap={24}>
        <BreakingPointForm />
        <p className={styles.quiet}>
          {texts.ofTest} <a href="#/new">{texts.choose}</a>
        </p>
      </Stack>
    </Page>
  );
}

function BreakingPointForm() {
  const [, navigate] = useLocation();
  const address = useAddress();
  const [maxMs, setLimitMs] = useState<NumberEntry>(LIMIT_MS);
  const [model, setModel] = useState<QuickModel>('arrivals');
  const [from, setFrom] = useState<NumberEntry>(FIRST_LEVEL[model]);
  const [place, setGenerator] = useState<string>(HERE);
  const start = useAction('searches.start', ['runs.list', 'searches.list']);
  const settings = breakingPointSettingsSchema.safeParse({ from });
  const isLimit = typeof maxMs === 'number' && maxMs > 0;
  const plan =
    address.url === null || !isLimit || !settings.success
      ? null
      : breakingPointPlan({ url: address.url, model, maxMs, from: Number(from) });
  const valid = planSchema.safeParse(plan);
  const consent = useConsent(valid.success ? { plan: valid.data, ...onGenerator(place) } : null);
  const mayStart = valid.success && consent.isGiven;
  const startSearch = (): void => {
    address.complain();
    if (!valid.success || !settings.success || !mayStart) return;
    const document = { kind: 'breakingPoint' as const, plan: valid.data, settings: settings.data, ...onGenerator(place) };
    start.mutate({ document, agreed: consent.agreed }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  };
  return (
    <Card>
      <Stack gap={12}>
        <TextField {...address.field} label={texts.address} onEnter={startSearch} />
        <NumberField
          label={texts.limit}
          help={texts.limitHelp}
          value={maxMs}
          onChange={setLimitMs}
          unit={texts.milliseconds}
          error={isLimit ? null : texts.wrongNumber}
        />
        {consent.boxes}
        <Disclosure level={2} title={words.quick.more}>
          <div className={styles.fields}>
            <Select
              label={texts.model}
              help={texts.modelHelp}
              value={model}
              choices={MODELS}
              onChange={(chosenQuickModel) => {
                setModel(chosenQuickModel);
                setFrom(FIRST_LEVEL[chosenQuickModel]);
              }}
            />
            <NumberField
              label={words.searches.wizard.from}
              help={words.searches.wizard.fromHelp}
              value={from}
              onChange={setFrom}
              unit={words.searches.wizard.units[model]}
              error={settings.success && (plan === null || valid.success) ? null : texts.wrongNumber}
            />
            <GeneratorSelect value={place} onChange={setGenerator} />
          </div>
        </Disclosure>
        <StartRow
          label={texts.title}
          icon={<Crosshair />}
          isDisabled={address.url !== null && !mayStart}
          start={start}
          onPress={startSearch}
        />
      </Stack>
    </Card>
  );
}

/** Load model: arrivals at a fixed rate, or connections that wait for responses. */
type QuickModel = 'arrivals' | 'connections';

/** First level by default, for each load model. */
export const FIRST_LEVEL: Readonly<Record<QuickModel, number>> = { arrivals: 10, connections: 1 };

const SECONDS = 10;
const PERCENTILE = 95;
const MAX_FAILED_SHARE = 0.01;
const MAX_NAME_LENGTH = 120;

interface BreakingPointEntries {
  readonly url: string;
  readonly model: QuickModel;
  /** Maximum p95 response time in ms. */
  readonly maxMs: number;
  readonly from: number;
}

/**
 * Returns the plan of one page for a breaking point search. While values are being entered, the plan may be invalid, for example with half
 * a connection.
 */
export function breakingPointPlan({ url, model, maxMs, from }: BreakingPointEntries): PlanInput {
  return {
    holdfast: 1,
    name: `Breaking point of ${new URL(url).host}`.slice(0, MAX_NAME_LENGTH),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load:
      model === 'arrivals'
        ? { model, stages: [{ kind: 'constant', perSecond: from, seconds: SECONDS }] }
        : { model, stages: [{ connections: from, seconds: SECONDS }] },
    criteria: [
      { kind: 'responseTime', percentile: PERCENTILE, maxMs },
      { kind: 'errors', maxShare: MAX_FAILED_SHARE },
    ],
  };
}
