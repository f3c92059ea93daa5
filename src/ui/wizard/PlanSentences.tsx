import { Stack } from '#ui/components/Page.tsx';
import type { Description } from '#core/review/describe.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { words } from '#ui/words/words.ts';

/** Maximum number of visible sentences about the steps, and about the load. If there are more, they are collapsed. */
const MAX_OPEN_SENTENCES = 2;

/** Shows a plan as sentences. Amount and duration are visible; steps and stages may be collapsed. */
export function PlanSentences({ description, steps }: { readonly description: Description; readonly steps: number }) {
  const visitorWords = words.wizard.visitor;
  const { stages, aboutLoad, aboutSteps } = foldSentences(description);
  const parts = [
    { title: visitorWords.stages, summary: visitorWords.stageCount(stages), sentences: aboutLoad },
    { title: visitorWords.title, summary: visitorWords.count(steps), sentences: aboutSteps },
  ].filter(({ sentences }) => sentences.length > 0);
  return (
    <Stack gap={8}>
      <Sentences sentences={openSentences(description)} />
      {parts.map(({ title, summary, sentences }) => (
        <Disclosure key={title} title={title} summary={summary}>
          <Sentences sentences={sentences} />
        </Disclosure>
      ))}
    </Stack>
  );
}

/** Returns the sentences that are visible: those about the whole plan. */
export function openSentences(description: Description): string[] {
  const { aboutLoad, aboutSteps } = foldSentences(description);
  return description.sentences.filter((sentence) => !aboutLoad.includes(sentence) && !aboutSteps.includes(sentence));
}

/** Returns the sentences that are collapsed: long lists of steps or stages. */
function foldSentences({
  aboutSteps,
  aboutLoad,
  profile,
}: Description): Pick<Description, 'aboutSteps' | 'aboutLoad'> & { readonly stages: number } {
  const stages = new Set(profile.map(({ stage }) => stage)).size;
  return {
    stages,
    aboutLoad: stages > 1 && aboutLoad.length > MAX_OPEN_SENTENCES ? aboutLoad : [],
    aboutSteps: aboutSteps.length > MAX_OPEN_SENTENCES ? aboutSteps : [],
  };
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <Stack gap={8}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Stack>
  );
}
