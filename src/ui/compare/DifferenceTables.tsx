import type { Comparison } from '#core/comparison/schema.ts';
import { differenceTable } from '#core/presentation/document/comparisonTables.ts';
import { sideLetter } from '#core/comparison/words.ts';
import { Card } from '#ui/components/Page.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { words } from '../words/words.ts';

const texts = words.compare.table;
const { sideName } = words.compare.runs;

/** Tables of all figures: each side beside the first one. */
export function DifferenceTables({ comparison }: { readonly comparison: Comparison }) {
  return comparison.pairs.map(({ reference, side, differences }) => {
    const [from, to] = [sideName(sideLetter(reference)), sideName(sideLetter(side))];
    const title = texts.title(to, from);
    return (
      <Card key={side} title={title} flush={differences.length > 0}>
        {differences.length === 0 ? <p>{texts.none}</p> : <Blocks blocks={differenceTable(title, { differences }, from, to)} />}
      </Card>
    );
  });
}
