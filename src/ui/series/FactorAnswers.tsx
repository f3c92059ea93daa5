import { budgetFigure, isJudged } from '#core/series/answers.ts';
import type { Fit, Smallest } from '#core/series/result.ts';
import { LIMITS_OF_MACHINE } from '#core/series/limits.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { LimitsMark } from './SeriesTable.tsx';
import styles from './SeriesPage.module.css';

export function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className={styles.sentences}>
      {list.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

const texts = words.series;

/** What follows from the factors beside what each of them changes: the smallest machine that is enough, and time over amounts. */
export function FactorAnswers({ smallest, fits }: Pick<SeriesResult, 'smallest' | 'fits'>) {
  return (
    <>
      {smallest.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{texts.smallest.title}</h3>
          <Sentences list={smallest.map(({ text }) => text)} />
          <AllMachines judged={smallest.filter(isJudged)} />
        </>
      )}
      {fits.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{texts.fit.title}</h3>
          <Sentences list={fits.map(({ text }) => text)} />
          {fits.map((fit) => (
            <LineBeside key={fit.condition} fit={fit} />
          ))}
        </>
      )}
    </>
  );
}

/** Under one condition open; of several the sentences tell the answers, and each table is one press away. */
function AllMachines({ judged }: { readonly judged: readonly Smallest[] }) {
  return judged.map((answer) =>
    judged.length === 1 ? (
      <Machines key={answer.condition} answer={answer} />
    ) : (
      <Disclosure key={answer.condition} level={4} title={texts.smallest.caption} summary={answer.condition}>
        <Machines answer={answer} />
      </Disclosure>
    ),
  );
}

function Machines({ answer: { condition, machines } }: { readonly answer: Smallest }) {
  const say = texts.smallest;
  return (
    <Table caption={condition === '' ? say.caption : `${say.caption}: ${condition}`} stacks>
      <thead>
        <Row>
          <HeadCell>{say.machine}</HeadCell>
          <HeadCell>{say.judgement}</HeadCell>
          <HeadCell>{say.closest}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {machines.map(({ cell, name, judgement, runs, kept, closest }) => (
          <Row key={cell}>
            <HeadCell scope="row">{name}</HeadCell>
            <Cell label={say.judgement}>
              <div>
                {judgement === 'notMeasured' ? say.notMeasured : <LimitsMark judgement={LIMITS_OF_MACHINE[judgement]} />}
                {runs === 0 ? null : <span className={styles.about}>{say.kept(formatCount(kept), formatCount(runs))}</span>}
              </div>
            </Cell>
            <Cell label={say.closest}>{closest === null ? '–' : say.of(closest.text, budgetFigure(closest.measured, closest.unit))}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** Each cell as it was measured, and as the line has it. */
function LineBeside({ fit: { condition, cells, refused } }: { readonly fit: Fit }) {
  const say = texts.fit;
  if (refused !== null) return null;
  return (
    <Disclosure title={say.show} summary={condition === '' ? undefined : condition}>
      <Table caption={say.caption} showCaption stacks>
        <thead>
          <Row>
            <HeadCell>{say.cell}</HeadCell>
            <HeadCell numeric>{say.measured}</HeadCell>
            <HeadCell numeric>{say.line}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {cells.map(({ cell, measuredMs, lineMs }) => (
            <Row key={cell}>
              <HeadCell scope="row">{cell}</HeadCell>
              <Cell numeric label={say.measured}>
                {formatMs(measuredMs)}
              </Cell>
              <Cell numeric label={say.line}>
                {formatMs(lineMs)}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Disclosure>
  );
}
