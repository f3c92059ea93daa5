import { formatCount } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { SampleList } from '../run/samples/SampleList.tsx';
import { words } from '../words/words.ts';

const texts = words.samples;

/** The first failures of each kind, each with request and response. Renders nothing if no samples were saved. */
export function KeptSamples({ runId }: { readonly runId: string }) {
  const keptQuery = useCall('runs.samples', { runId });
  if (keptQuery.error) return <ProblemBanner problem={keptQuery.error} onRetry={() => void keptQuery.refetch()} />;
  if (!keptQuery.data || keptQuery.data.length === 0) return null;
  return (
    <Disclosure level={2} title={texts.kept} summary={texts.keptSummary(formatCount(keptQuery.data.length))}>
      <SampleList samples={keptQuery.data} />
    </Disclosure>
  );
}
