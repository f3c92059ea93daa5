import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { classes } from '../components/classes.ts';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { formatProgress, listSegments } from '../run/progress.ts';
import styles from './StageStrip.module.css';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { plannedRateAtSecond } from '#core/presentation/charts/limits.ts';
import { usersAfterRest } from './nearest.ts';

interface StageStripProps {
  readonly live: LiveSnapshot;
  readonly plan: Plan | undefined;
  /** Recent throughput in responses per second, for the estimate of the remaining time. */
  readonly perSecond: number | null;
}

const texts = laterWords.live;

/** Progress bar over the stages, with elapsed and remaining time. */
export function StageStrip({ live, plan, perSecond }: StageStripProps) {
  const progress = formatProgress(live, perSecond);
  const segments = plan ? listSegments(plan, live) : [];
  const now = live.stage ? texts.stage(live.stage.name, plan ? currentLevelText(plan, live) : '', live.stage.counted) : '';
  const showsNow = segments.length > 1 || plan?.load.model !== 'connections';
  const percent = progress.share === null ? undefined : Math.round(progress.share * 100);
  return (
    <div className={styles.strip}>
      <div className={styles.words}>
        <span className={styles.done}>{progress.done}</span>
        {showsNow ? <span className={styles.now}>{now}</span> : null}
        <span className={styles.left}>{progress.left}</span>
      </div>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- [a native bar cannot show its stages]
        role="progressbar"
        aria-label={texts.progress.label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={[progress.done, now, progress.left].filter(Boolean).join(', ')}
        className={styles.bar}
      >
        {segments.map((segment, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- [stages have no other identity than their place]
            key={index}
            className={classes(styles.segment, !segment.counted && styles.uncounted, segment.isNow && styles.current)}
            style={{ flexGrow: segment.share }}
            title={words.charts.stageTitle(segment.name, segment.counted)}
          >
            <span className={styles.fill} style={{ width: `${segment.done * 100}%` }} />
          </span>
        ))}
        {segments.length === 0 ? (
          <span className={styles.segment} style={{ flexGrow: 1 }}>
            <span className={styles.fill} style={{ width: `${(progress.share ?? 0) * 100}%` }} />
          </span>
        ) : null}
      </div>
    </div>
  );
}

/** Returns the load of the current stage as text; empty between stages. */
export function currentLevelText(plan: Plan, live: LiveSnapshot): string {
  const { stage, elapsedSeconds } = live;
  const found = stage === null ? undefined : plan.load.stages[stage.index];
  if (stage === null || found === undefined) return '';
  if ('connections' in found) return texts.level.connections(formatCount(found.connections));
  const next = usersAfterRest(plan, live, live.points.at(-1));
  if (next !== null) return texts.level.resting(next, formatCount(next));
  if ('users' in found) {
    const isStarting = found.counted && !stage.counted;
    return (isStarting ? texts.level.starting : texts.level.users)(formatCount(found.users));
  }
  const rate = plannedRateAtSecond(plan, elapsedSeconds);
  return rate === null ? '' : texts.level.arrivals(`${formatNumber(rate)}/s`);
}
