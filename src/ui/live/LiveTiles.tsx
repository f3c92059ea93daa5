import { failedRequests, wantedRequests } from '#core/measurement/ledger.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber, formatShare } from '#core/base/units.ts';
import { Term } from '../components/Term.tsx';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { words } from '../words/words.ts';
import styles from './LivePage.module.css';
import { lastSeconds, type Picture } from './picture.ts';
import { StatTile } from './StatTile.tsx';
import { wantedOf } from './wanted.ts';

const texts = words.live.tiles;
const MINUTE = 60;

/** The four true numbers. */
export function LiveTiles({ picture, plan }: { readonly picture: Picture; readonly plan: Plan | undefined }) {
  const { live, points } = picture;
  const last = points.at(-1);
  const { requests } = live.ledger;
  const ended = wantedRequests(requests) - requests.inFlight;
  const failures = failedRequests(requests);
  const { p95 } = live.latency;
  const wanted = wantedOf(plan, live.stage?.index ?? null, live.elapsedSeconds);
  return (
    <div className={styles.tiles}>
      <StatTile
        label={<Term name="throughput">{texts.answers}</Term>}
        value={last ? formatNumber(last.completed / last.width) : texts.notYet}
        about={texts.perSecondNow}
        wanted={wanted.answers}
        minute={lastSeconds(points, MINUTE, ({ completed, width }) => completed / width)}
        minuteOf={texts.answers}
        color={SERIES.completed.color}
      />
      <StatTile
        label={
          <>
            <Term name="p95">{texts.withinTerm}</Term> {texts.within}
          </>
        }
        value={p95 === null ? texts.notYet : formatMs(p95)}
        about={texts.lineIsP90}
        wanted={wanted.within}
        minute={lastSeconds(points, MINUTE, ({ p90 }) => p90)}
        minuteOf={texts.p90}
        color={SERIES.p90.color}
      />
      <StatTile
        label={texts.failures}
        value={formatCount(failures)}
        about={failures === 0 ? texts.noFailures : texts.failureShare(formatShare(failures / ended))}
        wanted={wanted.failures}
        {...(failures > ended * wanted.tolerableShare ? { tone: 'breaks' as const } : {})}
        minute={lastSeconds(points, MINUTE, ({ failed, width }) => failed / width)}
        minuteOf={texts.failures}
        color={SERIES.status5xx.color}
      />
      <StatTile
        label={<Term name="inFlight">{texts.waiting}</Term>}
        value={formatCount(requests.inFlight)}
        about={wanted.waiting || '\u00a0'}
        wanted=""
        minute={lastSeconds(points, MINUTE, ({ inFlight }) => inFlight)}
        minuteOf={texts.waiting}
        color={SERIES.inFlight.color}
      />
    </div>
  );
}
