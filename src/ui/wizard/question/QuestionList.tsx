import { Calculator, CircleQuestionMark, Crosshair, Footprints, GitCompareArrows, Search, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { CALCULATOR_TITLES } from '#core/calculators/calculator.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Preset } from '#core/presets/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { notify } from '#ui/shared/notices.tsx';
import { type Offer, getOffer, useOffers } from '#ui/shared/offers.ts';
import { registerLazy } from '#ui/shared/later.ts';
import { Button } from '#ui/components/Button.tsx';
import { classes } from '#ui/components/classes.ts';
import { EmptyState, Skeleton } from '#ui/components/Placeholders.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { questionsToAsk } from '../state/answers.ts';
import { listEntries } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './QuestionList.module.css';

const questionWords = words.wizard.question;

interface DirectEntry {
  readonly to: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly story: string;
  readonly takes: string;
}

/** Entries for which an address is enough: a recording, and searches with several runs. */
const DIRECT_ENTRIES: readonly DirectEntry[] = [
  { to: '/record', icon: <Footprints />, title: words.recording.title, ...questionWords.doors.record },
  { to: '/versions', icon: <GitCompareArrows />, title: words.series.versions.title, ...questionWords.doors.versions },
  { to: '/breaking-point', icon: <Crosshair />, title: words.searches.breakingPoint.title, ...questionWords.doors.breakingPoint },
  { to: '/server', icon: <Search />, title: words.searches.server.title, ...questionWords.doors.server },
];

// Loaded on demand, because only some presets ask questions before the address.
const AnswerFields = lazy(registerLazy(async () => ({ default: (await import('../AnswerFields.tsx')).AnswerFields })));

interface QuestionListProps {
  /** The chosen preset once its questions have been loaded; null before that. */
  readonly preset: Preset | null;
  readonly issues: readonly Issue[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

/** List of questions, each with its title, the first sentence and the duration of its test. The chosen row is expanded. */
export function QuestionList({ preset, issues, chosen, onChoose }: QuestionListProps) {
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const added = useCall('presets.added', {}, { freshForMs: Infinity }).data ?? [];
  const brought = useOffers();
  if (presets.error) return <ProblemBanner problem={presets.error} onRetry={() => void presets.refetch()} />;
  const offers = presets.data?.map(getOffer) ?? brought;
  if (offers === null) return <Skeleton waitingFor={questionWords.loading} heights={[440]} />;
  if (offers.length === 0)
    return (
      <EmptyState
        icon={<CircleQuestionMark size={32} />}
        title={questionWords.empty.title}
        action={<Button onPress={() => void presets.refetch()}>{questionWords.empty.action}</Button>}
      >
        {questionWords.empty.text}
      </EmptyState>
    );
  return (
    <div className={styles.list}>
      <fieldset className={styles.group}>
        <legend className="only-read-out">{questionWords.choose}</legend>
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} isAdded={added.includes(offer.id)} isChosen={offer.id === chosen} onChoose={onChoose}>
            {preset?.id === offer.id ? <FirstQuestions preset={preset} issues={issues} /> : null}
          </OfferRow>
        ))}
      </fieldset>
      <nav aria-label={questionWords.doors.title}>
        <ul className={styles.group}>
          {DIRECT_ENTRIES.map((door) => (
            <DirectEntryRow key={door.to} door={door} />
          ))}
        </ul>
      </nav>
    </div>
  );
}

interface OfferRowProps {
  readonly offer: Offer;
  /** Whether a person has added the preset. */
  readonly isAdded: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
  /** Questions that are asked before the address. */
  readonly children: ReactNode;
}

