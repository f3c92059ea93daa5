import { capitalized } from '#core/base/text.ts';
import { navigate } from 'wouter/use-hash-location';
import { MAX_SIDES } from '#contract/api.ts';
import { type Aspect, ASPECTS, aspectSchema, type Comparison } from '#core/comparison/schema.ts';
import { ASPECT_WORDS, comparisonTitle } from '#core/comparison/words.ts';
import { useCall } from '#ui/shared/backend.ts';
import { compareAddress, type Sides, sidesOfAddress } from '#ui/shared/comparison.ts';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { ProblemPage } from '#ui/components/Banner.tsx';
import { type Choice, Select } from '#ui/components/Choices.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { words } from '../words/words.ts';
import { AddRun } from './AddRun.tsx';
import { Answers } from './Answers.tsx';
import { CompareCharts } from './CompareCharts.tsx';
import { DifferenceTables } from './DifferenceTables.tsx';
import { Dissimilarities } from './Dissimilarities.tsx';
import { MakeEnough } from './MakeEnough.tsx';
import { SidesTable } from './SidesTable.tsx';
import styles from './ComparePage.module.css';

const texts = words.compare;
const NO_ASPECT = 'none';
const ASKED: readonly Choice<string>[] = [
  { value: NO_ASPECT, label: texts.asked.none },
  ...ASPECTS.map((value) => ({ value, label: capitalized(ASPECT_WORDS[value]) })),
];

/** Comparison of runs. The address contains the run ids, so that a comparison can be bookmarked, sent and reloaded. */
export function ComparePage({ sides: text, asked: askedText }: { readonly sides: string; readonly asked: string | null }) {
  const sides = sidesOfAddress(text).slice(0, MAX_SIDES);
  const asked = aspectSchema.safeParse(askedText).data ?? null;
  const go = (next: Sides, nextAsked: Aspect | null = asked): void => navigate(compareAddress(next, nextAsked));
  if (sides.length < 2) {
    return (
      <Page title={texts.page} story={sides.length === 0 ? texts.noSides : texts.tooFewSides}>
        <AddRun sides={sides} onAdd={(runId) => go([...sides, [runId]])} />
      </Page>
    );
  }
  return <Compared sides={sides} asked={asked} onChange={go} />;
}

interface ComparedProps {
  readonly sides: Sides;
  readonly asked: Aspect | null;
  readonly onChange: (sides: Sides, asked?: Aspect | null) => void;
}

function Compared({ sides, asked, onChange }: ComparedProps) {
  const input = { sides: sides.map((runIds) => ({ runIds: [...runIds] })), asked };
  const { data, error, refetch } = useCall('comparisons.make', input, { keepPrevious: true });
  if (error) return <ProblemPage title={texts.page} problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Page title={texts.page}>
        <Skeleton waitingFor={texts.loading}>
          <Block height={96} />
          <Block height={200} />
          <Block height={280} />
        </Skeleton>
      </Page>
    );
  }
  return (
    <Page title={texts.page} windowTitle={comparisonTitle(data)} story={texts.story}>
      <Stack gap={24}>
        <Card title={texts.answer} actions={<AskedSelect asked={asked} onChange={(next) => onChange(sides, next)} />}>
          <Answers comparison={data} />
        </Card>
        <MakeEnough comparison={data} />
        <Figures comparison={data} />
        <Card title={texts.runs.title} flush>
          <p className={styles.lead}>{texts.runs.story}</p>
          <SidesTable comparison={data} sides={sides} onChange={onChange} />
        </Card>
        <AddRun sides={sides} onAdd={(runId) => onChange(withRun(sides, runId))} />
      </Stack>
    </Page>
  );
}

/** Measurements and their possible causes. */
function Figures({ comparison }: { readonly comparison: Comparison }) {
  return (
    <>
      <DifferenceTables comparison={comparison} />
      <Card title={texts.dissimilar.title} flush={comparison.dissimilar.length > 0}>
        <Dissimilarities comparison={comparison} />
      </Card>
      <Card title={texts.charts.title}>
        <CompareCharts comparison={comparison} />
      </Card>
    </>
  );
}

function AskedSelect({ asked, onChange }: { readonly asked: Aspect | null; readonly onChange: (asked: Aspect | null) => void }) {
  return (
    <Select
      isBeside
      label={texts.asked.label}
      value={asked ?? NO_ASPECT}
      choices={ASKED}
      onChange={(value) => onChange(aspectSchema.safeParse(value).data ?? null)}
    />
  );
}

/** Adds a run as a new side, or to the last side if the maximum number of sides is reached. */
function withRun(sides: Sides, runId: string): Sides {
  if (sides.length < MAX_SIDES) return [...sides, [runId]];
  return sides.map((runs, index) => (index === sides.length - 1 ? [...runs, runId] : runs));
}
