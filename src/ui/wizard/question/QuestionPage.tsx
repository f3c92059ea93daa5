import { CircleQuestionMark } from 'lucide-react';
import type { Preset } from '#core/presets/schema.ts';
import { formatCount } from '#core/units.ts';
import { useCall } from '#ui/app/backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { EmptyState } from '#ui/components/EmptyState.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { RadioCards } from '#ui/components/RadioCards.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { words } from '#ui/words/words.ts';
import { useWizard } from '../WizardContext.ts';
import { EarlierRuns } from './EarlierRuns.tsx';
import { PasteField } from './PasteField.tsx';
import styles from './QuestionPage.module.css';

export function QuestionPage() {
  const { state } = useWizard();
  const say = words.wizard.question;
  return (
    <Stack gap={24}>
      {state.source?.kind === 'plan' ? <Banner tone="accent">{say.chosenPlan(state.source.plan.name)}</Banner> : null}
      <Presets />
      <Stack gap={4}>
        <PasteField />
        <EarlierRuns />
      </Stack>
    </Stack>
  );
}

function Presets() {
  const { state, dispatch } = useWizard();
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const say = words.wizard.question;
  if (presets.error) return <ProblemBanner problem={presets.error} onRetry={() => void presets.refetch()} />;
  if (presets.isPending) {
    return (
      <Skeleton waitingFor={say.loading}>
        <div className={styles.skeleton}>
          {[1, 2, 3, 4].map((key) => (
            <Block key={key} height={168} />
          ))}
        </div>
      </Skeleton>
    );
  }
  if (presets.data.length === 0) {
    return (
      <EmptyState
        icon={<CircleQuestionMark size={32} />}
        title={say.empty.title}
        action={<Button onPress={() => void presets.refetch()}>{say.empty.action}</Button>}
      >
        {say.empty.text}
      </EmptyState>
    );
  }
  return (
    <RadioCards
      label={say.choose}
      hideLabel
      value={state.source?.kind === 'preset' ? state.source.id : null}
      onChange={(id) => dispatch({ type: 'presetChosen', id })}
      cards={presets.data.map((preset) => ({ value: preset.id, name: preset.title, content: <PresetCard preset={preset} /> }))}
    />
  );
}

function PresetCard({ preset }: { readonly preset: Preset }) {
  const say = words.wizard.question;
  return (
    <span className={styles.card}>
      <span className={styles.title}>{preset.title}</span>
      <span className={styles.story}>{preset.story}</span>
      <span className={styles.facts}>
        {preset.needs.length > 0 ? (
          <span>
            <b>{say.needs}</b> {preset.needs.join(', ')}
          </span>
        ) : null}
        <span>
          <b>{say.takes}</b> {say.minutes(formatCount(Math.ceil(preset.takesMinutes)))}
        </span>
        {preset.lab ? <span>{say.practice}</span> : null}
        {preset.origin ? <span className={styles.origin}>{preset.origin}</span> : null}
      </span>
    </span>
  );
}
