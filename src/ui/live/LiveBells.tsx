import { BellOff } from 'lucide-react';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Page.tsx';
import { clockTime } from '../charts/moment.ts';
import { Openings } from '../run/Openings.tsx';
import { laterWords } from '../words/laterWords.ts';
import styles from './LiveBells.module.css';
import { getOwn } from '#core/base/ownMembers.ts';
import { type BellResult, countExpectedUsers, TENTH_SECONDS } from '#core/result/bells.ts';

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
        <Card title={laterWords.run.bells.title(next.bell)}>
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

/** A bell that has not rung yet. */
interface UpcomingBell {
  readonly bell: string;
  /** The step whose users wait for the bell. */
  readonly step: string;
  readonly atSecond: number;
  /** Number of users who are waiting at the step. */
  readonly waiting: number;
  /** Number of users who should be waiting when the bell rings. */
  readonly expected: number;
}

/** Returns the bells that have not rung yet, the next one first. */
export function upcomingBells(plan: Plan, { bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): UpcomingBell[] {
  return plan.journey
    .flatMap(({ name: step, gate }) => {
      const atSecond = gate === undefined ? undefined : getOwn(plan.bells ?? {}, gate)?.atSeconds;
      if (gate === undefined || atSecond === undefined || atSecond <= elapsedSeconds) return [];
      const bell = bells.find((one) => one.step === step);
      return [{ bell: gate, step, atSecond, waiting: bell?.waited ?? 0, expected: countExpectedUsers(plan, atSecond) }];
    })
    .toSorted((one, other) => one.atSecond - other.atSecond);
}

/** Returns the bells that have rung, each with the part of its opening that has passed. */
export function elapsedOpenings({ bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): BellResult[] {
  return bells
    .filter(({ atSecond }) => atSecond <= elapsedSeconds)
    .map((bell) => ({ ...bell, opening: bell.opening.slice(0, Math.floor((elapsedSeconds - bell.atSecond) / TENTH_SECONDS + 1e-6)) }));
}
