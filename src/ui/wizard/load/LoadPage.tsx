import type { Plan } from '#core/plan/schema/plan.ts';
import { formatNumber, formatSeconds } from '#core/base/units.ts';
import { rarestToBeSeenSeconds } from '#core/judgement/verdict/notSeen.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { Explained } from '#ui/components/Term.tsx';
import { words } from '#ui/words/words.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { AnswerFields } from '../AnswerFields.tsx';
import { IssueList } from '../IssueList.tsx';
import { questionsToAsk } from '../state/answers.ts';
import { fromObjective } from '../state/entries.ts';
import { belongsTo } from '../state/readiness.ts';
import { fromLoad } from '../state/loadRows.ts';
import type { LoadEntry } from '../state/loadEntry.ts';
import type { MadePlan } from '../state/makePlan.ts';
import { entriesOf } from '../state/types.ts';
import { makerOf } from '../state/where.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { useWizard } from '../WizardProvider.tsx';
import { PlanSentences, withoutSteps } from '../PlanSentences.tsx';
import { LoadPreview } from './LoadPreview.tsx';
import { ObjectiveRows } from './ObjectiveRows.tsx';
import { FirstAnswers } from './FirstAnswers.tsx';
import { LoadCard } from './LoadCard.tsx';
import styles from './LoadPage.module.css';

interface CacheChoiceProps {
  /** What the plan says where nothing else was chosen. */
  readonly planned: boolean;
  /** Whether the program that makes the load reports headers of answers. */
  readonly canTell: boolean;
}

/** Whether it is counted which answers came from a cache. */
function CacheChoice({ planned, canTell }: CacheChoiceProps) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.cache;
  const counts = state.countsCache ?? planned;
  return (
    <Card>
      <Disclosure title={say.title} summary={counts ? say.counted : say.notCounted} isOpenAtFirst={counts}>
        <Stack gap={12}>
          <Checkbox isSelected={counts} onChange={(chosen) => dispatch({ type: 'cacheCountingChanged', counts: chosen })}>
            {say.count}
          </Checkbox>
          <p className={styles.muted}>{counts && !canTell ? say.notByK6 : say.story}</p>
        </Stack>
      </Disclosure>
    </Card>
  );
}

/** Left the questions in domain words, right what follows from them; below the same as rows, and what is good enough. */
export function LoadPage({ plan }: { readonly plan: PlanInProgress }) {
  const { state } = useWizard();
  const entries = entriesOf(state);
  const { made, preset, facts, problem } = plan;
  const base = made?.base ?? null;
  const say = words.wizard.load;
  const load = entries.load ?? (base && shownLoad(base));
  const objectives = entries.objectives ?? base?.objectives.map((objective, index) => fromObjective(objective, () => -1 - index)) ?? [];
  const issues = made?.issues ?? [];
  const unplaced = issues.filter((issue) => !belongsTo(issue, preset, load?.stages.length ?? 0, objectives.length));
  const asksMore = preset !== null && questionsToAsk(preset, entries.answers).some(({ first }) => !first);
  const isFirstTime = made === null && facts.isWorking;

  return (
    <Stack gap={24}>
      {problem ? <ProblemBanner problem={problem} onRetry={plan.retry} /> : null}
      {preset ? null : <Banner tone="accent">{say.fromPlan}</Banner>}
      <div className={asksMore ? styles.halves : undefined}>
        {asksMore ? (
          <Card title={say.answers}>
            <Stack gap={16}>
              <FirstAnswers preset={preset} answers={entries.answers} />
              <AnswerFields preset={preset} answers={entries.answers} issues={issues} first={false} />
            </Stack>
          </Card>
        ) : null}
        <Card title={say.preview}>
          {isFirstTime ? (
            <Skeleton waitingFor={say.working}>
              <Block height={220} />
              <Block height={48} />
            </Skeleton>
          ) : (
            <Preview made={made} isStale={facts.isWorking} isOwnLoad={entries.load !== null} />
          )}
        </Card>
      </div>
      {unplaced.length > 0 ? <IssueList issues={unplaced} /> : null}
      {base && load ? (
        <>
          <LoadCard
            load={load}
            isEdited={entries.load !== null}
            isFromPreset={preset !== null}
            isStale={facts.isWorking && entries.load === null && preset !== null}
            steps={base.journey.length}
            issues={issues}
          />
          <Card title={words.wizard.objectives.title}>
            <ObjectiveRows
              objectives={objectives}
              steps={base.journey.map(({ name }) => name)}
              issues={issues}
              isEdited={entries.objectives !== null}
              isStale={facts.isWorking && entries.objectives === null && preset !== null}
            />
          </Card>
          <CacheChoice planned={base.countsCache ?? false} canTell={makerOf(base) === 'holdfast'} />
        </>
      ) : null}
    </Stack>
  );
}

/** The plan's load as rows. Their ids are negative: rows that are added get positive ones. */
function shownLoad({ load }: Plan): LoadEntry {
  let id = 0;
  return fromLoad(load, () => --id);
}

interface PreviewProps {
  readonly made: MadePlan | null;
  readonly isStale: boolean;
  /** The load no longer follows from the answers: what was worked out of them is not about it. */
  readonly isOwnLoad: boolean;
}

function Preview({ made, isStale, isOwnLoad }: PreviewProps) {
  const say = words.wizard.load;
  if (!made?.description) return <p className={styles.muted}>{say.previewEmpty}</p>;
  const { description } = made;
  const rarest = made.base === null ? null : rarestToBeSeenSeconds(made.base);
  return (
    <Stack gap={12}>
      <LoadPreview profile={description.profile} label={withoutSteps(description).join(' ')} />
      <div aria-live="polite" aria-busy={isStale} className={styles.sentences}>
        {made.explanation && !isOwnLoad ? <p>{made.explanation}</p> : null}
        <PlanSentences description={description} steps={made.base?.journey.length ?? 0} />
        {rarest === null ? null : <p className={styles.muted}>{say.notSeen(formatSeconds(rarest))}</p>}
      </div>
      {made.derived.length > 0 && !isOwnLoad ? (
        <dl className={styles.derived} aria-label={say.derived}>
          {made.derived.map(({ id, label, value, unit, explanation }) => (
            <div key={id} className={styles.derivedRow}>
              <dt>{explanation ? <Explained explanation={explanation}>{label}</Explained> : label}</dt>
              <dd>
                {formatNumber(value)} {unit}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </Stack>
  );
}
