import { useCall } from '#ui/shared/backend.ts';
import { sidesOfAddress } from '#ui/shared/comparison.ts';
import { Page } from '../components/Page.tsx';
import { ProblemPage } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { VersionsForm } from './VersionsForm.tsx';
import { versionsOfRuns } from './versionsOfRuns.ts';

const texts = words.series.versions;

/** Page that compares two versions of a server, given by their addresses or by two runs whose ids are in the page's address. */
export function VersionsPage({ runs }: { readonly runs: string }) {
  const [a, b] = sidesOfAddress(runs).flatMap(([first]) => first ?? []);
  return a === undefined || b === undefined ? (
    <Page title={texts.title} story={texts.story}>
      <VersionsForm of={null} />
    </Page>
  ) : (
    <VersionsOfTwoRuns a={a} b={b} />
  );
}

function VersionsOfTwoRuns({ a, b }: { readonly a: string; readonly b: string }) {
  const first = useCall('runs.result', { runId: a, maxPoints: 10 });
  const second = useCall('runs.result', { runId: b, maxPoints: 10 });
  const error = first.error ?? second.error;
  if (error) return <ProblemPage title={texts.title} problem={error} />;
  return (
    <Page title={texts.title} story={texts.story}>
      {first.data && second.data ? (
        <VersionsForm of={versionsOfRuns(first.data, second.data)} />
      ) : (
        <Skeleton waitingFor={laterWords.compare.loading}>
          <Block height={240} />
        </Skeleton>
      )}
    </Page>
  );
}
