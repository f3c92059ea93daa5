import type { Issue } from '#core/plan/issues.ts';
import { foundPages } from '#core/presets/pageList.ts';
import type { Preset, Question } from '#core/presets/schema.ts';
import { NumberField, TextField } from '#ui/components/Field.tsx';
import { RadioCards } from '#ui/components/RadioCards.tsx';
import { Select } from '#ui/components/Select.tsx';
import { answerOf, answerProblem, linksSeen, questionsToAsk } from './state/answers.ts';
import { answerPath, messageAt } from './state/issues.ts';
import type { NumberEntry } from './state/types.ts';
import { DatabaseAnswer } from './DatabaseAnswer.tsx';
import { PagesAnswer } from './pages/PagesAnswer.tsx';
import { SecretAnswer } from './SecretAnswer.tsx';
import { useWizard } from './WizardContext.ts';

interface AnswerFieldsProps {
  readonly preset: Preset;
  readonly answers: Readonly<Record<string, NumberEntry>>;
  readonly issues: readonly Issue[];
  /** Those that are asked before the address, or the others. */
  readonly first: boolean;
}

/** Only the questions that apply. */
export function AnswerFields({ preset, answers, issues, first }: AnswerFieldsProps) {
  const links = linksSeen(useWizard().state);
  const questions = questionsToAsk(preset, answers).filter((question) => question.first === first);
  return questions.map((question) => (
    <AnswerField
      key={`${preset.id} ${question.id}`}
      question={question}
      answer={answerOf(question, answers, links)}
      found={foundPages(question, links)}
      issue={messageAt(issues, answerPath(question.id))}
    />
  ));
}

/** More choices than this are a list that opens. */
const MAX_RADIOS = 4;

function AnswerField({
  question,
  answer,
  found,
  issue,
}: {
  readonly question: Question;
  readonly answer: NumberEntry;
  /** Pages of the target that can answer it. */
  readonly found: readonly string[];
  readonly issue: string | null;
}) {
  const { dispatch } = useWizard();
  const change = (next: NumberEntry): void => dispatch({ type: 'answerChanged', question: question.id, answer: next });
  const { label, help } = question;
  switch (question.kind) {
    case 'number':
      return (
        <NumberField
          label={label}
          help={help}
          value={answer}
          onChange={change}
          unit={question.unit}
          min={question.min}
          max={question.max}
          error={answerProblem(question, answer) ?? issue}
        />
      );
    case 'text':
      if (found.includes(String(answer)))
        return (
          <Select
            label={label}
            help={help}
            value={String(answer)}
            choices={found.map((page) => ({ value: page, label: page }))}
            onChange={change}
          />
        );
      return <TextField label={label} help={help} value={String(answer)} onChange={change} error={issue} />;
    case 'pages':
      return <PagesAnswer label={label} help={help} value={String(answer)} onChange={change} error={issue} />;
    case 'secret':
      return <SecretAnswer label={label} help={help} reference={String(answer)} onKept={change} error={issue} />;
    case 'database':
      return <DatabaseAnswer label={label} help={help} counted={question.counted} value={String(answer)} onChange={change} error={issue} />;
    case 'choice': {
      const chosen = (text: string): void => {
        const option = question.options.find(({ value }) => String(value) === text);
        if (option) change(option.value);
      };
      const choices = question.options.map((option) => ({ value: String(option.value), label: option.label }));
      return choices.length > MAX_RADIOS ? (
        <Select label={label} help={help} value={String(answer)} choices={choices} onChange={chosen} />
      ) : (
        <RadioCards
          label={label}
          help={help}
          layout="row"
          value={String(answer)}
          onChange={chosen}
          cards={choices.map((choice) => ({ value: choice.value, name: choice.label, content: choice.label }))}
        />
      );
    }
    default:
      return question satisfies never;
  }
}
