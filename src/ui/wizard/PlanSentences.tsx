import type { Description } from '#core/review/description.ts';
import { formatCount } from '#core/base/units.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { words } from '#ui/words/words.ts';
import styles from './PlanSentences.module.css';

/** More sentences about the steps than these are folded away. */
const MOST_AT_ONCE = 3;

/** A plan in words: how much is sent and for how long at once, what happens in each step for whoever asks. */
export function PlanSentences({ description, steps }: { readonly description: Description; readonly steps: number }) {
  const { sentences, aboutSteps } = description;
  if (aboutSteps.length <= MOST_AT_ONCE) return <Sentences sentences={sentences} />;
  const say = words.wizard.visitor;
  return (
    <div className={styles.parts}>
      <Sentences sentences={withoutSteps(description)} />
      <Disclosure title={say.title} summary={say.count(formatCount(steps))}>
        <Sentences sentences={aboutSteps} />
      </Disclosure>
    </div>
  );
}

/** What a plan does as a whole, in sentences. */
export function withoutSteps({ sentences, aboutSteps }: Description): string[] {
  return sentences.filter((sentence) => !aboutSteps.includes(sentence));
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div className={styles.sentences}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
