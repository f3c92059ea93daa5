import type { ReactNode } from 'react';
import type { RunEvent } from '#core/result/schema.ts';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import { clockTime } from '../charts/moment.ts';
import { laterWords } from '../words/laterWords.ts';
import styles from './EventList.module.css';

interface EventListProps {
  readonly events: readonly RunEvent[];
  readonly startedAt: string | null;
  /** Returns content to show next to the text of an event, or null. */
  readonly asideOf?: (event: RunEvent) => ReactNode;
}

/** List of events with their times, newest last. */
export function EventList({ events, startedAt, asideOf }: EventListProps) {
  if (events.length === 0) return <p className={styles.none}>{laterWords.run.noEvents}</p>;
  return (
    <ol className={styles.events}>
      {events.map((event) => (
        <li key={`${event.second} ${event.kind} ${event.text}`}>
          <time className={styles.when} title={clockTime(startedAt, event.second)}>
            {formatElapsed(event.second)}
          </time>
          <div className={styles.text}>
            {event.text}
            {asideOf ? <div className={styles.aside}>{asideOf(event)}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
