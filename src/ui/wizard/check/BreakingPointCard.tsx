import { Crosshair } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { isOfPeople, startOf } from '#core/search/breakingPoint/levels.ts';
import { breakingPointSettingsSchema } from '#core/search/breakingPoint/schema.ts';
import { planOfSearch } from '#core/search/search.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { Stack } from '#ui/components/Page.tsx';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { generatorChoices } from '../state/machineRoles.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './CheckPage.module.css';

const searchWords = words.searches.wizard;
const MAX_REPEATS = 9;

interface BreakingPointCardProps {
  readonly plan: Plan;
  /** The series of a plan with several servers. The search uses only the first server. */
  readonly series: Series | null;
  readonly agreement: Agreement;
}

/** Card that starts a search for the breaking point, based on the plan. */
export function BreakingPointCard({ plan: given, series, agreement }: BreakingPointCardProps) {
  const { plan, variant } = planOfSearch(given, series);
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('searches.start', ['runs.list', 'searches.list']);
  const [from, setFrom] = useState<NumberEntry>(startOf(plan, {}));
  const [to, setTo] = useState<NumberEntry>('');
  const [repeats, setRepeats] = useState<NumberEntry>(1);
  const toProblem = (entry: NumberEntry, mayBeEmpty: boolean): string | null =>
    (typeof entry === 'number' && entry > 0) || (mayBeEmpty && entry === '') ? null : searchWords.wrongNumber;
  const isAtBell = isOfPeople(plan);
  const [waitsForReset, setWaitsForReset] = useState(isAtBell);
  const settings = breakingPointSettingsSchema.safeParse({ from, to: to === '' ? undefined : to, repeats, waitsForReset });
  const unit = searchWords.units[isAtBell ? 'people' : plan.load.model];
  const on = generatorChoices(state.choices.places, given);
  const mayStart = agreement.missing.length === 0;
  const startSearch = (): void => {
    if (!settings.success || !mayStart) return;
    const document = { kind: 'breakingPoint' as const, plan, settings: settings.data, ...(on === undefined ? {} : { on }) };
    start.mutate({ document, agreed: agreement.keys }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  };
  return (
    <Disclosure level={2} title={isAtBell ? searchWords.bell.title : searchWords.title}>
      <Stack gap={12}>
        <p>{isAtBell ? searchWords.bell.story : searchWords.story}</p>
        <div className={styles.hostRow}>
          <NumberField
            label={searchWords.from}
            value={from}
            onChange={setFrom}
            unit={unit}
            help={searchWords.fromHelp}
            error={toProblem(from, false)}
          />
          <NumberField
            label={searchWords.to}
            value={to}
            onChange={setTo}
            unit={unit}
            help={searchWords.toHelp}
            error={toProblem(to, true)}
          />
          <NumberField
            label={searchWords.repeats}
            help={searchWords.repeatsHelp}
            value={repeats}
            onChange={setRepeats}
            min={1}
            max={MAX_REPEATS}
            error={toProblem(repeats, false)}
          />
        </div>
        {isAtBell ? (
          <>
            <Checkbox isSelected={waitsForReset} onChange={setWaitsForReset}>
              {searchWords.bell.needsReset}
            </Checkbox>
            <p className="muted">{searchWords.bell.needsResetHelp}</p>
          </>
        ) : null}
        {start.error ? <HostProblem problem={start.error} onAgain={startSearch} /> : null}
        {variant === null ? null : <p className="muted">{searchWords.firstOnly(variant)}</p>}
        {mayStart ? null : <p className="muted">{searchWords.openConsent}</p>}
        <div>
          <Button icon={<Crosshair />} isDisabled={!settings.success || !mayStart} isPending={start.isPending} onPress={startSearch}>
            {searchWords.start}
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}
