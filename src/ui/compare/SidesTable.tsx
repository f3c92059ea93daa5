import { X } from 'lucide-react';
import { MAX_SIDES } from '#contract/api.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/words.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { Sides } from '#ui/shared/comparison.ts';
import { Button } from '../components/Button.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { formatWhen, words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare.runs;
type Run = Comparison['sides'][number]['runs'][number];

interface SidesTableProps {
  readonly comparison: Comparison;
  readonly sides: Sides;
  readonly onChange: (sides: Sides) => void;
}

/** Table of the runs on each side, in which a run can be moved to another side or removed. */
export function SidesTable({ comparison, sides, onChange }: SidesTableProps) {
  const letters = sides.map((_runs, index) => sideLetter(index));
  const choices = letters.map((letter) => ({ value: letter, label: texts.sideName(letter) }));
  const fresh = sideLetter(letters.length);
  const all = letters.length < MAX_SIDES ? [...choices, { value: fresh, label: texts.newSide(fresh) }] : choices;
  const without = (runId: string): string[][] => sides.map((runs) => runs.filter((id) => id !== runId));
  const put = (runId: string, letter: string): void => {
    const index = letter === fresh ? letters.length : letters.indexOf(letter);
    const rest = without(runId);
    onChange(index < rest.length ? rest.map((runs, at) => (at === index ? [...runs, runId] : runs)) : [...rest, [runId]]);
  };
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{texts.run}</HeadCell>
          <HeadCell>{texts.when}</HeadCell>
          <HeadCell>{texts.side}</HeadCell>
          <HeadCell>
            <span className="only-read-out">{texts.actions}</span>
          </HeadCell>
        </Row>
      </thead>
      <tbody>
        {comparison.sides.flatMap(({ runs }, index) =>
          runs.map((run) => (
            <Row key={run.id}>
              <HeadCell scope="row">
                <a href={`#/runs/${run.id}`}>{run.name}</a>
                <Remarks run={run} />
              </HeadCell>
              <Cell label={texts.when}>
                <time dateTime={run.startedAt}>{formatWhen(run.startedAt)}</time>
              </Cell>
              <Cell label={texts.side}>
                <Select
                  label={texts.sideOf(run.name, formatWhen(run.startedAt))}
                  hideLabel
                  value={sideLetter(index)}
                  choices={all}
                  onChange={(letter) => put(run.id, letter)}
                />
              </Cell>
              <Cell numeric label={texts.takeOut}>
                <Button
                  look="quiet"
                  size="small"
                  icon={<X />}
                  aria-label={texts.remove(run.name, formatWhen(run.startedAt))}
                  onPress={() => onChange(without(run.id))}
                />
              </Cell>
            </Row>
          )),
        )}
      </tbody>
    </Table>
  );
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
