import { Crosshair } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { startOf } from '#core/search/breakingPoint/levels.ts';
import { breakingPointSettingsSchema } from '#core/search/breakingPoint/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { planOfSearch } from '#core/search/planOf.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { placesToStartFrom } from '../state/places.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './CheckPage.module.css';

const say = words.searches.wizard;
const MAX_REPEATS = 9;

interface BreakingPointCardProps {
  readonly plan: Plan;
  /** Set for a plan with several servers; only the first is searched. */
  readonly series: Series | null;
  readonly agreement: Agreement;
}

/** Card that starts a search for the breaking point with the plan. */
export function BreakingPointCard({ plan: given, series, agreement }: BreakingPointCardProps) {
  const { plan, variant } = planOfSearch(given, series);
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('searches.start', ['runs.list', 'searches.list']);
  const [from, setFrom] = useState<NumberEntry>(startOf(plan, {}));
  const [to, setTo] = useState<NumberEntry>('');
  const [repeats, setRepeats] = useState<NumberEntry>(1);
  const problemOf = (entry: NumberEntry, mayBeEmpty: boolean): string | null =>
    (typeof entry === 'number' && entry > 0) || (mayBeEmpty && entry === '') ? null : say.wrongNumber;
  const settings = breakingPointSettingsSchema.safeParse({ from, to: to === '' ? undefined : to, repeats });
  const on = placesToStartFrom(state.choices.places, given);
  const mayStart = agreement.missing.length === 0;
  const press = (): void => {
    if (!settings.success || !mayStart) return;
    const document = {
      kind: 'breakingPoint' as const,
      plan,
      settings: settings.data,
      ...(on === undefined ? {} : { on }),
    };
    start.mutate({ document, agreed: agreement.keys }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  };
  return (
    <Disclosure level={2} title={say.title}>
      <Stack gap={12}>
        <p className={styles.host}>{say.story}</p>
        <div className={styles.hostRow}>
          <NumberField
            label={say.from}
            value={from}
            onChange={setFrom}
            unit={say.units[plan.load.model]}
            help={say.fromHelp}
            error={problemOf(from, false)}
          />
          <NumberField
            label={say.to}
            value={to}
            onChange={setTo}
            unit={say.units[plan.load.model]}
            help={say.toHelp}
            error={problemOf(to, true)}
          />
          <NumberField
            label={say.repeats}
            help={say.repeatsHelp}
            value={repeats}
            onChange={setRepeats}
            min={1}
            max={MAX_REPEATS}
            error={problemOf(repeats, false)}
          />
        </div>
        {start.error ? <HostProblem problem={start.error} onAgain={press} /> : null}
        {variant === null ? null : <p className="muted">{say.firstOnly(variant)}</p>}
        {mayStart ? null : <p className="muted">{say.openConsent}</p>}
        <div>
          <Button icon={<Crosshair />} isDisabled={!settings.success || !mayStart} isPending={start.isPending} onPress={press}>
            {say.start}
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}
