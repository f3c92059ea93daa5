import { countDue, sumFailures } from '#core/measurement/requestOutcomes.ts';
import { listensToStreams } from '#core/judgement/verdict/streams.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber, formatShare } from '#core/base/units.ts';
import { Term } from '../components/Term.tsx';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { laterWords } from '../words/laterWords.ts';
import styles from './LivePage.module.css';
import { valuesOfLastSeconds, type LiveState } from './picture.ts';
import { type JudgedFigure, findNearestToFailing, usersAfterRest } from './nearest.ts';
import { type Rank, StatTile } from './StatTile.tsx';
import { requestsPerJourney } from '#core/work/journey/flow/executions.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import { plannedRateAtSecond } from '#core/presentation/charts/limits.ts';

const texts = laterWords.live.tiles;
const MINUTE = 60;

/** Shows the four main figures: about events if the plan's users listen to streams, otherwise about requests. */
export function LiveTiles({ picture, plan }: { readonly picture: LiveState; readonly plan: Plan | undefined }) {
  const isListening = plan !== undefined && listensToStreams(plan) && picture.points.some(({ streams }) => streams !== undefined);
  return isListening ? <StreamTiles picture={picture} plan={plan} /> : <RequestTiles picture={picture} plan={plan} />;
}

function StreamTiles({ picture, plan }: { readonly picture: LiveState; readonly plan: Plan }) {
  const { live, points } = picture;
  const last = points.at(-1);
  const now = last?.streams;
  const cut = points.reduce((sum, { streams }) => sum + (streams?.cut ?? 0), 0);
  const failures = sumFailures(live.outcomes);
  const criteriaTexts = criterionTexts(plan, live.stage?.index ?? null, live.elapsedSeconds);
  return (
    <div className={styles.tiles}>
      <StatTile
        label={texts.events}
        value={last && now ? formatNumber(now.events / last.width) : texts.notYet}
        about={texts.perSecondNow}
        wanted=""
        rank="alike"
        minute={valuesOfLastSeconds(points, MINUTE, ({ streams, width }) => (streams?.events ?? 0) / width)}
        makeMinute={texts.events}
        color={SERIES.completed.color}
      />
      <StatTile
        label={
          <>
            <Term name="p95">{texts.withinTerm}</Term> {texts.eventDelay}
          </>
        }
        value={now?.delayP95 == null ? texts.notYet : formatMs(now.delayP95)}
        about={texts.perSecondNow}
        wanted={criteriaTexts.within}
        rank="alike"
        target={criteriaTexts.withinMs}
        minute={valuesOfLastSeconds(points, MINUTE, ({ streams }) => streams?.delayP95 ?? null)}
        makeMinute={texts.eventDelay}
        color={SERIES.p90.color}
      />
      <StatTile
        label={texts.failures}
        value={formatCount(failures)}
        about={failures === 0 ? texts.noFailures : '\u00a0'}
        wanted={criteriaTexts.failures}
        rank="alike"
        minute={valuesOfLastSeconds(points, MINUTE, ({ failed, width }) => failed / width)}
        makeMinute={texts.failures}
        color={SERIES.status5xx.color}
      />
      <StatTile
        label={texts.streams}
        value={now ? formatCount(now.open) : texts.notYet}
        about={cut === 0 ? texts.noneCut : texts.cut(formatCount(cut))}
        wanted=""
        rank="alike"
        {...(cut > 0 ? { tone: 'failed' as const } : {})}
        minute={valuesOfLastSeconds(points, MINUTE, ({ streams }) => streams?.open ?? 0)}
        makeMinute={texts.streams}
        color={SERIES.inFlight.color}
      />
    </div>
  );
}

