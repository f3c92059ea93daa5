import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { isSecureUrl } from '#core/plan/url.ts';
import { watchPageNames } from '#core/plan/watchPages.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { Description } from '#core/review/describe.ts';
import { formatMs, formatNumber, formatSeconds } from '#core/base/units.ts';
import { rarestToBeSeenSeconds } from '#core/judgement/verdict/notJudged.ts';
import { sizeOf } from '#core/work/load/stages.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { classes } from '#ui/components/classes.ts';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import { Explained } from '#ui/components/Term.tsx';
import { loadSizeText } from '#ui/run/loadSize.ts';
import { words } from '#ui/words/words.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { AnswerFields } from '../AnswerFields.tsx';
import { ChoiceField } from '../ChoiceField.tsx';
import { IssueList } from '../IssueList.tsx';
import { getAnswer, answerProblem, questionsToAsk } from '../state/answers.ts';
import { getChoice, isValidChoice } from '../state/choices.ts';
import { fromCriteria } from '../state/entries.ts';
import { answerPath, belongsTo, messageAt } from '../state/readiness.ts';
import { fromLoad } from '../state/loadEntry.ts';
import type { MadePlan } from '../state/makePlan.ts';
import { listEntries, type LoadEntries, type Source } from '../state/types.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { useWizard } from '../WizardProvider.tsx';
import { PlanSentences, openSentences } from '../PlanSentences.tsx';
import { LoadPreview } from './LoadPreview.tsx';
import { CriterionRows } from './CriterionRows.tsx';
import { LoadPart } from './LoadPart.tsx';
import { BellChoice } from './BellChoice.tsx';
import { VisitorChoice } from './VisitorChoice.tsx';
import styles from './LoadPage.module.css';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { pagePath } from '../StepRail.tsx';

/** Settings that are rarely changed: HTTP version, share of returning visitors, and whether cached responses are counted. */
function ResponseChoices({ plan }: { readonly plan: Plan }) {
  const { choices } = useWizard().state;
  const { protocol: say, resumption, cache } = words.wizard;
  const counts = getChoice('countsCache', choices, plan);
  const percent = getChoice('resumePercent', choices, plan);
  const isSecure = plan.targets.some(({ url }) => isSecureUrl(url));
  const summary = [
    say.names[getChoice('protocol', choices, plan)],
    ...(isSecure && typeof percent === 'number' ? [resumption.summary(formatNumber(percent))] : []),
    counts ? cache.counted : cache.notCounted,
  ];
  return (
    <Disclosure level={2} title={say.title} summary={summary.join(', ')}>
      <Stack gap={12}>
        <div className={styles.choice}>
          <ChoiceField name="protocol" plan={plan} />
        </div>
        {isSecure ? <ChoiceField name="resumePercent" plan={plan} /> : null}
        <ChoiceField name="countsCache" plan={plan} />
        <p className="muted">{counts && getChoice('program', choices, plan) === 'k6' ? cache.notByK6 : cache.story}</p>
      </Stack>
    </Disclosure>
  );
}

/** Rules that end the run before its time: the share of failed requests, and the response time. */
function StopChoices({ plan }: { readonly plan: Plan }) {
  const { choices } = useWizard().state;
  const { stop } = words.wizard;
  const percent = getChoice('stopAtErrorPercent', choices, plan);
  const maxMs = getChoice('stopAtMs', choices, plan);
  const rules = [
    ...(typeof percent === 'number' ? [stop.atErrors(formatNumber(percent))] : []),
    ...(typeof maxMs === 'number' ? [stop.atTime(formatMs(maxMs))] : []),
  ];
  const isWrong = !isValidChoice('stopAtErrorPercent', choices) || !isValidChoice('stopAtMs', choices);
  return (
    <Disclosure level={2} title={stop.title} summary={rules.length === 0 ? stop.none : rules.join(', ')} isHeldOpen={isWrong}>
      <Stack gap={12}>
        <ChoiceField name="stopAtErrorPercent" plan={plan} />
        <ChoiceField name="stopAtMs" plan={plan} />
      </Stack>
    </Disclosure>
  );
}

