import { objectivesByStage } from '#core/plan/objectives.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Description } from '#core/review/description.ts';
import { describeSeries, seriesTotals, type SeriesTotals } from '#core/series/outline.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { Card } from '#ui/components/Card.tsx';
import { words } from '#ui/words/words.ts';
import { PlanSentences } from '../PlanSentences.tsx';
import styles from './CheckPage.module.css';

interface PlanSummaryProps {
  readonly plan: Plan;
  /** Set where the plan is run several times. */
  readonly series: Series | null;
  readonly description: Description;
}

export function PlanSummary({ plan, series, description }: PlanSummaryProps) {
  const say = words.wizard.check;
  const { urls, seconds, requests } = series === null ? totalsOf(plan, description) : seriesTotals({ plan, series });
  return (
    <Card title={say.summary}>
      {series === null ? null : (
        <div className={styles.sentences}>
          {describeSeries({ plan, series }).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <div className={styles.sentences}>
        <PlanSentences description={description} steps={plan.journey.length} />
      </div>
      <dl className={styles.summary}>
        <dt>{say.summaryTargets}</dt>
        <dd>
          {urls.map((url) => (
            <div key={url}>{url}</div>
          ))}
        </dd>
        <dt>{say.summaryDuration}</dt>
        <dd>{seconds === null ? say.summaryUnknown : formatSeconds(seconds)}</dd>
        <dt>{say.summaryRequests}</dt>
        <dd>{requests === null ? say.summaryUnknown : formatCount(requests)}</dd>
        <dt>{say.summaryObjectives}</dt>
        <dd>
          <Limits plan={plan} objectives={description.objectives} />
        </dd>
        {plan.leavesBehind.length === 0 ? null : (
          <>
            <dt>{say.leavesBehind}</dt>
            <dd>
              <ul>
                {plan.leavesBehind.map((left) => (
                  <li key={left}>{left}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {plan.lookAt.length === 0 ? null : (
          <>
            <dt>{say.summaryLookAt}</dt>
            <dd>
              <ul>
                {plan.lookAt.map((look) => (
                  <li key={look}>{look}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      <p className={styles.muted}>
        {plan.identify ? `${say.summaryIdentify} ` : ''}
        {say.stopHint}
      </p>
    </Card>
  );
}

/** More limits than this are told stage by stage. */
const MOST_IN_ONE_LIST = 8;

function Limits({ plan, objectives }: { readonly plan: Plan; readonly objectives: readonly string[] }) {
  const say = words.wizard.check;
  if (objectives.length === 0) return say.summaryMeasured;
  if (objectives.length <= MOST_IN_ONE_LIST)
    return (
      <ul>
        {objectives.map((objective) => (
          <li key={objective}>{objective}</li>
        ))}
      </ul>
    );
  return objectivesByStage(plan).map(({ stage, steps }) => (
    <section key={stage ?? ''} className={styles.limits}>
      <h3>{stage === null ? say.limitsOfAll : say.limitsOf(stage)}</h3>
      <ul>
        {steps.map(({ step, limits }) => (
          <li key={step ?? ''}>
            <strong>{step ?? say.everyRequest}</strong>: {limits.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** Of a single run. */
function totalsOf({ targets }: Plan, { durationSeconds, requests }: Description): SeriesTotals {
  return { urls: targets.map(({ url }) => url), seconds: durationSeconds, requests };
}