function RequestTiles({ picture, plan }: { readonly picture: LiveState; readonly plan: Plan | undefined }) {
  const { live, points } = picture;
  const last = points.at(-1);
  const { requests } = live.outcomes;
  const ended = countDue(live.outcomes) - requests.inFlight;
  const failures = sumFailures(live.outcomes);
  const { p95 } = live.latency;
  const criteriaTexts = criterionTexts(plan, live.stage?.index ?? null, live.elapsedSeconds);
  const resting = usersAfterRest(plan, live, last);
  const nearest = findNearestToFailing(plan, live, last === undefined || resting !== null ? null : last.ok / last.width);
  const rankOf = (tile: JudgedFigure | null): Rank => (nearest === null ? 'alike' : tile === nearest ? 'nearest' : 'behind');
  return (
    <div className={styles.tiles}>
      <StatTile
        label={<Term name="throughput">{texts.responses}</Term>}
        value={last ? formatNumber(last.completed / last.width) : texts.notYet}
        {...(resting === null ? {} : { insteadOfValue: laterWords.live.level.resting(resting, formatCount(resting)) })}
        about={texts.perSecondNow}
        wanted={criteriaTexts.responses}
        rank={rankOf('answers')}
        target={criteriaTexts.minPerSecond}
        minute={valuesOfLastSeconds(points, MINUTE, ({ completed, width }) => completed / width)}
        makeMinute={texts.responses}
        color={SERIES.completed.color}
      />
      <StatTile
        label={
          <>
            <Term name="p95">{texts.withinTerm}</Term> {texts.within}
          </>
        }
        value={p95 === null ? texts.notYet : formatMs(p95)}
        about={texts.sinceStart}
        wanted={criteriaTexts.within}
        rank={rankOf('within')}
        target={criteriaTexts.withinMs}
        minute={valuesOfLastSeconds(points, MINUTE, ({ p90, p95 = p90 }) => p95)}
        makeMinute={texts.p95}
        color={SERIES.p90.color}
      />
      <StatTile
        label={texts.failures}
        value={formatCount(failures)}
        about={failures === 0 ? texts.noFailures : texts.failureShare(formatShare(failures / ended))}
        wanted={criteriaTexts.failures}
        rank={rankOf('failures')}
        {...(failures > ended * criteriaTexts.tolerableShare ? { tone: 'failed' as const } : {})}
        minute={valuesOfLastSeconds(points, MINUTE, ({ failed, width }) => failed / width)}
        makeMinute={texts.failures}
        color={SERIES.status5xx.color}
      />
      <StatTile
        label={<Term name="inFlight">{texts.waiting}</Term>}
        value={last ? formatCount(requests.inFlight) : texts.notYet}
        about={criteriaTexts.waiting || '\u00a0'}
        wanted=""
        rank={rankOf(null)}
        minute={valuesOfLastSeconds(points, MINUTE, ({ inFlight }) => inFlight)}
        makeMinute={texts.waiting}
        color={SERIES.inFlight.color}
      />
    </div>
  );
}

/** Criteria of the plan for each of the four figures as text; empty where the plan has none. */
interface CriterionTexts {
  readonly responses: string;
  readonly within: string;
  readonly failures: string;
  readonly waiting: string;
  /** Criteria as values for the sparklines; null where there is none. */
  readonly minPerSecond: number | null;
  readonly withinMs: number | null;
  /** Maximum share of failed requests that does not raise an alarm. */
  readonly tolerableShare: number;
}

/** Maximum share of failures without an alarm if the plan has no criterion for failures. */
const USUAL_SHARE = 0.01;

/** Returns the criteria of the plan as texts and values. `second` is the elapsed time of the run. */
export function criterionTexts(plan: Plan | undefined, stage: number | null, second: number): CriterionTexts {
  const nothing: CriterionTexts = {
    responses: '',
    within: '',
    failures: '',
    waiting: '',
    minPerSecond: null,
    withinMs: null,
    tolerableShare: USUAL_SHARE,
  };
  if (!plan) return nothing;
  const criteria = listCriteria(plan);
  const throughput = criteria.find((one) => one.kind === 'throughput');
  const isOfEvents = listensToStreams(plan);
  const time = criteria.filter((one) => one.kind === 'responseTime').find(({ of }) => of !== 'visits' && (of === 'events') === isOfEvents);
  const errors = criteria.filter((one) => one.kind === 'errors').find(({ of }) => of !== 'events' && of !== 'streams' && of !== 'visits');
  const criteriaTexts: CriterionTexts = {
    ...nothing,
    ...(throughput && {
      responses: texts.wanted(texts.atLeast(`${formatNumber(throughput.minPerSecond)}/s`)),
      minPerSecond: throughput.minPerSecond,
    }),
    ...(time && {
      within: texts.wanted(`${time.percentile === 95 ? '' : `p${time.percentile} `}${texts.within1(formatMs(time.maxMs))}`),
      withinMs: time.maxMs,
    }),
    ...(errors && { failures: texts.wanted(texts.atMost(formatShare(errors.maxShare))), tolerableShare: errors.maxShare }),
  };
  const rate = stage === null ? null : plannedRateAtSecond(plan, second);
  const perJourney = stage === null ? null : requestsPerJourney(plan, stage).mean;
  const planned = rate === null || perJourney === null ? '' : texts.planned(`${formatNumber(rate * perJourney)}/s`);
  return {
    ...criteriaTexts,
    responses: [planned, criteriaTexts.responses].filter(Boolean).join(' · '),
    waiting: maxInFlightText(plan, stage),
  };
}

/** Returns the maximum number of requests in flight as text. */
function maxInFlightText({ load }: Plan, stage: number | null): string {
  if (load.model === 'arrivals') return texts.ofConnections(formatCount(load.maxInFlight));
  const found = stage === null ? undefined : load.stages[stage];
  if (found === undefined) return '';
  return 'users' in found ? texts.ofUsers(formatCount(found.users)) : texts.ofConnections(formatCount(found.connections));
}
