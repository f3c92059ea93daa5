import { formatNumber } from '#core/units.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { Explained } from '#ui/components/Term.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import { fromObjective, fromStage } from '../state/entries.ts';
import { belongsTo } from '../state/issues.ts';
import type { MadePlan } from '../state/makePlan.ts';
import { entriesOf } from '../state/types.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { useWizard } from '../WizardContext.ts';
import { AnswerFields } from './AnswerFields.tsx';
import styles from './LoadPage.module.css';
import { LoadPreview } from './LoadPreview.tsx';
import { ObjectiveRows } from './ObjectiveRows.tsx';
import { StageTable } from './StageTable.tsx';

/** Left the questions in domain words, right what follows from them; below the same as a table, and what is good enough. */
export function LoadPage({ plan }: { readonly plan: PlanInProgress }) {
  const { state, dispatch } = useWizard();
  const entries = entriesOf(state);
  const { made, preset, facts, problem } = plan;
  const base = made?.base ?? null;
  const say = words.wizard.load;
  const stages =
    entries.stages ??
    (base?.load.model === 'connections' ? base.load.stages.map((stage, index) => fromStage(stage, () => -1 - index)) : []);
  const objectives = entries.objectives ?? base?.objectives.map((objective, index) => fromObjective(objective, () => -1 - index)) ?? [];
  const issues = made?.issues ?? [];
  const unplaced = issues.filter((issue) => !belongsTo(issue, preset, stages.length, objectives.length));
  const isFirstTime = made === null && facts.isWorking;

  return (
    <Stack gap={24}>
      {problem ? <ProblemBanner problem={problem} onRetry={plan.retry} /> : null}
      {preset ? null : <Banner tone="accent">{say.fromPlan}</Banner>}
      <div className={preset ? styles.halves : undefined}>
        {preset ? (
          <Card title={say.answers}>
            <Stack gap={16}>
              <AnswerFields preset={preset} answers={entries.answers} issues={issues} />
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
            <Preview made={made} isStale={facts.isWorking} />
          )}
        </Card>
      </div>
      {unplaced.length > 0 ? <IssueList issues={unplaced} /> : null}
      {base ? (
        <>
          <Card title={say.stages}>
            <Stack gap={12}>
              {entries.stages !== null ? (
                <Banner
                  tone="accent"
                  actions={<Button onPress={() => dispatch({ type: 'stagesEdited', stages: null })}>{say.editedReset}</Button>}
                >
                  {say.editedStages}
                </Banner>
              ) : null}
              <StageTable stages={stages} issues={issues} isStale={facts.isWorking && entries.stages === null && preset !== null} />
            </Stack>
          </Card>
          <Card title={words.wizard.objectives.title}>
            <ObjectiveRows
              objectives={objectives}
              steps={base.journey.map(({ name }) => name)}
              issues={issues}
              isEdited={entries.objectives !== null}
              isStale={facts.isWorking && entries.objectives === null && preset !== null}
            />
          </Card>
        </>
      ) : null}
    </Stack>
  );
}

function Preview({ made, isStale }: { readonly made: MadePlan | null; readonly isStale: boolean }) {
  const say = words.wizard.load;
  if (!made?.description) return <p className={styles.muted}>{say.previewEmpty}</p>;
  const { sentences, profile } = made.description;
  return (
    <Stack gap={12}>
      <LoadPreview profile={profile} label={sentences.join(' ')} />
      <div aria-live="polite" aria-busy={isStale} className={styles.sentences}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {made.explanation ? <p className={styles.muted}>{made.explanation}</p> : null}
      </div>
      {made.derived.length > 0 ? (
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
