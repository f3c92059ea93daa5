import { BellOff } from 'lucide-react';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Page.tsx';
import { clockTime } from '../charts/moment.ts';
import { Openings } from '../run/Openings.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { elapsedOpenings, upcomingBells } from './bells.ts';
import styles from './LiveBells.module.css';

interface LiveBellsProps {
  readonly live: LiveSnapshot;
  readonly plan: Plan;
  /** Whether the run is already ending, or the backend cannot be reached. */
  readonly isDisabled: boolean;
  readonly onCallOff: () => void;
}

const bellsWords = laterWords.live.bells;

/** Bells of an active run. Each has a countdown with the number of waiting users; each bell that has rung shows its opening. */
export function LiveBells({ live, plan, isDisabled, onCallOff }: LiveBellsProps) {
  const [next] = upcomingBells(plan, live);
  const rung = elapsedOpenings(live);
  return (
    <>
      {next === undefined ? null : (
        <Card title={words.run.bells.title(next.bell)}>
          <div className={styles.bell}>
            <p className={styles.fact}>
              <span className={styles.label}>{bellsWords.rings(clockTime(live.run.startedAt, next.atSecond))}</span>
              <span role="timer" className={styles.value}>
                {formatSeconds(Math.ceil(next.atSecond - live.elapsedSeconds))}
              </span>
            </p>
            <p className={styles.fact}>
              <span className={styles.label}>{bellsWords.waiting(next.step)}</span>
              <span className={styles.value}>
                {formatCount(next.waiting)} <span className={styles.of}>{bellsWords.of(formatCount(next.expected))}</span>
              </span>
            </p>
            <div className={styles.off}>
              <Button icon={<BellOff />} isDisabled={isDisabled} onPress={onCallOff}>
                {bellsWords.callOff}
              </Button>
              <p>{bellsWords.story(next.step)}</p>
            </div>
          </div>
        </Card>
      )}
      <Openings bells={rung} startedAt={live.run.startedAt} />
    </>
  );
}
