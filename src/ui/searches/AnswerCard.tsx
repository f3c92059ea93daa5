import { searchFacts } from '#core/presentation/document/searchTables.ts';
import { characterFacts } from '#core/search/characterize/table.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchResult } from '#core/search/result.ts';
import { Banner } from '../components/Banner.tsx';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches;

/** The sentence, the numbers in it, and why; while the search goes, as far as it is known. */
export function AnswerCard({ result: { search, answer, document } }: { readonly result: SearchResult }) {
  return (
    <Card title={search.endedAt === null ? texts.answerSoFar : texts.answer}>
      <Stack gap={16}>
        <p className={styles.sentence} aria-live="polite">
          {answer.sentence}
        </p>
        <Gauges answer={answer} plan={document.plan} />
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

function Reasons({ answer }: { readonly answer: SearchResult['answer'] }) {
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

/** The same facts as in the report. */
function Gauges({ answer, plan }: { readonly answer: SearchResult['answer']; readonly plan: Plan }) {
  const facts =
    answer.kind === 'breakingPoint'
      ? searchFacts(answer, plan).map(([name, value]) => ({ name, value, range: '' }))
      : characterFacts(answer);
  return (
    <dl className={styles.gauges}>
      {facts.map(({ name, value, range }) => (
        <div key={name} className={styles.gauge}>
          <dt>{name}</dt>
          <dd>
            {value}
            {range === '' ? null : <span className={styles.about}>{range}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
