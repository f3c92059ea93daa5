import type { Description } from '#core/review/description.ts';
import { formatCount } from '#core/base/units.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { words } from '#ui/words/words.ts';
import styles from './PlanSentences.module.css';

/** More sentences about the steps, or about the load, than these are folded away. */
const MOST_AT_ONCE = 2;

interface PlanSentencesProps {
  readonly description: Description;
  readonly steps: number;
  readonly stages: number;
}

/** A plan in words: how much is sent and for how long at once, what happens in each step and stage for whoever asks. */
export function PlanSentences({ description, steps, stages }: PlanSentencesProps) {
  const say = words.wizard.visitor;
  const { aboutSteps, aboutLoad } = description;
  const folded = [
    { title: say.stages, summary: say.stageCount(formatCount(stages)), sentences: aboutLoad },
    { title: say.title, summary: say.count(formatCount(steps)), sentences: aboutSteps },
  ].filter(({ sentences }) => sentences.length > MOST_AT_ONCE);
  return (
    <div className={styles.parts}>
      <Sentences sentences={shortly(description)} />
      {folded.map(({ title, summary, sentences }) => (
        <Disclosure key={title} title={title} summary={summary}>
          <Sentences sentences={sentences} />
        </Disclosure>
      ))}
    </div>
  );
}

/** What a plan does as a whole, in sentences: without what is folded away. */
export function shortly({ sentences, aboutSteps, aboutLoad }: Description): string[] {
  const folded = new Set([aboutSteps, aboutLoad].filter(({ length }) => length > MOST_AT_ONCE).flat());
  return sentences.filter((sentence) => !folded.has(sentence));
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