/** Load page: questions on the left, the resulting load on the right. Stages and pass criteria are in collapsible sections below. */
export function LoadPage({ plan }: { readonly plan: PlanInProgress }) {
  const { state } = useWizard();
  const { source } = state;
  const entries = listEntries(state);
  const { made, preset, facts, problem } = plan;
  const base = made?.base ?? null;
  const loadWords = words.wizard.load;
  const load = entries.load ?? (base && fromLoad(base.load));
  const criteria = entries.criteria ?? fromCriteria(base?.criteria ?? []);
  const issues = made?.issues ?? [];
  const unplaced = issues.filter((issue) => !belongsTo(issue, preset, load?.stages.length ?? 0, criteria.length));
  const asksMore = preset !== null && questionsToAsk(preset, entries.answers).some(({ first }) => !first);
  const hasProblem = (path: string): boolean => messageAt(issues, path) !== null;
  const isFirstTime = made === null && facts.isWorking;

  return (
    <Stack gap={24}>
      {problem ? <ProblemBanner problem={problem} onRetry={plan.retry} /> : null}
      {source?.kind === 'plan' ? <Banner tone="accent">{originOf(source)}</Banner> : null}
      <div className={asksMore ? styles.halves : undefined}>
        {asksMore ? <SituationQuestions preset={preset} answers={entries.answers} issues={issues} /> : null}
        <Card title={loadWords.preview}>
          {isFirstTime ? (
            <Skeleton waitingFor={loadWords.working} heights={[220, 48]} />
          ) : (
            <Preview
              made={made}
              isWorking={facts.isWorking}
              isStale={!facts.hasPlan && !facts.isWorking}
              isOwnLoad={entries.load !== null}
            />
          )}
        </Card>
      </div>
      {unplaced.length > 0 ? <IssueList issues={unplaced} /> : null}
      {base && load ? (
        <Card>
          <LoadPart
            load={load}
            isEdited={entries.load !== null}
            isFromPreset={preset !== null}
            isStale={facts.isWorking && entries.load === null && preset !== null}
            steps={base.journey.length}
            hasProblem={hasProblem('load')}
            issues={issues}
          />
          <Disclosure
            level={2}
            title={words.wizard.criteria.title}
            summary={words.wizard.criteria.count(criteria.length)}
            // If there is no preset, Holdfast itself proposed the criteria, so they must be visible.
            isOpenAtFirst={entries.criteria !== null || preset === null}
            isHeldOpen={hasProblem('criteria')}
          >
            <CriterionRows
              criteria={criteria}
              steps={base.journey.map(({ name }) => name)}
              pages={watchPageNames(base)}
              issues={issues}
              isEdited={entries.criteria !== null}
              isStale={facts.isWorking && entries.criteria === null && preset !== null}
            />
          </Disclosure>
          {preset === null ? <BellChoice plan={base} load={load} /> : null}
          <VisitorChoice plan={base} criteria={criteria} />
          <ResponseChoices plan={base} />
          <StopChoices plan={base} />
        </Card>
      ) : null}
    </Stack>
  );
}

interface SituationProps {
  readonly preset: Preset;
  readonly answers: LoadEntries['answers'];
  readonly issues: readonly Issue[];
}

