import type { NumberEntry } from '#ui/components/numbers.ts';
import { Footprints } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Issue } from '#core/plan/issues.ts';
import { chooseFoundPages } from '#core/presets/pageList.ts';
import type { Preset, Question } from '#core/presets/schema.ts';
import { NumberField, TextField } from '#ui/components/Field.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { RecordField } from '#ui/components/RecordField.tsx';
import { registerLazy } from '#ui/shared/later.ts';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { useKeptSecret } from '#ui/shared/useKeptSecret.ts';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { getAnswer, answerProblem, linksSeen } from './state/answers.ts';
import { answerPath, messageAt } from './state/readiness.ts';
import { DatabaseAnswer } from './DatabaseAnswer.tsx';
import { FileField } from './FileField.tsx';
import { useWizard } from './WizardProvider.tsx';
import { readReference } from '#core/plan/secretReference.ts';

interface SecretAnswerProps {
  readonly label: string;
  readonly help: string;
  /** Current reference to the secret. */
  readonly reference: string;
  readonly onKept: (reference: string) => void;
  readonly error: string | null;
}

/** Field for a secret. The text exists only in this component until the backend has stored it. */
function SecretAnswer({ label, help, reference, onKept, error }: SecretAnswerProps) {
  const secret = useKeptSecret(onKept);
  const loadWords = words.wizard.load;
  const where = readReference(reference)?.kind;
  const isKept = where === 'session';
  const isFound = where === 'file';
  return (
    <Stack gap={8}>
      <TextField
        label={label}
        help={isKept ? loadWords.secretKept : isFound ? loadWords.secretFound : help}
        type="password"
        value={secret.text}
        onChange={secret.setText}
        onBlur={secret.keep}
        onEnter={secret.keep}
        error={error}
        placeholder={isKept || isFound ? loadWords.secretReplace : ''}
      />
      {secret.error ? <ProblemBanner problem={secret.error} onRetry={secret.keep} /> : null}
    </Stack>
  );
}

const CrawlDialog = lazy(registerLazy(async () => ({ default: (await import('./pages/CrawlDialog.tsx')).CrawlDialog })));

interface PagesAnswerProps {
  readonly label: string;
  readonly help: string;
  /** The pages, one path per line. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | null;
}

const ROWS = 6;

/** Field for a list of pages, which the user enters or finds by crawling the site. */
function PagesAnswer({ label, help, value, onChange, error }: PagesAnswerProps) {
  const { state } = useWizard();
  const [isOpen, setOpen] = useState(false);
  const [target] = state.targets;
  return (
    <Stack gap={8}>
      <TextField label={label} help={help} value={value} onChange={onChange} error={error} rows={ROWS} code />
      <div>
        <Button size="small" icon={<Footprints />} onPress={() => setOpen(true)}>
          {words.wizard.crawl.open}
        </Button>
      </div>
      {isOpen && target ? (
        <Suspense>
          <CrawlDialog
            target={target}
            onUse={(paths) => {
              onChange(paths.join('\n'));
              setOpen(false);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </Stack>
  );
}

interface AnswerFieldsProps {
  readonly preset: Preset;
  readonly answers: Readonly<Record<string, NumberEntry>>;
  /** Questions to show fields for. */
  readonly questions: readonly Question[];
  readonly issues: readonly Issue[];
}

export function AnswerFields({ preset, answers, questions, issues }: AnswerFieldsProps) {
  const { state } = useWizard();
  const links = linksSeen(state);
  return questions.map((question) => (
    <AnswerField
      key={`${preset.id} ${question.id}`}
      question={state.practice === null ? withoutPracticeHelp(question) : question}
      answer={getAnswer(question, answers, links)}
      found={chooseFoundPages(question, links)}
      issue={messageAt(issues, answerPath(question.id))}
    />
  ));
}

/** Removes the sentences about practice servers from the help of a question, for tests of other servers. */
export function withoutPracticeHelp(question: Question): Question {
  const sentences = question.help.split(/(?<=[.?])\s+/);
  return { ...question, help: sentences.filter((sentence) => !/\ba practice server gets\b/i.test(sentence)).join(' ') };
}

/** Maximum number of choices that are shown as radio buttons. More choices are shown in a select field. */
const MAX_RADIOS = 6;

interface AnswerFieldProps {
  readonly question: Question;
  readonly answer: NumberEntry;
  /** Pages of the target from which the user can choose. */
  readonly found: readonly string[];
  readonly issue: string | null;
}

function AnswerField({ question, answer, found, issue }: AnswerFieldProps) {
  const { dispatch } = useWizard();
  const change = (next: NumberEntry): void => dispatch({ type: 'answerChanged', question: question.id, answer: next });
  const { label, help } = question;
  const entered = { label, help, value: String(answer), onChange: change, error: issue };
  switch (question.kind) {
    case 'pages':
      return <PagesAnswer {...entered} />;
    case 'secret':
      return <SecretAnswer label={label} help={help} reference={String(answer)} onKept={change} error={issue} />;
    case 'database':
      return <DatabaseAnswer {...entered} counted={question.counted} />;
    case 'choice': {
      const choices = question.options.map((option) => ({ value: String(option.value), label: option.label }));
      const choose = (text: unknown): void => {
        const option = question.options.find(({ value }) => String(value) === text);
        if (option) change(option.value);
      };
      return (
        <RecordField
          field={{ kind: choices.length > MAX_RADIOS ? 'select' : 'row', label, help, choices }}
          value={answer}
          onChange={choose}
        />
      );
    }
    case 'text':
      if (question.file) return <FileField {...entered} />;
      if (found.length > 1 && found.includes(String(answer)))
        return <Select {...entered} choices={found.map((page) => ({ value: page, label: page }))} />;
      return <TextField {...entered} />;
    case 'number': {
      const { unit, min, max } = question;
      return <NumberField {...entered} value={answer} unit={unit} min={min} max={max} error={answerProblem(question, answer) ?? issue} />;
    }
    default:
      return question satisfies never;
  }
}
