import type { ReactNode } from 'react';
import { levelWords } from '#core/search/breakingPoint/levels.ts';
import type { BreakingPointAnswer, Gauge } from '#core/search/breakingPoint/schema.ts';
import type { CharacterAnswer } from '#core/search/characterize/schema.ts';
import { characterFacts } from '#core/search/characterize/table.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { StudyResult } from '#core/search/result.ts';
import { formatSeconds } from '#core/base/units.ts';
import { Banner } from '../components/Banner.tsx';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './StudyPage.module.css';

const texts = words.studies;

/** The sentence, the numbers in it, and why; while the search goes, as far as it is known. */
export function AnswerCard({ result: { study, answer, document } }: { readonly result: StudyResult }) {
  return (
    <Card title={study.endedAt === null ? texts.answerSoFar : texts.answer}>
      <Stack gap={16}>
        <p className={styles.sentence} aria-live="polite">
          {answer.sentence}
        </p>
        {answer.kind === 'breakingPoint' ? <SearchGauges answer={answer} plan={document.plan} /> : <CharacterGauges answer={answer} />}
        <Reasons answer={answer} />
        {answer.kind === 'characterize' && answer.trap !== null ? (
          <Banner tone="info" title={texts.character.trap}>
            {answer.trap}
          </Banner>
        ) : null}
      </Stack>
    </Card>
  );
}

function Reasons({ answer }: { readonly answer: StudyResult['answer'] }) {
  const reasons =
    answer.kind === 'breakingPoint'
      ? answer.reasons.map((text) => ({ about: '', text }))
      : answer.reasoning.map(({ about, text }) => ({ about: `${about}: `, text }));
  if (reasons.length === 0) return null;
  return (
    <Stack gap={8}>
      <h3 className={styles.subtitle}>{texts.why}</h3>
      <ul className={styles.sentences}>
        {reasons.map(({ about, text }) => (
          <li key={about + text}>
            {about === '' ? null : <strong>{about}</strong>}
            {text}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function SearchGauges({ answer, plan }: { readonly answer: BreakingPointAnswer; readonly plan: Plan }) {
  const say = texts.gauges;
  const level = (value: number | null): string => (value === null ? say.notYet : levelWords(plan.load, value));
  const gauge = ({ upTo, from }: Gauge): string => (upTo === null && from !== null ? say.none : level(upTo));
  const { recovery, prediction } = answer;
  return (
    <dl className={styles.gauges}>
      <Figure name={say.held}>{level(answer.held)}</Figure>
      <Figure name={say.broke}>{level(answer.broke)}</Figure>
      <Figure name={say.withoutTimeout}>{gauge(answer.withoutTimeout)}</Figure>
      <Figure name={say.withoutError}>{gauge(answer.withoutError)}</Figure>
      {prediction === null ? null : <Figure name={say.predicted}>{level(prediction.level)}</Figure>}
      {recovery === null ? null : (
        <Figure name={say.recovery}>
          {recovery.seconds !== null
            ? formatSeconds(recovery.seconds)
            : recovery.reason === null
              ? say.notWithin(formatSeconds(recovery.watchedSeconds))
              : say.notYet}
        </Figure>
      )}
    </dl>
  );
}

/** The same facts as in the table of the report. */
function CharacterGauges({ answer }: { readonly answer: CharacterAnswer }) {
  return (
    <dl className={styles.gauges}>
      {characterFacts(answer).map(({ name, value, range }) => (
        <Figure key={name} name={name} about={range}>
          {value}
        </Figure>
      ))}
    </dl>
  );
}

function Figure({ name, about = '', children }: { readonly name: string; readonly about?: string; readonly children: ReactNode }) {
  return (
    <div className={styles.gauge}>
      <dt>{name}</dt>
      <dd>
        {children}
        {about === '' ? null : <span className={styles.about}>{about}</span>}
      </dd>
    </div>
  );
}
