import { criteriaByStage } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Description } from '#core/review/describe.ts';
import { describeSeries, seriesTotals } from '#core/series/outline.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { sizeOf } from '#core/work/load/stages.ts';
import { Card } from '#ui/components/Page.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { CiStepButton } from '#ui/shared/CiStep.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { loadSizeText } from '#ui/run/loadSize.ts';
import { linesOfTargets } from '#ui/run/targetLines.ts';
import { words } from '#ui/words/words.ts';
import { PlanSentences } from '../PlanSentences.tsx';
import styles from './CheckPage.module.css';

interface PlanSummaryProps {
  readonly plan: Plan;
  /** The series if the plan is run several times; otherwise null. */
  readonly series: Series | null;
  readonly description: Description;
}

export function PlanSummary({ plan, series, description }: PlanSummaryProps) {
  const checkWords = words.wizard.check;
  const { urls, seconds, requests } =
    series === null
      ? { urls: linesOfTargets(plan), seconds: description.durationSeconds, requests: description.requests }
      : seriesTotals({ plan, series });
  return (
    <Card title={checkWords.summary} actions={series === null ? <CiStepButton plan={plan} /> : null}>
      <Facts
        hasLongNames
        facts={[
          [checkWords.summaryTargets, renderLines(urls)],
          [checkWords.summaryLoad, loadSizeText(sizeOf(plan.load))],
          series === null ? null : [checkWords.summaryRuns, renderLines(describeSeries({ plan, series }))],
          [checkWords.summaryDuration, seconds === null ? checkWords.summaryUnknown : formatSeconds(seconds)],
          requests === null ? null : [checkWords.summaryRequests, formatCount(requests)],
          [checkWords.summaryCriteria, criteriaText(description.criteria)],
          plan.leavesBehind.length === 0 ? null : [checkWords.leavesBehind, list(plan.leavesBehind)],
        ]}
      />
      <p className={styles.hint}>
        {plan.identify ? `${checkWords.summaryIdentify} ` : ''}
        {checkWords.stopHint}
      </p>
      <Disclosure title={checkWords.inWords}>
        <PlanSentences description={description} steps={plan.journey.length} />
        {description.criteria.length > MAX_CRITERIA_SHOWN ? (
          <section className={styles.criteria}>
            <h4>{checkWords.summaryCriteria}</h4>
            <CriteriaList plan={plan} criteria={description.criteria} />
          </section>
        ) : null}
        {plan.lookAt.length === 0 ? null : (
          <section className={styles.criteria}>
            <h4>{checkWords.summaryLookAt}</h4>
            {list(plan.lookAt)}
          </section>
        )}
      </Disclosure>
    </Card>
  );
}

/** Maximum number of criteria that are listed. If there are more, only their number is shown here, and the collapsed plan lists them. */
const MAX_CRITERIA_SHOWN = 3;

function criteriaText(criteria: readonly string[]) {
  if (criteria.length > MAX_CRITERIA_SHOWN) return words.wizard.criteria.count(criteria.length);
  return criteria.length === 0 ? words.wizard.check.summaryMeasured : list(criteria);
}

function renderLines(lines: readonly string[]) {
  return lines.map((line) => <div key={line}>{line}</div>);
}

function list(lines: readonly string[]) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Maximum number of criteria in one list. If there are more, they are grouped by stage. */
const MAX_UNGROUPED = 8;

function CriteriaList({ plan, criteria }: { readonly plan: Plan; readonly criteria: readonly string[] }) {
  const checkWords = words.wizard.check;
  if (criteria.length <= MAX_UNGROUPED) return list(criteria);
  return criteriaByStage(plan).map(({ stage, steps }) => (
    <section key={stage ?? ''} className={styles.criteria}>
      <h5>{stage === null ? checkWords.criteriaOfAll : checkWords.listCriteria(stage)}</h5>
      <ul>
        {steps.map(({ step, criteria }) => (
          <li key={step ?? ''}>
            <strong>{step ?? checkWords.everyRequest}</strong>: {criteria.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  ));
}
