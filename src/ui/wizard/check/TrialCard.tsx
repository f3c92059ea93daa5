import type { ReactNode } from 'react';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/LevelMark.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { SampleList } from '#ui/run/samples/SampleList.tsx';
import { words } from '#ui/words/words.ts';
import type { Trial } from './useTrial.ts';

const texts = words.samples;

interface TrialCardProps {
  readonly trial: Trial;
  /** What else was found out about the server. */
  readonly children?: ReactNode;
}

/** Shows every request of the trial with its answer. */
export function TrialCard({ trial: { state, report, problem, again }, children }: TrialCardProps) {
  if (state === 'none') return null;
  return (
    <Card
      title={texts.trial}
      actions={
        <Button onPress={again} isPending={state === 'going'}>
          {texts.again}
        </Button>
      }
    >
      <Stack gap={12}>
        {state === 'going' ? (
          <Skeleton waitingFor={texts.trying}>
            <Block height={48} />
          </Skeleton>
        ) : null}
        {problem && state === 'bad' ? <ProblemBanner problem={problem} /> : null}
        {report !== null && state !== 'going' ? <Report report={report} /> : null}
        {children}
      </Stack>
    </Card>
  );
}

function Report({ report: { samples, isGood, notReached, problem } }: { readonly report: TryReport }) {
  return (
    <>
      <p aria-live="polite">
        <LevelMark level={isGood ? 'ok' : 'problem'} /> <strong>{isGood ? texts.good : texts.bad}</strong>
        {notReached.length === 0 ? null : ` ${texts.notReached(notReached.map((name) => `“${name}”`).join(', '))}`}
      </p>
      {problem ? <ProblemBanner problem={problem} /> : null}
      {samples.length === 0 ? null : (
        <Disclosure title={texts.requests} isOpenAtFirst={!isGood}>
          <SampleList samples={samples} />
        </Disclosure>
      )}
    </>
  );
}
