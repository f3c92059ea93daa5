import { X } from 'lucide-react';
import { MAX_SIDES } from '#contract/runCalls.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/figureTexts.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { Sides } from '#ui/shared/comparison.ts';
import { Button } from '../components/Button.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = laterWords.compare.runs;
type Run = Comparison['sides'][number]['runs'][number];

interface SidesTableProps {
  readonly comparison: Comparison;
  readonly sides: Sides;
  readonly onChange: (sides: Sides) => void;
}

/** Table of the runs on each side. A run can be moved to another side or removed. */
export function SidesTable({ comparison, sides, onChange }: SidesTableProps) {
  const letters = sides.map((_runs, index) => sideLetter(index));
  const choices = letters.map((letter) => ({ value: letter, label: texts.sideName(letter) }));
  const fresh = sideLetter(letters.length);
  const all = letters.length < MAX_SIDES ? [...choices, { value: fresh, label: texts.newSide(fresh) }] : choices;
  const removeRun = (runId: string): string[][] => sides.map((runs) => runs.filter((id) => id !== runId));
  const moveRun = (runId: string, letter: string): void => {
    const index = letter === fresh ? letters.length : letters.indexOf(letter);
    const rest = removeRun(runId);
    onChange(index < rest.length ? rest.map((runs, at) => (at === index ? [...runs, runId] : runs)) : [...rest, [runId]]);
  };
  const columns: readonly DataColumn<{ readonly run: Run; readonly letter: string }>[] = [
    {
      name: texts.run,
      isHead: true,
      cell: ({ run }) => (
        <>
          <a href={`#/runs/${run.id}`}>{run.name}</a>
          <Remarks run={run} />
        </>
      ),
    },
    { name: texts.when, cell: ({ run: { startedAt } }) => <time dateTime={startedAt}>{formatWhen(startedAt)}</time> },
    {
      name: texts.side,
      cell: ({ run: { id, name, startedAt }, letter }) => (
        <Select
          label={texts.getSide(name, formatWhen(startedAt))}
          hideLabel
          value={letter}
          choices={all}
          onChange={(chosen) => moveRun(id, chosen)}
        />
      ),
    },
    {
      name: texts.takeOut,
      heading: <span className="only-read-out">{texts.actions}</span>,
      numeric: true,
      cell: ({ run: { id, name, startedAt } }) => (
        <Button
          look="quiet"
          size="small"
          icon={<X />}
          aria-label={texts.remove(name, formatWhen(startedAt))}
          onPress={() => onChange(removeRun(id))}
        />
      ),
    },
  ];
  const rows = comparison.sides.flatMap(({ runs }, index) => runs.map((run) => ({ run, letter: sideLetter(index) })));
  return <DataTable caption={texts.caption} stacks columns={columns} rows={rows} keyOf={({ run }) => run.id} />;
}

function Remarks({ run: { note, leftOut, overloadedSeconds } }: { readonly run: Run }) {
  const remarks = [
    ...(note === '' ? [] : [note]),
    ...(leftOut === null ? [] : [texts.notCounted(leftOut)]),
    ...(overloadedSeconds === 0 ? [] : [texts.overloaded(formatSeconds(overloadedSeconds))]),
  ];
  return remarks.map((remark) => (
    <span key={remark} className={styles.about}>
      {remark}
    </span>
  ));
}
