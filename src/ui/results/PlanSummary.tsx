import { stopAtResponseTimeSentence } from '#core/plan/criteria.ts';
import { describePlan } from '#core/review/describe.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatSeconds, formatShare } from '#core/base/units.ts';
import { CopyButton } from '../components/Button.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { linesOfTargets } from '../run/targetLines.ts';
import { words } from '../words/words.ts';
import styles from './PlanSummary.module.css';

const texts = words.results.plan;
/** Maximum number of lines in one column. If there are more, two columns are used where there is room. */
const MAX_COLUMN_LINES = 6;

/** The plan as it was run, as sentences, rules and JSON. Criteria have a table of their own. Secrets appear only as references. */
export function PlanSummary({ plan }: { readonly plan: Plan }) {
  const json = JSON.stringify(plan, null, 2);
  return (
    <div className={styles.plan}>
      {plan.story === '' ? null : <p>{plan.story}</p>}
      <dl className={styles.list}>
        <SummaryEntry name={texts.targets} lines={linesOfTargets(plan)} />
        <SummaryEntry name={texts.stages} lines={describePlan(plan).sentences} />
        <SummaryEntry name={texts.rules} lines={listRules(plan)} />
      </dl>
      <div className={styles.raw}>
        <Disclosure title={texts.raw}>
          <div className={styles.copy}>
            <CopyButton text={json} label={texts.copy} />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- [what scrolls must be reachable with the keyboard] */}
          <pre className={styles.json} tabIndex={0} aria-label={texts.raw}>
            {json}
          </pre>
        </Disclosure>
      </div>
    </div>
  );
}

function SummaryEntry({ name, lines }: { readonly name: string; readonly lines: readonly string[] }) {
  return (
    <div className={styles.entry}>
      <dt>{name}</dt>
      <dd className={lines.length > MAX_COLUMN_LINES ? styles.columns : undefined}>
        {[...new Set(lines)].map((line) => (
          <p key={line}>{line}</p>
        ))}
      </dd>
    </div>
  );
}

/** Returns what the description of the plan omits: the rules that can end a run early, the engine and the seed. */
export function listRules({ safety, engine, seed }: Plan): string[] {
  return [
    ...(safety.stopAtErrorShare === undefined
      ? []
      : [texts.stopAt(formatShare(safety.stopAtErrorShare), formatSeconds(safety.errorWindowSeconds))]),
    ...(safety.stopAtResponseTime === undefined ? [] : [stopAtResponseTimeSentence(safety.stopAtResponseTime)]),
    ...(safety.maxRequests === undefined ? [] : [texts.maxRequests(formatCount(safety.maxRequests))]),
    ...(safety.maxSeconds === undefined ? [] : [texts.maxSeconds(formatSeconds(safety.maxSeconds))]),
    texts.engine(engine, String(seed)),
  ];
}
