import { Calculator, CircleQuestionMark } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { CALCULATOR_TITLES } from '#core/calculators/calculator.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Preset } from '#core/presets/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { useCall } from '#ui/app/backend.ts';
import { later } from '#ui/app/later.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { ChoiceText } from '#ui/components/ChoiceText.tsx';
import { EmptyState } from '#ui/components/EmptyState.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { RadioCards } from '#ui/components/RadioCards.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { formatWhen, words } from '#ui/words/words.ts';
import { startWizard } from '#ui/app/wizardSeed.ts';
import { redoEarlyInput } from '#ui/app/first/early.ts';
import { type Offer, offerOf, useOffers } from '#ui/app/first/offers.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { markOf, VerdictMark } from '#ui/components/VerdictMark.tsx';
import { questionsToAsk } from '../state/answers.ts';
import { entriesOf } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { Doors } from './Doors.tsx';
import { PasteField } from './PasteField.tsx';
import styles from './QuestionPage.module.css';

const SHOWN = 5;

function EarlierRuns() {
  const say = words.wizard.question;
  const [isOpen, setOpen] = useState(false);
  const earlier = useCall('runs.list', { limit: SHOWN }, { enabled: isOpen });
  return (
    <Disclosure level={2} title={say.earlier} isOpen={isOpen} onOpenChange={setOpen}>
      <Stack gap={12}>
        <p>{say.earlierStory}</p>
        {earlier.error ? <ProblemBanner problem={earlier.error} onRetry={() => void earlier.refetch()} /> : null}
        {earlier.data?.runs.length === 0 ? <p>{say.earlierNone}</p> : null}
        <ul className={styles.runs}>
          {earlier.data?.runs.map((run) => (
            <li key={run.id} className={styles.run}>
              <span className={styles.runName}>
                {run.name}
                <br />
                <span className={styles.runFacts}>
                  {formatWhen(run.startedAt)} · {run.target}
                </span>
              </span>
              <VerdictMark mark={markOf(run.state, run.outcome)} />
              <Button size="small" onPress={() => startWizard({ kind: 'run', runId: run.id })}>
                {say.earlierUse}
              </Button>
            </li>
          ))}
        </ul>
        {earlier.data && earlier.data.total > SHOWN ? <a href="#/history">{say.earlierAll}</a> : null}
      </Stack>
    </Disclosure>
  );
}

// Only some presets ask anything before the address is known.
const AnswerFields = lazy(later(async () => ({ default: (await import('../AnswerFields.tsx')).AnswerFields })));

interface QuestionPageProps {
  readonly preset: Preset | null;
  readonly issues: readonly Issue[];
}

export function QuestionPage({ preset, issues }: QuestionPageProps) {
  const { state } = useWizard();
  const say = words.wizard.question;
  useEffect(redoEarlyInput, []);
  return (
    <Stack gap={24}>
      {state.source?.kind === 'plan' ? <Banner tone="accent">{say.chosenPlan(state.source.plan.name)}</Banner> : null}
      <Card>
        <PasteField />
      </Card>
      <Doors />
      <Presets />
      {preset ? <FirstQuestions preset={preset} issues={issues} /> : null}
      <EarlierRuns />
    </Stack>
  );
}

/** What has to be known before an address can be asked for: which of its tests. */
function FirstQuestions({ preset, issues }: { readonly preset: Preset; readonly issues: readonly Issue[] }) {
  const { state } = useWizard();
  const { answers } = entriesOf(state);
  const questions = questionsToAsk(preset, answers).filter(({ first }) => first);
  if (questions.length === 0) return null;
  return (
    <Card title={preset.title}>
      <Stack gap={16}>
        <Suspense
          fallback={
            <Skeleton waitingFor={words.wizard.question.loading}>
              <Block height={48} />
            </Skeleton>
          }
        >
          <AnswerFields preset={preset} answers={answers} questions={questions} issues={issues} />
        </Suspense>
      </Stack>
    </Card>
  );
}

function Presets() {
  const { state, dispatch } = useWizard();
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const say = words.wizard.question;
  const brought = useOffers();
  if (presets.error) return <ProblemBanner problem={presets.error} onRetry={() => void presets.refetch()} />;
  const offers = presets.data?.map(offerOf) ?? brought;
  if (offers === null) {
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
  if (offers.length === 0) {
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
  const chosen = state.source?.kind === 'preset' ? state.source.id : null;
  return (
    <Stack gap={16}>
      <RadioCards
        label={say.choose}
        hideLabel
        value={chosen}
        onChange={(id) => dispatch({ type: 'presetChosen', id })}
        cards={offers.map((offer) => ({ value: offer.id, name: offer.title, content: <OfferText offer={offer} /> }))}
      />
      <Calculators of={presets.data?.find(({ id }) => id === chosen)} />
    </Stack>
  );
}

/** What can be worked out beforehand for the chosen question; the wizard is as it was when one comes back. */
function Calculators({ of }: { readonly of: Preset | undefined }) {
  const { helps } = words.calculate;
  return of === undefined || of.calculators.length === 0 ? null : (
    <Banner tone="accent" icon={<Calculator size={20} />}>
      {helps}
      <ul className={styles.calculators}>
        {of.calculators.map((id) => (
          <li key={id}>
            <a href={`#/calculate/${id}`}>{CALCULATOR_TITLES[id]}</a>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

/** Tests of a practice server take less than this: said where those of a real one take longer. */
const PRACTICE_MINUTES = 2;

/** How long the test of a preset takes. */
export function durationText({ takesMinutes, lab }: Pick<Offer, 'takesMinutes' | 'lab'>): string {
  const say = words.wizard.question;
  const takes = say.minutes(formatCount(Math.ceil(takesMinutes)));
  return lab && takesMinutes > PRACTICE_MINUTES ? `${takes}, ${say.practice(formatCount(PRACTICE_MINUTES))}` : takes;
}

function OfferText({ offer }: { readonly offer: Offer }) {
  const { title, story, needs, choices, origin } = offer;
  const say = words.wizard.question;
  return (
    <ChoiceText title={title} story={story}>
      <span className={styles.facts}>
        {needs.length > 0 ? (
          <span>
            <b>{say.needs}</b> {needs.join('; ')}
          </span>
        ) : null}
        <span>
          <b>{say.takes}</b> {durationText(offer)}
        </span>
        <span>
          {choices === null ? null : say.choices(formatCount(choices))}
          {choices !== null && origin ? ' · ' : null}
          {origin ? <i>{origin}</i> : null}
        </span>
      </span>
    </ChoiceText>
  );
}
