import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Overload } from '#core/result/overload.ts';
import { generatorNames, OVERLOAD_WORDS } from '#core/result/generatorNames.ts';
import type { Point } from '#core/result/schema.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { formatSeconds } from '#core/base/units.ts';
import { laterWords } from '../words/laterWords.ts';
import styles from './HealthSummary.module.css';

const texts = laterWords.run.health;

interface HealthSummaryProps {
  readonly overload: Overload;
  readonly points: readonly Pick<Point, 'overloadedBy'>[];
  /** Load generators, each with the time for which it was overloaded. */
  readonly generators: readonly { readonly name: string; readonly overloadedSeconds: number }[];
}

/** Summary of overloaded load generators, with duration and reasons. */
export function HealthSummary({ overload, points, generators }: HealthSummaryProps) {
  const overloaded = generators.filter(({ overloadedSeconds }) => overloadedSeconds > 0);
  const seconds = formatSeconds(overload.seconds);
  const slow = overloaded.length === 0 ? generators : overloaded;
  const slowNames = capitalizeStart(generatorNames(slow));
  const many = slow.length > 1;
  const isNow = (points.at(-1)?.overloadedBy.length ?? 0) > 0;
  if (points.length === 0) return <p className={styles.quiet}>{texts.unknown}</p>;
  if (overload.seconds === 0)
    return (
      <p className={styles.well}>
        <CircleCheck size={16} aria-hidden="true" />
        <span>{texts.well(capitalizeStart(generatorNames(generators)), generators.length > 1)}</span>
      </p>
    );
  return (
    <div>
      <p className={styles.overloadedBy}>
        <TriangleAlert size={16} aria-hidden="true" />
        <span>{isNow ? texts.overloadedNow(slowNames, many, seconds) : texts.wasOverloaded(slowNames, many, seconds)}</span>
      </p>
      <ul className={styles.causes}>
        {overload.causes.map(({ cause, seconds }) => (
          <li key={cause}>{texts.cause(OVERLOAD_WORDS[cause].what, formatSeconds(seconds))}</li>
        ))}
      </ul>
    </div>
  );
}
