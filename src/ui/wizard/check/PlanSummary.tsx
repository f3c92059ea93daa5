import type { Plan } from '#core/plan/schema.ts';
import type { Description } from '#core/presets/schema.ts';
import { formatCount, formatSeconds } from '#core/units.ts';
import { Card } from '#ui/components/Card.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';

export function PlanSummary({ plan, description }: { readonly plan: Plan; readonly description: Description }) {
  const say = words.wizard.check;
  return (
    <Card title={say.summary}>
      <div className={styles.sentences}>
        {description.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <dl className={styles.summary}>
        <dt>{say.summaryTargets}</dt>
        <dd>
          {plan.targets.map(({ url }) => (
            <div key={url}>{url}</div>
          ))}
        </dd>
        <dt>{say.summaryDuration}</dt>
        <dd>{description.durationSeconds === null ? say.summaryUnknown : formatSeconds(description.durationSeconds)}</dd>
        <dt>{say.summaryRequests}</dt>
        <dd>{description.requests === null ? say.summaryUnknown : formatCount(description.requests)}</dd>
        <dt>{say.summaryObjectives}</dt>
        <dd>
          {description.objectives.length === 0 ? (
            say.summaryMeasured
          ) : (
            <ul>
              {description.objectives.map((objective) => (
                <li key={objective}>{objective}</li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
      <p className={styles.muted}>
        {plan.identify ? `${say.summaryIdentify} ` : ''}
        {say.stopHint}
      </p>
    </Card>
  );
}
