import type { Comparison } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/words.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';

const texts = words.compare.dissimilar;
const { sideName } = words.compare.runs;

/** The tuning diary: every circumstance that is not the same in all runs, beside the figures that it may have changed. */
export function Dissimilarities({ comparison: { dissimilar, sides } }: { readonly comparison: Comparison }) {
  if (dissimilar.length === 0) return <p>{texts.none}</p>;
  const letters = sides.map((_side, index) => sideName(sideLetter(index)));
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{texts.what}</HeadCell>
          <HeadCell>{texts.aspect}</HeadCell>
          {letters.map((letter) => (
            <HeadCell key={letter}>{letter}</HeadCell>
          ))}
        </Row>
      </thead>
      <tbody>
        {dissimilar.map(({ aspect, what, values }) => (
          <Row key={`${aspect} ${what}`}>
            <HeadCell scope="row">{what}</HeadCell>
            <Cell label={texts.aspect}>{words.compare.asked.aspects[aspect]}</Cell>
            {letters.map((letter, index) => (
              <Cell key={letter} wrap label={letter}>
                {values[index]?.join(', ')}
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
