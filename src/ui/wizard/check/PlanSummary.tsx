import { criteriaByStage } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Description } from '#core/review/description.ts';
import { describeSeries, seriesTotals, type SeriesTotals } from '#core/series/outline.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { sizeOf } from '#core/work/load/size.ts';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { loadSizeText } from '#ui/run/loadSize.ts';
import { words } from '#ui/words/words.ts';
import { PlanSentences } from '../PlanSentences.tsx';
import styles from './CheckPage.module.css';

interface PlanSummaryProps {
  readonly plan: Plan;
  /** Set if the plan is run several times. */
  readonly series: Series | null;
  readonly description: Description;
}

export function PlanSummary({ plan, series, description }: PlanSummaryProps) {
  const say = words.wizard.check;
  const { urls, seconds, requests } = series === null ? totalsOf(plan, description) : seriesTotals({ plan, series });
  return (
    <Card title={say.summary}>
      <dl className={styles.summary}>
        <dt>{say.summaryTargets}</dt>
        <dd>
          {urls.map((url) => (
            <div key={url}>{url}</div>
          ))}
        </dd>
        <dt>{say.summaryLoad}</dt>
        <dd>{loadSizeText(sizeOf(plan.load))}</dd>
        {series === null ? null : (
          <>
            <dt>{say.summaryRuns}</dt>
            <dd>
              {describeSeries({ plan, series }).map((sentence) => (
                <div key={sentence}>{sentence}</div>
              ))}
            </dd>
          </>
        )}
        <dt>{say.summaryDuration}</dt>
        <dd>{seconds === null ? say.summaryUnknown : formatSeconds(seconds)}</dd>
        {requests === null ? null : (
          <>
            <dt>{say.summaryRequests}</dt>
            <dd>{formatCount(requests)}</dd>
          </>
        )}
        <dt>{say.summaryCriteria}</dt>
        <dd>
          {description.criteria.length > MAX_CRITERIA_SHOWN
            ? words.wizard.criteria.count(description.criteria.length)
            : description.criteria.length === 0
              ? say.summaryMeasured
              : list(description.criteria)}
        </dd>
        {plan.leavesBehind.length === 0 ? null : (
          <>
            <dt>{say.leavesBehind}</dt>
            <dd>{list(plan.leavesBehind)}</dd>
          </>
        )}
      </dl>
      <p className={styles.muted}>
        {plan.identify ? `${say.summaryIdentify} ` : ''}
        {say.stopHint}
      </p>
      <Disclosure title={say.inWords}>
        <div className={styles.sentences}>
          <PlanSentences description={description} steps={plan.journey.length} />
        </div>
        {description.criteria.length > MAX_CRITERIA_SHOWN ? (
          <section className={styles.criteria}>
            <h4>{say.summaryCriteria}</h4>
            <Limits plan={plan} criteria={description.criteria} />
          </section>
        ) : null}
        {plan.lookAt.length === 0 ? null : (
          <section className={styles.criteria}>
            <h4>{say.summaryLookAt}</h4>
            {list(plan.lookAt)}
          </section>
        )}
      </Disclosure>
    </Card>
  );
}

/** More criteria than this are only counted here, and listed in the folded plan. */
const MAX_CRITERIA_SHOWN = 3;

function list(lines: readonly string[]) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** More criteria than this are grouped by stage. */
const MAX_UNGROUPED = 8;

function Limits({ plan, criteria }: { readonly plan: Plan; readonly criteria: readonly string[] }) {
  const say = words.wizard.check;
  if (criteria.length <= MAX_UNGROUPED) return list(criteria);
  return criteriaByStage(plan).map(({ stage, steps }) => (
    <section key={stage ?? ''} className={styles.criteria}>
      <h5>{stage === null ? say.criteriaOfAll : say.criteriaOf(stage)}</h5>
      <ul>
        {steps.map(({ step, criteria }) => (
          <li key={step ?? ''}>
            <strong>{step ?? say.everyRequest}</strong>: {criteria.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** Returns the totals of a single run. */
function totalsOf({ targets }: Plan, { durationSeconds, requests }: Description): SeriesTotals {
  return { urls: targets.map(({ url }) => url), seconds: durationSeconds, requests };
}