/** Questions about the server and its users. Questions that are rarely needed are collapsed. */
function SituationQuestions({ preset, answers, issues }: SituationProps) {
  const loadWords = words.wizard.load;
  const questions = questionsToAsk(preset, answers).filter(({ first }) => !first);
  const main = questions.filter((question) => question.main);
  const others = main.length === 0 ? [] : questions.filter((question) => !question.main);
  const isWrong = others.some(
    (question) => (answerProblem(question, getAnswer(question, answers)) ?? messageAt(issues, answerPath(question.id))) !== null,
  );
  return (
    <Card title={loadWords.answers}>
      <Stack gap={16}>
        <EarlierAnswers preset={preset} answers={answers} />
        <AnswerFields preset={preset} answers={answers} questions={main.length === 0 ? questions : main} issues={issues} />
        {others.length === 0 ? null : (
          <Disclosure title={loadWords.advanced} summary={loadWords.more(others.length)} isHeldOpen={isWrong}>
            <Stack gap={16}>
              <AnswerFields preset={preset} answers={answers} questions={others} issues={issues} />
            </Stack>
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

const FIGURES: readonly DataColumn<MadePlan['derived'][number]>[] = [
  {
    name: 'name',
    isHead: true,
    cell: ({ label, explanation }) => (explanation ? <Explained explanation={explanation}>{label}</Explained> : label),
  },
  { name: 'value', numeric: true, cell: ({ value, unit }) => `${formatNumber(value)} ${unit}` },
];

interface PreviewProps {
  readonly made: MadePlan | null;
  readonly isWorking: boolean;
  /** Whether the plan is based on earlier entries, because a current entry is invalid. */
  readonly isStale: boolean;
  /** Whether the load was edited by hand. Explanations of the calculated load do not apply then. */
  readonly isOwnLoad: boolean;
}

function Preview({ made, isWorking, isStale, isOwnLoad }: PreviewProps) {
  const loadWords = words.wizard.load;
  if (!made?.description) return <p className="muted">{loadWords.previewEmpty}</p>;
  const { description } = made;
  const rarest = made.plan === null ? null : rarestToBeSeenSeconds(made.plan);
  return (
    <div className={classes(styles.preview, isStale && styles.stale)}>
      {isStale ? <p className={styles.old}>{loadWords.old}</p> : null}
      {isLevel(description.profile) ? null : (
        <LoadPreview
          profile={description.profile}
          bells={Object.entries(made.plan?.bells ?? {}).map(([name, { atSeconds }]) => ({ name, atSeconds }))}
          label={openSentences(description).join(' ')}
        />
      )}
      <div aria-live="polite" aria-busy={isWorking} className={styles.sentences}>
        {made.explanation && !isOwnLoad ? <p>{made.explanation}</p> : null}
        <PlanSentences description={description} steps={made.base?.journey.length ?? 0} />
        {rarest === null ? null : <p className="muted">{loadWords.notSeen(formatSeconds(rarest))}</p>}
      </div>
      {made.derived.length > 0 && !isOwnLoad ? (
        <Disclosure title={loadWords.derived} summary={loadWords.figures(made.derived.length)}>
          <DataTable caption={loadWords.derived} hidesHead columns={FIGURES} rows={made.derived} keyOf={({ id }) => id} />
        </Disclosure>
      ) : null}
    </div>
  );
}

/** Returns a sentence about the origin of a plan's load. */
function originOf({ plan, isLoadProposed }: Extract<Source, { kind: 'plan' }>): string {
  const load = loadSizeText(sizeOf(plan.load));
  return (isLoadProposed ? words.wizard.load.proposed : words.wizard.load.fromPlan)(load);
}

/** Returns whether the load is constant. Its chart would be a rectangle, so no chart is shown. */
function isLevel(profile: Description['profile']): boolean {
  return profile.every(({ level, toLevel }) => level === toLevel && level === profile[0]?.level);
}

/** Values that were chosen together with the question. They define what the numbers below mean. */
export function EarlierAnswers({ preset, answers }: { readonly preset: Preset; readonly answers: Readonly<Record<string, NumberEntry>> }) {
  const loadWords = words.wizard.load;
  const chosen = questionsToAsk(preset, answers).flatMap((question) => {
    if (!question.first || question.kind !== 'choice') return [];
    const answer = getAnswer(question, answers);
    const option = question.options.find(({ value }) => value === answer);
    return option ? [[question.label, option.label] as const] : [];
  });
  if (chosen.length === 0) return null;
  return (
    <div className={styles.box}>
      <Facts facts={chosen} />
      <a href={`#${pagePath('question')}`}>{loadWords.changeFirst}</a>
    </div>
  );
}
