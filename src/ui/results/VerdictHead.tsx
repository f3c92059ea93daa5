import { ArrowRight, CircleCheck, CircleMinus, CircleX, Gauge } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult, Verdict, Ending } from '#core/result/schema.ts';
import { verdictParts } from '#core/presentation/document/words.ts';
import { toldReasons } from '#core/judgement/verdict/reasons.ts';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { classes } from '../components/classes.ts';
import tones from '../components/Tone.module.css';
import { words } from '../words/words.ts';
import styles from './VerdictHead.module.css';

interface VerdictHeadProps {
  readonly result: RunResult;
  readonly onRunPlan: (plan: Plan) => void;
}

const icons: Record<Verdict['outcome'], ReactNode> = {
  holds: <CircleCheck />,
  breaks: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
};

const texts = words.results;

/** Endings of which the title says everything. */
const SAID_BY_TITLE: ReadonlySet<Ending['code']> = new Set(['user', 'closed']);

/** The answer in large type, what it is about, why, and what to do next. */
export function VerdictHead({ result, onRunPlan }: VerdictHeadProps) {
  const { verdict, run } = result;
  const { title, rest } = verdictParts(verdict);
  return (
    <div className={styles.head}>
      {run.endedBecause ? (
        <Banner tone={run.endedBecause.code === 'failure' ? 'breaks' : 'info'} title={texts.early[run.endedBecause.code]}>
          {SAID_BY_TITLE.has(run.endedBecause.code) ? '' : run.endedBecause.text} {texts.early.kept}
        </Banner>
      ) : null}
      <section className={classes(styles.verdict, tones[verdict.outcome])} aria-label={words.marks[verdict.outcome]}>
        <span className={styles.icon} aria-hidden="true">
          {icons[verdict.outcome]}
        </span>
        <p className={styles.sentence}>
          <strong>{title}</strong>
          {rest}
        </p>
      </section>
      <div className={styles.parts}>
        {verdict.reasons.length > 0 ? (
          <section className={styles.part}>
            <h2>{texts.reasons}</h2>
            <ul>
              {toldReasons(verdict.reasons).map(({ code, text }) => (
                <li key={`${code} ${text}`}>{text}</li>
              ))}
            </ul>
          </section>
        ) : null}
        <Named title={texts.exercised} items={verdict.exercised} />
        <Named title={texts.notExercised} items={verdict.notExercised} />
        <Named title={texts.lookAt} items={result.plan.lookAt} />
        <Named title={texts.leavesBehind} items={result.plan.leavesBehind} />
      </div>
      {verdict.next.length > 0 ? (
        <section className={styles.next}>
          <h2>{texts.next}</h2>
          <ul className={styles.acts}>
            {verdict.next.map(({ kind, label, explanation, plan }, index) => (
              <li key={kind} className={styles.act}>
                {plan ? (
                  <Button look={index === 0 ? 'primary' : 'secondary'} icon={<ArrowRight />} onPress={() => onRunPlan(plan)}>
                    {label}
                  </Button>
                ) : (
                  <strong>{label}</strong>
                )}
                <p>{explanation}</p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function Named({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
