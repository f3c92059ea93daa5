import { capitalize } from '#core/base/text.ts';
import { navigate } from 'wouter/use-hash-location';
import { MAX_SIDES } from '#contract/runCalls.ts';
import { type Aspect, ASPECTS, aspectSchema, type Comparison } from '#core/comparison/schema.ts';
import { ASPECT_WORDS, comparisonTitle } from '#core/comparison/figureTexts.ts';
import { useCall } from '#ui/shared/backend.ts';
import { compareAddress, type Sides, sidesOfAddress, versionsAddress } from '#ui/shared/comparison.ts';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { ProblemPage } from '#ui/components/Banner.tsx';
import { type Choice, Select } from '#ui/components/Choices.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { laterWords } from '../words/laterWords.ts';
import { AddRun } from './AddRun.tsx';
import { ComparedFilesPage } from './ComparedFilesPage.tsx';
import { ComparisonFigures, Responses } from './ComparisonParts.tsx';
import { SidesTable } from './SidesTable.tsx';
import styles from './ComparePage.module.css';
import { Repeat } from 'lucide-react';
import { detectableChange } from '#core/comparison/smallestChange.ts';
import { formatShare } from '#core/base/units.ts';
import { LinkButton } from '#ui/components/Button.tsx';

const texts = laterWords.compare;
const NO_ASPECT = 'none';
const MEASURE_CHOICES: readonly Choice<string>[] = [
  { value: NO_ASPECT, label: texts.asked.none },
  ...ASPECTS.map((value) => ({ value, label: capitalize(ASPECT_WORDS[value]) })),
];

interface ComparePageProps {
  readonly sides: string;
  readonly asked: string | null;
}

/** The last part of the address for files instead of runs. */
const FILES = 'files';

/** Comparison of the runs in the address, which can be bookmarked, sent and reloaded, or of files. */
export function ComparePage({ sides, asked }: ComparePageProps) {
  return sides === FILES ? <ComparedFilesPage /> : <ComparedRunsPage sides={sides} asked={asked} />;
}

function ComparedRunsPage({ sides: text, asked: askedText }: ComparePageProps) {
  const sides = sidesOfAddress(text).slice(0, MAX_SIDES);
  const asked = aspectSchema.safeParse(askedText).data ?? null;
  const showSides = (next: Sides, nextAsked: Aspect | null = asked): void => navigate(compareAddress(next, nextAsked));
  if (sides.length < 2) {
    return (
      <Page title={texts.page} story={sides.length === 0 ? texts.noSides : texts.tooFewSides}>
        <AddRun sides={sides} onAdd={(runId) => showSides([...sides, [runId]])} />
      </Page>
    );
  }
  return <ComparisonView sides={sides} asked={asked} onChange={showSides} />;
}

interface ComparedProps {
  readonly sides: Sides;
  readonly asked: Aspect | null;
  readonly onChange: (sides: Sides, asked?: Aspect | null) => void;
}

function ComparisonView({ sides, asked, onChange }: ComparedProps) {
  const input = { sides: sides.map((runIds) => ({ runIds: [...runIds] })), asked };
  const { data, error, refetch } = useCall('comparisons.make', input, { keepPrevious: true });
  if (error) return <ProblemPage title={texts.page} problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Page title={texts.page}>
        <Skeleton waitingFor={texts.loading} heights={[96, 200, 280]} />
      </Page>
    );
  }
  return (
    <Page title={texts.page} windowTitle={comparisonTitle(data)} story={texts.story}>
      <Stack gap={24}>
        <Card title={texts.response} actions={<AskedSelect asked={asked} onChange={(next) => onChange(sides, next)} />}>
          <Responses comparison={data} />
        </Card>
        <RepeatBothRuns comparison={data} />
        <ComparisonFigures comparison={data} />
        <Card title={texts.runs.title} flush>
          <p className={styles.lead}>{texts.runs.story}</p>
          <SidesTable comparison={data} sides={sides} onChange={onChange} />
        </Card>
        <AddRun sides={sides} onAdd={(runId) => onChange(addRun(sides, runId))} />
      </Stack>
    </Page>
  );
}

function AskedSelect({ asked, onChange }: { readonly asked: Aspect | null; readonly onChange: (asked: Aspect | null) => void }) {
  return (
    <Select
      isBeside
      label={texts.asked.label}
      value={asked ?? NO_ASPECT}
      choices={MEASURE_CHOICES}
      onChange={(value) => onChange(aspectSchema.safeParse(value).data ?? null)}
    />
  );
}

/** Adds a run as a new side or, if there are already as many sides as possible, to the last side. */
function addRun(sides: Sides, runId: string): Sides {
  if (sides.length < MAX_SIDES) return [...sides, [runId]];
  return sides.map((runs, index) => (index === sides.length - 1 ? [...runs, runId] : runs));
}

const enoughTexts = laterWords.compare.enough;
const MAX_POINTS = 600;

/** Offers to repeat both runs if two sides have too few runs for a conclusion. Otherwise renders nothing. */
function RepeatBothRuns({ comparison: { sides, pairs } }: { readonly comparison: Comparison }) {
  const [pair, ...otherPairs] = pairs;
  const [a, b] = sides.map(({ runs }) => runs);
  const first = a?.[0];
  const second = b?.[0];
  if (pair?.conclusion !== 'tooFew' || otherPairs.length > 0 || first === undefined || second === undefined) return null;
  const areSingle = a?.length === 1 && b?.length === 1;
  return (
    <Card title={enoughTexts.title}>
      <Stack gap={12}>
        <p>
          {areSingle ? <SmallestDifference first={first.id} second={second.id} /> : enoughTexts.unknown} {enoughTexts.story}
        </p>
        <div>
          <LinkButton to={versionsAddress(first.id, second.id)} look="primary" icon={<Repeat />}>
            {enoughTexts.button}
          </LinkButton>
        </div>
      </Stack>
    </Card>
  );
}

/** Reports the smallest difference that two single runs can show, estimated from the scatter of their values per second. */
function SmallestDifference({ first, second }: { readonly first: string; readonly second: string }) {
  const one = useCall('runs.points', { runId: first, maxPoints: MAX_POINTS });
  const other = useCall('runs.points', { runId: second, maxPoints: MAX_POINTS });
  const smallest = one.data && other.data ? detectableChange(one.data, other.data) : null;
  return smallest === null ? enoughTexts.unknown : enoughTexts.smallest(formatShare(inWholePercents(smallest)));
}

/** Rounds a share up to whole percent, but at least to 1 %. */
function inWholePercents(share: number): number {
  return Math.max(1, Math.ceil(share * 100)) / 100;
}
