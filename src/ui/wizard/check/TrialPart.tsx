import type { ReactNode } from 'react';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/Marks.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { SampleList } from '#ui/run/samples/SampleList.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';
import type { Trial } from './useTrial.ts';

const texts = words.samples;

interface TrialPartProps {
  readonly trial: Trial;
  /** Further findings about the server. */
  readonly children?: ReactNode;
}

/** Shows every request of the trial with its response. */
export function TrialPart({ trial: { state, report, problem, again }, children }: TrialPartProps) {
  if (state === 'none') return null;
  return (
    <section aria-label={texts.trial}>
      <Stack gap={12}>
        <div className={styles.partHead}>
          <h3>{texts.trial}</h3>
          <Button size="small" onPress={again} isPending={state === 'going'}>
            {texts.again}
          </Button>
        </div>
        {state === 'going' ? (
          <Skeleton waitingFor={texts.trying}>
            <Block height={48} />
          </Skeleton>
        ) : null}
        {problem && state === 'bad' ? <ProblemBanner problem={problem} /> : null}
        {report !== null && state !== 'going' ? <Report report={report} /> : null}
        {children}
      </Stack>
    </section>
  );
}

function Report({ report: { samples, isGood, notReached, problem } }: { readonly report: TryReport }) {
  return (
    <>
      {notReached.length === 0 ? null : (
        <p>
          <LevelMark level="problem" /> {texts.notReached(notReached.map((name) => `“${name}”`).join(', '))}
        </p>
      )}
      {problem ? <ProblemBanner problem={problem} /> : null}
      {samples.length === 0 ? null : (
        <Disclosure title={texts.requests} level={4} isOpenAtFirst={!isGood}>
          <SampleList samples={samples} />
        </Disclosure>
      )}
    </>
  );
}
