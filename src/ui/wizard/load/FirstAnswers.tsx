import type { NumberEntry } from '#ui/components/numbers.ts';
import type { Preset } from '#core/presets/schema.ts';
import { words } from '#ui/words/words.ts';
import { pagePath } from '../StepRail.tsx';
import { answerOf, questionsToAsk } from '../state/answers.ts';
import styles from './FirstAnswers.module.css';

interface FirstAnswersProps {
  readonly preset: Preset;
  readonly answers: Readonly<Record<string, NumberEntry>>;
}

/** Values that were chosen with the question. They define the meaning of the numbers below. */
export function FirstAnswers({ preset, answers }: FirstAnswersProps) {
  const say = words.wizard.load;
  const chosen = questionsToAsk(preset, answers).flatMap((question) => {
    if (!question.first || question.kind !== 'choice') return [];
    const given = answerOf(question, answers);
    const option = question.options.find(({ value }) => value === given);
    return option ? [{ id: question.id, label: question.label, option: option.label }] : [];
  });
  if (chosen.length === 0) return null;
  return (
    <div className={styles.box}>
      <dl className={styles.answers}>
        {chosen.map(({ id, label, option }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>{option}</dd>
          </div>
        ))}
      </dl>
      <a href={`#${pagePath('question')}`}>{say.changeFirst}</a>
    </div>
  );
}
