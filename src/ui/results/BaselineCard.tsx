import { Flag } from 'lucide-react';
import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { differenceTable } from '#core/presentation/document/seriesTables.ts';
import { judgeStanding } from '#core/comparison/baseline.ts';
import type { CallOutput } from '#contract/api.ts';
import { formatCount } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import { toneOfStanding } from '#ui/shared/comparison.ts';
import { useNameBaseline, useRemoveBaseline } from '#ui/shared/runActions.ts';
import { Banner } from '../components/Banner.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Stack } from '../components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen } from '../words/words.ts';
import styles from './ResultPage.module.css';

const texts = laterWords.baseline;

interface BaselineCardProps {
  readonly runId: string;
  /** Whether the run is complete. Only complete runs can be a baseline. */
  readonly isWhole: boolean;
  /**
   * Position of the card: near the verdict if there is a baseline, else at the bottom of the page, where the run can be made the baseline.
   */
  readonly where: 'response' | 'foot';
}

/** Compares the run with the baseline of its question, and lets the user make the run the baseline. */
export function BaselineCard({ runId, isWhole, where }: BaselineCardProps) {
  const response = useCall('baselines.compare', { runId });
  const place = response.data?.baseline == null ? 'foot' : 'response';
  if (place !== where || (where === 'foot' && !isWhole)) return null;
  const isNone = response.data?.baseline === null;
  return (
    <Card title={texts.title} actions={isNone && isWhole ? <NameButton runId={runId} isInstead={false} /> : null}>
      {response.data ? <BaselineStanding runId={runId} isWhole={isWhole} response={response.data} /> : null}
      {response.error ? <ProblemBanner problem={response.error} onRetry={() => void response.refetch()} /> : null}
      {response.isPending ? (
        <Skeleton waitingFor={texts.loading}>
          <Block height={64} />
        </Skeleton>
      ) : null}
    </Card>
  );
}

interface StandingProps {
  readonly runId: string;
  readonly isWhole: boolean;
  readonly response: CallOutput<'baselines.compare'>;
}

function BaselineStanding({ runId, isWhole, response: { baseline, isPart, comparison } }: StandingProps) {
  return (
    <Stack gap={12}>
      {comparison === null ? (
        <p className={styles.quiet}>{textWithoutComparison(baseline, isPart)}</p>
      ) : (
        <BaselineComparison comparison={comparison} />
      )}
      {baseline !== null && baseline.runIds.length < MIN_RUNS_PER_SIDE ? <p className={styles.quiet}>{texts.few}</p> : null}
      {baseline === null ? null : (
        <p className={styles.quiet}>{texts.of(formatCount(baseline.runIds.length), formatWhen(baseline.setAt))}</p>
      )}
      {baseline === null ? null : (
        <div className={styles.acts}>
          {isWhole && !isPart ? <NameButton runId={runId} isInstead /> : null}
          <TakeBackButton runId={runId} />
        </div>
      )}
    </Stack>
  );
}

/** Conclusion, reasons and figures of the comparison. It has no link to the comparison page, because that page ignores baselines. */
function BaselineComparison({ comparison: { pairs, sides } }: { readonly comparison: Comparison }) {
  const isOneRun = sides[1]?.runs.length === 1;
  return pairs.map((pair) => (
    <Stack key={pair.side} gap={12}>
      <Banner tone={toneOfStanding(judgeStanding(pair))} title={laterWords.compare.conclusions[judgeStanding(pair)]}>
        {pair.sentence}
      </Banner>
      <ul className={styles.reasons}>
        {pair.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {pair.differences.length === 0 ? null : (
        <Disclosure title={texts.figures.title}>
          <Blocks
            blocks={differenceTable(
              texts.figures.caption,
              pair,
              texts.figures.baseline,
              isOneRun ? texts.figures.run : texts.figures.repeats,
            )}
          />
        </Disclosure>
      )}
    </Stack>
  ));
}

function textWithoutComparison(baseline: StandingProps['response']['baseline'], isPart: boolean): string {
  if (baseline === null) return texts.none;
  return isPart ? texts.isPart(formatCount(baseline.runIds.length)) : texts.isEarlier;
}

function NameButton({ runId, isInstead }: { readonly runId: string; readonly isInstead: boolean }) {
  const { isPending, name } = useNameBaseline();
  return (
    <Button icon={<Flag />} isPending={isPending} onPress={() => name([runId])}>
      {isInstead ? texts.replace : texts.name}
    </Button>
  );
}

/** Removes the baseline without confirmation, because the removal can be undone. */
function TakeBackButton({ runId }: { readonly runId: string }) {
  const { isPending, takeBack } = useRemoveBaseline();
  return (
    <Button look="quiet" isPending={isPending} onPress={() => takeBack(runId)}>
      {texts.takeBack}
    </Button>
  );
}