function OfferRow({ offer, isAdded, isChosen, onChoose, children }: OfferRowProps) {
  const { id, title, story, needs, origin, takesMinutes } = offer;
  const described = useId();
  const [line, rest] = splitStory(story);
  return (
    <div className={classes(styles.row, isChosen && styles.chosen)}>
      <label className={styles.head}>
        <input
          type="radio"
          name="question"
          className={styles.dot}
          aria-label={title}
          aria-describedby={described}
          checked={isChosen}
          onChange={() => onChoose(id)}
        />
        <span className={styles.title}>{title}</span>
        <span id={described} className={styles.facts}>
          <span className={styles.line}>
            {isAdded ? <span className={styles.added}>{questionWords.preset.mark}</span> : null} {line}
          </span>{' '}
          <span className={styles.takes}>{questionWords.minutes(minutesText(takesMinutes))}</span>
        </span>
      </label>
      {isChosen ? (
        <div className={styles.detail}>
          <Stack gap={12}>
            {rest === '' ? null : <p className={styles.story}>{rest}</p>}
            {children}
            <p className={styles.small}>
              {needs.length > 0 ? (
                <>
                  <b>{questionWords.needs}</b> {needs.join('; ')}.{' '}
                </>
              ) : null}
              {isShorterInPractice(offer) ? `${questionWords.practice(formatCount(PRACTICE_MINUTES))} ` : null}
              {origin === '' ? null : <i>{isAdded ? `${questionWords.preset.author} ${origin}.` : questionWords.origin(origin)}</i>}
            </p>
            {isAdded ? <RemoveOffer offer={offer} /> : null}
          </Stack>
        </div>
      ) : null}
    </div>
  );
}

/** Button that removes an added preset. The user can undo this. */
function RemoveOffer({ offer: { id, title } }: { readonly offer: Offer }) {
  const { dispatch } = useWizard();
  const changes = ['presets.list', 'presets.added'] as const;
  const remove = useAction('presets.remove', changes);
  const add = useAction('presets.add', changes);
  const press = (): void =>
    remove.mutate(
      { id },
      {
        onSuccess: ({ source }) => {
          dispatch({ type: 'startedOver' });
          notify(questionWords.preset.removed(title), { label: words.app.undo, act: () => add.mutate({ source }) });
        },
      },
    );
  return (
    <div>
      {remove.error ? <ProblemBanner problem={remove.error} /> : null}
      <Button size="small" look="quiet" icon={<Trash2 />} isPending={remove.isPending} onPress={press}>
        {questionWords.preset.remove}
      </Button>
    </div>
  );
}

/** Questions that are asked before the address, and calculations that need no server. */
function FirstQuestions({ preset, issues }: { readonly preset: Preset; readonly issues: readonly Issue[] }) {
  const { answers } = listEntries(useWizard().state);
  const questions = questionsToAsk(preset, answers).filter(({ first }) => first);
  return (
    <>
      {questions.length === 0 ? null : (
        <Suspense fallback={<Skeleton waitingFor={questionWords.loading} heights={[48]} />}>
          <AnswerFields preset={preset} answers={answers} questions={questions} issues={issues} />
        </Suspense>
      )}
      {preset.calculators.length === 0 ? null : (
        <p className={styles.calculators}>
          <Calculator size={16} aria-hidden="true" />
          <span>{words.calculate.helps}</span>
          {preset.calculators.map((id) => (
            <a key={id} href={`#/calculate/${id}`}>
              {CALCULATOR_TITLES[id]}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

/** Row that as a whole is a link. Only the title is its accessible name. */
function DirectEntryRow({ door: { to, icon, title, story, takes } }: { readonly door: DirectEntry }) {
  const described = useId();
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <a href={`#${to}`} className={styles.link} aria-describedby={described}>
          {title}
        </a>
        <span id={described} className={styles.facts}>
          <span className={styles.line}>{story}</span> <span className={styles.takes}>{takes}</span>
        </span>
      </div>
    </li>
  );
}

/** Splits a story into its first sentence, which the list shows, and the rest, which the expanded row shows. */
export function splitStory(story: string): readonly [string, string] {
  const [line = story] = /^.*?[.?](?=\s|$)/s.exec(story) ?? [];
  return [line.trim(), story.slice(line.length).trim()];
}

/** Maximum duration, in minutes, of a test with a practice server. It is shown if tests of real servers take longer. */
const PRACTICE_MINUTES = 2;

function isShorterInPractice({ takesMinutes, lab }: Pick<Offer, 'takesMinutes' | 'lab'>): boolean {
  return lab !== undefined && takesMinutes > PRACTICE_MINUTES;
}

const minutesText = (takesMinutes: number): string => formatCount(Math.ceil(takesMinutes));
