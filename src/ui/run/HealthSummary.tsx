import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Point } from '#core/result/schema.ts';
import type { SickCause } from '#core/measurement/window.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { generatorNames } from '#core/result/generatorNames.ts';
import { formatSeconds } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import styles from './HealthSummary.module.css';

/** How long the load generator was overloaded, read from the points of a run. */
interface Health {
  /** Seconds measured, and those in which its figures are doubtful. */
  readonly seconds: number;
  readonly sickSeconds: number;
  /** Seconds by cause, most first. A second may have several causes. */
  readonly causes: readonly { readonly cause: SickCause; readonly seconds: number }[];
  /** The last second was a sick one. */
  readonly sickNow: boolean;
}

export function healthOf(points: readonly Point[]): Health {
  const byCause = new Map<SickCause, number>();
  let seconds = 0;
  let sickSeconds = 0;
  for (const { width, sick } of points) {
    seconds += width;
    if (sick.length > 0) sickSeconds += width;
    for (const cause of sick) byCause.set(cause, (byCause.get(cause) ?? 0) + width);
  }
  return {
    seconds,
    sickSeconds,
    causes: [...byCause].map(([cause, seconds]) => ({ cause, seconds })).sort((a, b) => b.seconds - a.seconds),
    sickNow: (points.at(-1)?.sick.length ?? 0) > 0,
  };
}

const texts = words.run.health;

interface HealthSummaryProps {
  readonly health: Health;
  /** Who sent the load, and how long each was overloaded. */
  readonly generators: readonly { readonly name: string; readonly sickSeconds: number }[];
}

/** Whether the figures can be trusted: which load generators were overloaded, for how long and why. */
export function HealthSummary({ health, generators }: HealthSummaryProps) {
  const sick = generators.filter(({ sickSeconds }) => sickSeconds > 0);
  const seconds = formatSeconds(health.sickSeconds);
  const slow = sick.length === 0 ? generators : sick;
  const slowNames = atStart(generatorNames(slow));
  const many = slow.length > 1;
  if (health.seconds === 0) return <p className={styles.quiet}>{texts.unknown}</p>;
  if (health.sickSeconds === 0)
    return (
      <p className={styles.well}>
        <CircleCheck size={16} aria-hidden="true" />
        <span>{texts.well(atStart(generatorNames(generators)), generators.length > 1)}</span>
      </p>
    );
  return (
    <div>
      <p className={styles.sick}>
        <TriangleAlert size={16} aria-hidden="true" />
        <span>{health.sickNow ? texts.sickNow(slowNames, many, seconds) : texts.wasSick(slowNames, many, seconds)}</span>
      </p>
      <ul className={styles.causes}>
        {health.causes.map(({ cause, seconds }) => (
          <li key={cause}>{texts.cause(texts.causes[cause], formatSeconds(seconds))}</li>
        ))}
      </ul>
    </div>
  );
}
