import { useState } from 'react';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { useCall } from '../app/backend.ts';
import { Heatmap } from '../charts/Heatmap.tsx';
import { LineLegend } from '../charts/LineLegend.tsx';
import { PercentilePlot } from '../charts/PercentilePlot.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';

const texts = words.results.spread;
const LOOKS = { response: SERIES.p50, service: SERIES.service } as const;

/** How times are spread, fetched when somebody looks: it takes all histograms of the run. */
export function SpreadPart({ runId }: { readonly runId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure level={2} title={texts.title} summary={texts.summary} isOpen={isOpen} onOpenChange={setOpen}>
      {isOpen ? <Spread runId={runId} /> : null}
    </Disclosure>
  );
}

function Spread({ runId }: { readonly runId: string }) {
  const { data, error, refetch } = useCall('runs.distribution', { runId }, { freshForMs: Infinity });
  if (error) return <ProblemBanner problem={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Skeleton waitingFor={texts.loading}>
        <Block height={260} />
        <Block height={200} />
      </Skeleton>
    );
  if (data.lines.length === 0) return <p className={styles.quiet}>{words.results.times.none}</p>;
  const lines = data.lines.map(({ kind, points }) => ({ name: words.results.times.kinds[kind].name, look: LOOKS[kind], points }));
  return (
    <div className={styles.figures}>
      <p className={styles.quiet}>{texts.plotStory}</p>
      {lines.length > 1 ? <LineLegend lines={lines} /> : null}
      <PercentilePlot title={texts.plot} lines={lines} />
      <p className={styles.quiet}>{texts.mapStory}</p>
      <Heatmap title={texts.map} about={texts.mapAbout} {...data.heatmap} say={texts.field} />
    </div>
  );
}
