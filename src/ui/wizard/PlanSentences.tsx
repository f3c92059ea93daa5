import type { Description } from '#core/review/description.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { words } from '#ui/words/words.ts';
import styles from './PlanSentences.module.css';

/** More sentences about the steps, or about the load, than these are folded away. */
const MOST_AT_ONCE = 2;

/** A plan in words: how much is sent and for how long at once, what happens in each step and stage for whoever asks. */
export function PlanSentences({ description, steps }: { readonly description: Description; readonly steps: number }) {
  const say = words.wizard.visitor;
  const { stages, aboutLoad, aboutSteps } = folded(description);
  const parts = [
    { title: say.stages, summary: say.stageCount(stages), sentences: aboutLoad },
    { title: say.title, summary: say.count(steps), sentences: aboutSteps },
  ].filter(({ sentences }) => sentences.length > 0);
  return (
    <div className={styles.parts}>
      <Sentences sentences={shortly(description)} />
      {parts.map(({ title, summary, sentences }) => (
        <Disclosure key={title} title={title} summary={summary}>
          <Sentences sentences={sentences} />
        </Disclosure>
      ))}
    </div>
  );
}

/** What a plan does as a whole, in sentences: without what is folded away. */
export function shortly(description: Description): string[] {
  const { aboutLoad, aboutSteps } = folded(description);
  return description.sentences.filter((sentence) => !aboutLoad.includes(sentence) && !aboutSteps.includes(sentence));
}

/** What is folded away: long lists of steps, and of stages where there are several. */
function folded({
  aboutSteps,
  aboutLoad,
  profile,
}: Description): Pick<Description, 'aboutSteps' | 'aboutLoad'> & { readonly stages: number } {
  const stages = new Set(profile.map(({ stage }) => stage)).size;
  return {
    stages,
    aboutLoad: stages > 1 && aboutLoad.length > MOST_AT_ONCE ? aboutLoad : [],
    aboutSteps: aboutSteps.length > MOST_AT_ONCE ? aboutSteps : [],
  };
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
