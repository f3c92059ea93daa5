import { placeSentences } from '#core/result/placeWords.ts';
import { words } from '../words/words.ts';
import { PlacesTable } from './PlacesTable.tsx';
import type { PlaceRow } from './placeRows.ts';
import styles from './Places.module.css';

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
