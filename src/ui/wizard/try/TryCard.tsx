import { useState } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { useAction } from '#ui/app/backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { SampleList } from '#ui/run/samples/SampleList.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { openWords } from '../state/readiness.ts';

const texts = words.samples;

/** Walks the journey once and shows every request with its answer, before a load repeats it a thousand times. */
export function TryCard({ plan, agreement: { keys: agreed, missing } }: { readonly plan: Plan; readonly agreement: Agreement }) {
  const attempt = useAction('plans.try');
  const [tried, setTried] = useState<Plan | null>(null);
  const { data: report } = attempt;
  const start = (): void => {
    setTried(plan);
    attempt.mutate({ plan, agreed });
  };
  const isOutdated = report !== undefined && tried !== null && wayOf(tried) !== wayOf(plan);
  return (
    <Card
      title={texts.try}
      actions={
        <Button onPress={start} isPending={attempt.isPending} isDisabled={missing.length > 0}>
          {report === undefined ? texts.try : texts.tryAgain}
        </Button>
      }
    >
      <Stack gap={12}>
        <p>{texts.tryStory}</p>
        {missing.length === 0 ? null : <p>{openWords(missing)}</p>}
        {attempt.isPending ? (
          <Skeleton waitingFor={texts.trying}>
            <Block height={48} />
          </Skeleton>
        ) : null}
        {attempt.error ? <ProblemBanner problem={attempt.error} onRetry={start} /> : null}
        {isOutdated ? <Banner tone="accent">{texts.changed}</Banner> : null}
        {report !== undefined && !attempt.isPending ? <Report report={report} /> : null}
      </Stack>
    </Card>
  );
}

/** What a try follows from, to be compared. */
function wayOf({ journey, flow }: Plan): string {
  return JSON.stringify({ journey, flow });
}

function Report({ report: { samples, isGood, notReached, problem } }: { readonly report: TryReport }) {
  return (
    <>
      <p aria-live="polite">
        <strong>{isGood ? texts.good : texts.bad}</strong>
        {notReached.length === 0 ? null : ` ${texts.notReached(notReached.map((name) => `“${name}”`).join(', '))}`}
      </p>
      {problem ? <ProblemBanner problem={problem} /> : null}
      {samples.length === 0 ? null : <SampleList samples={samples} />}
    </>
  );
}
