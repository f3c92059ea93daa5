import { lineWords, placeSentences } from '#core/result/placeWords.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { formatCount, formatMs, formatNumber, formatSeconds } from '#core/base/units.ts';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import type { PlaceRow } from './placeRows.ts';
import styles from './Places.module.css';

const texts = words.run.places;
const { columns } = texts;

/** What each of several places has of the load, beside each other. */
function PlacesTable({ rows }: { readonly rows: readonly PlaceRow[] }) {
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{columns.name}</HeadCell>
          <HeadCell numeric>{columns.sent}</HeadCell>
          <HeadCell numeric>{columns.good}</HeadCell>
          <HeadCell numeric>{columns.rate}</HeadCell>
          <HeadCell numeric>{columns.bytes}</HeadCell>
          <HeadCell numeric>{columns.half}</HeadCell>
          <HeadCell numeric>{columns.p90}</HeadCell>
          <HeadCell>{columns.state}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.name}>
            <HeadCell scope="row">{atStart(row.name)}</HeadCell>
            <Cell numeric label={columns.sent}>
              {formatCount(row.sent)}
            </Cell>
            <Cell numeric label={columns.good}>
              {formatCount(row.ok)}
            </Cell>
            <Cell numeric label={columns.rate}>
              {formatNumber(row.completedPerSecond)}
            </Cell>
            <Cell numeric label={columns.bytes}>
              {lineWords(row.bytesPerSecond)}
            </Cell>
            <Cell numeric label={columns.half}>
              {formatMs(row.p50)}
            </Cell>
            <Cell numeric label={columns.p90}>
              {formatMs(row.p90)}
            </Cell>
            <Cell label={columns.state}>{stateWords(row)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function stateWords({ lost, sickSeconds }: PlaceRow): string {
  if (lost !== null) return texts.lost(formatElapsed(lost.second));
  return sickSeconds > 0 ? texts.sick(formatSeconds(sickSeconds)) : texts.well;
}

interface PlacesProps {
  readonly rows: readonly PlaceRow[];
  /** While the run goes, figures are of another time than in the result. */
  readonly isGoing: boolean;
}

/** What the places tell when they are compared: in words, then in figures. */
export function Places({ rows, isGoing }: PlacesProps) {
  const sentences = placeSentences(rows);
  return (
    <div className={styles.places}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <PlacesTable rows={rows} />
      {isGoing ? <p className={styles.note}>{words.run.places.live}</p> : null}
    </div>
  );
}
