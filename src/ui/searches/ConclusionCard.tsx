import { capitalize } from '#core/base/text.ts';
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
/** Maximum number of visible reasons. The deciding reasons come first. */
const MAX_OPEN_REASONS = 6;

/** The conclusion of a search as a sentence, with figures and reasons. While the search runs, this is the conclusion so far. */
export function ConclusionCard({ result: { search, conclusion, document } }: { readonly result: SearchResult }) {
  return (
    <Card title={search.endedAt === null ? texts.resultSoFar : texts.conclusion}>
      <Stack gap={16}>
        <Gauges conclusion={conclusion} plan={document.plan} />
        <Reasons conclusion={conclusion} />
        {conclusion.kind === 'characterize' && conclusion.trap !== null ? (
          <Banner tone="info" title={texts.character.trap}>
            {conclusion.trap}
          </Banner>
        ) : null}
      </Stack>
    </Card>
  );
}

function Reasons({ conclusion }: { readonly conclusion: SearchResult['conclusion'] }) {
  const reasons =
    conclusion.kind === 'breakingPoint'
      ? conclusion.reasons.map((text) => ({ about: '', text }))
      : conclusion.reasoning.map(({ about, text }) => ({ about: `${capitalize(about)}: `, text }));
  if (reasons.length === 0) return null;
  const remainingReasons = reasons.slice(MAX_OPEN_REASONS);
  return (
    <Stack gap={8}>
      <h3 className={styles.subtitle}>{texts.why}</h3>
      <ReasonList reasons={reasons.slice(0, MAX_OPEN_REASONS)} />
      {remainingReasons.length === 0 ? null : (
        <Disclosure title={texts.moreReasons(formatCount(remainingReasons.length))}>
          <ReasonList reasons={remainingReasons} />
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

/** Shows the same facts as the report does. */
function Gauges({ conclusion, plan }: { readonly conclusion: SearchResult['conclusion']; readonly plan: Plan }) {
  const facts =
    conclusion.kind === 'breakingPoint'
      ? searchFacts(conclusion, plan).map(([name, value]) => ({ name, value, range: '' }))
      : characterFacts(conclusion);
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
