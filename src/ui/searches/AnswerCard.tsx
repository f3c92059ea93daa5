import { capitalized } from '#core/base/text.ts';
import { searchFacts } from '#core/presentation/document/searchReport.ts';
import { characterFacts } from '#core/search/characterize/table.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchResult } from '#core/search/result.ts';
import { Banner } from '../components/Banner.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches;
/** The deciding reasons come first; more than this many are folded. */
const MAX_OPEN_REASONS = 6;

/** The result of a search as a sentence, with its figures and reasons; while the search runs, the result so far. */
export function AnswerCard({ result: { search, answer, document } }: { readonly result: SearchResult }) {
  return (
    <Card title={search.endedAt === null ? texts.answerSoFar : texts.answer}>
      <Stack gap={16}>
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
      : answer.reasoning.map(({ about, text }) => ({ about: `${capitalized(about)}: `, text }));
  if (reasons.length === 0) return null;
  const rest = reasons.slice(MAX_OPEN_REASONS);
  return (
    <Stack gap={8}>
      <h3 className={styles.subtitle}>{texts.why}</h3>
      <ReasonList reasons={reasons.slice(0, MAX_OPEN_REASONS)} />
      {rest.length === 0 ? null : (
        <Disclosure title={texts.moreReasons(formatCount(rest.length))}>
          <ReasonList reasons={rest} />
        </Disclosure>
      )}
    </Stack>
  );
}

function ReasonList({ reasons }: { readonly reasons: readonly { readonly about: string; readonly text: string }[] }) {
  return (
    <ul className={styles.sentences}>
      {reasons.map(({ about, text }) => (
        <li key={about + text}>
          {about === '' ? null : <strong>{about}</strong>}
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Shows the same facts as the report. */
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
