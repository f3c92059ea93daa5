import type { Plan } from '#core/plan/schema/plan.ts';
import type { Ending, RunResult } from '#core/result/schema.ts';
import { formatNotJudged } from '#core/judgement/verdict/notJudged.ts';
import { headFigures } from '#core/presentation/document/headFigures.ts';
import { listOtherReasons, makeVerdictBlock } from '#core/presentation/document/words.ts';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Tiles } from '../components/Tiles.tsx';
import { VerdictBanner } from '#ui/components/Marks.tsx';
import { words } from '../words/words.ts';
import styles from './VerdictHead.module.css';
import { formatAfterOutcome } from '#core/judgement/verdict/labels.ts';
import { formatDuet } from '#core/result/duet.ts';
import { isByOlderRules } from '#core/result/verdict.ts';

const texts = words.results;

/** Reasons for an early end that are already stated in the title. */
const ENDINGS_IN_TITLE: ReadonlySet<Ending['code']> = new Set(['user', 'closed']);

/** The verdict in large type, with the main figures. */
export function VerdictHead({ result }: { readonly result: RunResult }) {
  const { verdict, run } = result;
  const block = makeVerdictBlock(verdict);
  const notJudged = formatNotJudged(verdict);
  return (
    <div className={styles.head}>
      {run.endedBecause ? (
        <Banner tone={run.endedBecause.code === 'failure' ? 'failed' : 'info'} title={texts.early[run.endedBecause.code]}>
          {ENDINGS_IN_TITLE.has(run.endedBecause.code) ? '' : run.endedBecause.text} {texts.early.kept}
        </Banner>
      ) : null}
      <VerdictBanner outcome={verdict.outcome} title={block.title} rest={formatAfterOutcome(block)}>
        {result.duet === undefined ? null : <p>{formatDuet(result.duet)}</p>}
        {notJudged === '' ? null : <p>{notJudged}</p>}
        {isByOlderRules(verdict) ? <p>{texts.olderRules}</p> : null}
      </VerdictBanner>
      <Tiles label={texts.keyFigures} tiles={headFigures(result)} />
    </div>
  );
}

/**
 * Reasons of the verdict beyond its criteria, next steps and, collapsed, the coverage of the run. Renders nothing if all of these are
 * empty.
 */
export function VerdictReasons({ result, onRunPlan }: { readonly result: RunResult; readonly onRunPlan: (plan: Plan) => void }) {
  const { verdict, plan } = result;
  const coverage = [
    { title: texts.exercised, items: verdict.exercised },
    { title: texts.notExercised, items: verdict.notExercised },
    { title: texts.lookAt, items: plan.lookAt },
    { title: texts.leavesBehind, items: plan.leavesBehind },
  ].filter(({ items }) => items.length > 0);
  const reasons = listOtherReasons(result);
  if (reasons.length + verdict.next.length + coverage.length === 0) return null;
  return (
    <Card>
      <div className={styles.reasons}>
        <Named title={texts.reasons} items={reasons.map(({ text }) => text)} />
        {verdict.next.length > 0 ? (
          <section className={styles.part}>
            <h2>{texts.next}</h2>
            <ul className={styles.acts}>
              {verdict.next.map(({ kind, label, explanation, plan: next }, index) => (
                <li key={kind} className={styles.act}>
                  {next ? (
                    <Button look={index === 0 ? 'primary' : 'secondary'} onPress={() => onRunPlan(next)}>
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
        {coverage.length > 0 ? (
          <Disclosure level={2} title={texts.coverage} summary={texts.makeCoverage(coverage.map(({ title }) => title))}>
            <div className={styles.parts}>
              {coverage.map(({ title, items }) => (
                <Named key={title} title={title} items={items} level={3} />
              ))}
            </div>
          </Disclosure>
        ) : null}
      </div>
    </Card>
  );
}

function Named({ title, items, level = 2 }: { readonly title: string; readonly items: readonly string[]; readonly level?: 2 | 3 }) {
  if (items.length === 0) return null;
  const Heading = `h${level}` as const;
  return (
    <section className={styles.part}>
      <Heading>{title}</Heading>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
