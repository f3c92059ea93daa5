import { useState } from 'react';
import { SERIES } from '#core/presentation/charts/looks.ts';
import type { Finding } from '#core/result/schema.ts';
import { useCall } from '#ui/shared/backend.ts';
import { Heatmap } from '../charts/Heatmap.tsx';
import { PercentilePlot } from '../charts/PercentilePlot.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { words } from '../words/words.ts';
import { type Choice, Select } from '#ui/components/Choices.tsx';
import styles from './ResultPage.module.css';

const texts = words.results.spread;
const LOOKS = { response: SERIES.p50, service: SERIES.service } as const;

/** Latency distribution. It is fetched only when it is opened, because it needs all histograms of the run. */
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
  const lines = data.lines.map(({ kind, points }) => ({ name: words.results.times.kinds[kind], look: LOOKS[kind], points }));
  return (
    <div className={styles.figures}>
      <p className={styles.quiet}>{texts.plotStory}</p>
      <PercentilePlot title={texts.plot} lines={lines} />
      <p className={styles.quiet}>{texts.mapStory}</p>
      <Heatmap title={texts.map} about={texts.mapAbout} {...data.heatmap} describeCell={texts.field} />
    </div>
  );
}

const rangeSelectTexts = words.results.findings;
const NONE = 'none';
/** Maximum length of a sentence in the list. The full sentence is shown among the findings. */
const MAX_LABEL_LENGTH = 60;

interface RangeSelectProps {
  readonly findings: readonly Finding[];
  /** Index of the shaded finding. */
  readonly chosen: number | null;
  readonly onChoose: (index: number | null) => void;
}

/** Field that selects the finding to shade in the charts. */
export function RangeSelect({ findings, chosen, onChoose }: RangeSelectProps) {
  const choices = findings.flatMap(({ sentence, range }, index): Choice<string>[] =>
    range === null ? [] : [{ value: String(index), label: rangeSelectTexts.numbered(index + 1, clipLabel(sentence)) }],
  );
  if (choices.length === 0) return null;
  return (
    <Select
      isBeside
      label={rangeSelectTexts.shade}
      value={chosen === null ? NONE : String(chosen)}
      choices={[{ value: NONE, label: rangeSelectTexts.shadeNone }, ...choices]}
      onChange={(value) => onChoose(value === NONE ? null : Number(value))}
    />
  );
}

function clipLabel(sentence: string): string {
  return sentence.length > MAX_LABEL_LENGTH ? `${sentence.slice(0, MAX_LABEL_LENGTH - 1)}…` : sentence;
}
