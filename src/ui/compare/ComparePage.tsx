import { capitalize } from '#core/base/text.ts';
import { navigate } from 'wouter/use-hash-location';
import { MAX_SIDES } from '#contract/runCalls.ts';
import { type Aspect, ASPECTS, aspectSchema, type Comparison } from '#core/comparison/schema.ts';
import { ASPECT_WORDS, comparisonTitle, sideLetter } from '#core/comparison/figureTexts.ts';
import { useCall } from '#ui/shared/backend.ts';
import { compareAddress, type Sides, sidesOfAddress, versionsAddress } from '#ui/shared/comparison.ts';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { ProblemPage } from '#ui/components/Banner.tsx';
import { type Choice, Select } from '#ui/components/Choices.tsx';
import { Skeleton, Loaded } from '#ui/components/Placeholders.tsx';
import { laterWords } from '../words/laterWords.ts';
import { ComparedFilesPage } from './ComparedFilesPage.tsx';
import { ComparisonFigures, Responses } from './ComparisonParts.tsx';
import styles from './ComparePage.module.css';
import { Repeat, Plus, X } from 'lucide-react';
import { detectableChange } from '#core/comparison/smallestChange.ts';
import { formatShare, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { LinkButton, Button } from '#ui/components/Button.tsx';
import type { RunRow } from '#contract/replies.ts';
import { useState } from 'react';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import { TextField } from '../components/Field.tsx';
import { loadSizeText } from '../run/loadSize.ts';
import { formatWhen } from '../words/words.ts';

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

const { columns } = laterWords.history;
const MAX_SHOWN_RUNS = 8;

const FACTS: readonly DataColumn<RunRow>[] = [
  {
    name: columns.name,
    isHead: true,
    cell: ({ name, load, target }) => (
      <>
        {name}
        <span className={styles.about}>{[loadSizeText(load), target].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { name: columns.when, cell: ({ startedAt }) => formatWhen(startedAt) },
  { name: columns.rate, numeric: true, cell: ({ completedPerSecond }) => formatRate(completedPerSecond) },
  { name: columns.p95, numeric: true, cell: ({ p95Ms }) => formatMs(p95Ms) },
];

/** Search field that adds a run to the comparison. */
function AddRun({ sides, onAdd }: { readonly sides: Sides; readonly onAdd: (runId: string) => void }) {
  const [search, setSearch] = useState('');
  const chosen = new Set(sides.flat());
  const list = useCall('runs.list', { search, limit: MAX_SHOWN_RUNS + chosen.size }, { keepPrevious: true });
  const otherRuns = list.data?.runs.filter(({ id, endedAt }) => !chosen.has(id) && endedAt !== null).slice(0, MAX_SHOWN_RUNS);
  const button: DataColumn<RunRow> = {
    name: columns.actions,
    hidesName: true,
    numeric: true,
    cell: ({ id, name, startedAt }) => (
      <Button size="small" icon={<Plus />} aria-label={texts.add.buttonOf(name, formatWhen(startedAt))} onPress={() => onAdd(id)}>
        {texts.add.button}
      </Button>
    ),
  };
  return (
    <Card title={texts.add.title}>
      <Stack gap={12}>
        <TextField label={texts.add.search} type="search" value={search} onChange={setSearch} maxLength={200} />
        <Loaded query={list} waitingFor={texts.add.loading} heights={[120]} />
        {otherRuns?.length === 0 ? <p className="muted">{search === '' ? texts.add.nothing : texts.add.none}</p> : null}
        {otherRuns !== undefined && otherRuns.length > 0 ? (
          <DataTable caption={texts.add.caption} stacks columns={[...FACTS, button]} rows={otherRuns} keyOf={({ id }) => id} />
        ) : null}
      </Stack>
    </Card>
  );
}

type Run = Comparison['sides'][number]['runs'][number];

interface SidesTableProps {
  readonly comparison: Comparison;
  readonly sides: Sides;
  readonly onChange: (sides: Sides) => void;
}

/** Table of the runs on each side. A run can be moved to another side or removed. */
function SidesTable({ comparison, sides, onChange }: SidesTableProps) {
  const letters = sides.map((_runs, index) => sideLetter(index));
  const choices = letters.map((letter) => ({ value: letter, label: texts.runs.sideName(letter) }));
  const fresh = sideLetter(letters.length);
  const all = letters.length < MAX_SIDES ? [...choices, { value: fresh, label: texts.runs.newSide(fresh) }] : choices;
  const removeRun = (runId: string): string[][] => sides.map((runs) => runs.filter((id) => id !== runId));
  const moveRun = (runId: string, letter: string): void => {
    const index = letter === fresh ? letters.length : letters.indexOf(letter);
    const rest = removeRun(runId);
    onChange(index < rest.length ? rest.map((runs, at) => (at === index ? [...runs, runId] : runs)) : [...rest, [runId]]);
  };
  const columns: readonly DataColumn<{ readonly run: Run; readonly letter: string }>[] = [
    {
      name: texts.runs.run,
      isHead: true,
      cell: ({ run }) => (
        <>
          <a href={`#/runs/${run.id}`}>{run.name}</a>
          <Remarks run={run} />
        </>
      ),
    },
    { name: texts.runs.when, cell: ({ run: { startedAt } }) => <time dateTime={startedAt}>{formatWhen(startedAt)}</time> },
    {
      name: texts.runs.side,
      cell: ({ run: { id, name, startedAt }, letter }) => (
        <Select
          label={texts.runs.getSide(name, formatWhen(startedAt))}
          hideLabel
          value={letter}
          choices={all}
          onChange={(chosen) => moveRun(id, chosen)}
        />
      ),
    },
    {
      name: texts.runs.takeOut,
      heading: <span className="only-read-out">{texts.runs.actions}</span>,
      numeric: true,
      cell: ({ run: { id, name, startedAt } }) => (
        <Button
          look="quiet"
          size="small"
          icon={<X />}
          aria-label={texts.runs.remove(name, formatWhen(startedAt))}
          onPress={() => onChange(removeRun(id))}
        />
      ),
    },
  ];
  const rows = comparison.sides.flatMap(({ runs }, index) => runs.map((run) => ({ run, letter: sideLetter(index) })));
  return <DataTable caption={texts.runs.caption} stacks columns={columns} rows={rows} keyOf={({ run }) => run.id} />;
}

function Remarks({ run: { note, leftOut, overloadedSeconds } }: { readonly run: Run }) {
  const remarks = [
    ...(note === '' ? [] : [note]),
    ...(leftOut === null ? [] : [texts.runs.notCounted(leftOut)]),
    ...(overloadedSeconds === 0 ? [] : [texts.runs.overloaded(formatSeconds(overloadedSeconds))]),
  ];
  return remarks.map((remark) => (
    <span key={remark} className={styles.about}>
      {remark}
    </span>
  ));
}
