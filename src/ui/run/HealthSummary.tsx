import { CircleCheck, TriangleAlert } from 'lucide-react';
import { formatSeconds } from '#core/units.ts';
import { words } from '../words/words.ts';
import type { Health } from './health.ts';
import styles from './HealthSummary.module.css';

const texts = words.run.health;

/** Whether the figures can be believed: did this computer keep up, and if not, for how long and why. */
export function HealthSummary({ health }: { readonly health: Health }) {
  if (health.seconds === 0) return <p className={styles.quiet}>{texts.unknown}</p>;
  if (health.sickSeconds === 0)
    return (
      <p className={styles.well}>
        <CircleCheck size={16} aria-hidden="true" />
        <span>{texts.well}</span>
      </p>
    );
  return (
    <div>
      <p className={styles.sick}>
        <TriangleAlert size={16} aria-hidden="true" />
        <span>{health.sickNow ? texts.sickNow(formatSeconds(health.sickSeconds)) : texts.wasSick(formatSeconds(health.sickSeconds))}</span>
      </p>
      <ul className={styles.causes}>
        {health.causes.map(({ cause, seconds }) => (
          <li key={cause}>{texts.cause(texts.causes[cause], formatSeconds(seconds))}</li>
        ))}
      </ul>
    </div>
  );
}
