import { CircleCheck, TriangleAlert } from 'lucide-react';
import { atStart } from '#core/plan/hosts/places.ts';
import { loadMakers } from '#core/result/loadMakers.ts';
import { formatSeconds } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import type { Health } from './health.ts';
import styles from './HealthSummary.module.css';

const texts = words.run.health;

interface HealthSummaryProps {
  readonly health: Health;
  /** Who made the load, and how long each could not be trusted. */
  readonly generators: readonly { readonly name: string; readonly sickSeconds: number }[];
}

/** Whether the figures can be believed: did what made the load keep up, and if not, which of it, for how long and why. */
export function HealthSummary({ health, generators }: HealthSummaryProps) {
  const sick = generators.filter(({ sickSeconds }) => sickSeconds > 0);
  const seconds = formatSeconds(health.sickSeconds);
  const slow = loadMakers(sick.length === 0 ? generators : sick);
  if (health.seconds === 0) return <p className={styles.quiet}>{texts.unknown}</p>;
  if (health.sickSeconds === 0)
    return (
      <p className={styles.well}>
        <CircleCheck size={16} aria-hidden="true" />
        <span>{texts.well(atStart(loadMakers(generators)))}</span>
      </p>
    );
  return (
    <div>
      <p className={styles.sick}>
        <TriangleAlert size={16} aria-hidden="true" />
        <span>{health.sickNow ? texts.sickNow(slow, seconds) : texts.wasSick(atStart(slow), seconds)}</span>
      </p>
      <ul className={styles.causes}>
        {health.causes.map(({ cause, seconds }) => (
          <li key={cause}>{texts.cause(texts.causes[cause], formatSeconds(seconds))}</li>
        ))}
      </ul>
    </div>
  );
}
