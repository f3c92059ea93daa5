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
import { Button, CopyButton } from '#ui/components/Button.tsx';
import { Stack, Inline } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { useKeptSecret } from '#ui/shared/useKeptSecret.ts';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { getAnswer, answerProblem, linksSeen } from './state/answers.ts';
import { answerPath, messageAt } from './state/readiness.ts';
import { FileField } from './FileField.tsx';
import { useWizard } from './WizardProvider.tsx';
import { readReference } from '#core/plan/secretReference.ts';
import { listConsentsInFile, listAsks } from '#core/review/asks/ask.ts';
import { readDatabase } from '#core/presets/answers.ts';
import { type CountedTable, type DatabaseRights, missingSql, roleSql, statesSeen } from '#core/presets/database.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import styles from './DatabaseAnswer.module.css';

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

interface DatabaseAnswerProps {
  readonly label: string;
  readonly help: string;
  readonly counted: CountedTable | undefined;
  /** Reference to the database address. If it is empty, the database is not examined. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | null;
}

/** Field for a database address. The address is stored as a secret once it is entered; a button tests the address. */
function DatabaseAnswer({ label, help, counted, value, onChange, error }: DatabaseAnswerProps) {
  const look = useAction('databases.rights');
  const databaseWords = words.wizard.database;
  const useReference = (reference: string): void => {
    onChange(reference);
    look.reset();
  };
  const secret = useKeptSecret(useReference, (text) => text.trim());
  const keepConnection = (): void => {
    const typedText = secret.text.trim();
    const read = readDatabase(typedText);
    if (typeof read === 'string') return secret.keep();
    // Text that is neither an address nor a reference is shown as an error and is not stored.
    if (typedText !== '') useReference(typedText);
    secret.setText('');
  };
  const test = (): void => {
    const connection = readDatabase(value);
    if (connection === null) return;
    const agreedKeys = listConsentsInFile(listAsks({ plan: { monitors: [{ kind: 'postgres', connection }] } }));
    look.mutate({ connection, agreed: agreedKeys, ...(counted && { counted }) });
  };
  return (
    <Stack gap={8}>
      <TextField
        label={label}
        help={isKeptSecret(value) ? words.wizard.load.secretKept : help}
        type="password"
        value={secret.text}
        onChange={secret.setText}
        onBlur={keepConnection}
        onEnter={keepConnection}
        error={error}
        placeholder={placeholderFor(value)}
      />
      {secret.error ? <ProblemBanner problem={secret.error} onRetry={secret.keep} /> : null}
      {value === '' || error !== null ? null : (
        <Inline>
          <Button size="small" isPending={look.isPending} onPress={test}>
            {databaseWords.test}
          </Button>
          <Button size="small" look="quiet" onPress={() => useReference('')}>
            {databaseWords.without}
          </Button>
        </Inline>
      )}
      {look.error ? <ProblemBanner problem={look.error} onRetry={test} /> : null}
      {look.data ? <RightsResult rights={look.data} counted={counted} /> : null}
      <Disclosure title={databaseWords.role}>
        <p>{databaseWords.roleStory}</p>
        <SqlText text={roleSql(counted)} />
      </Disclosure>
    </Stack>
  );
}

function isKeptSecret(value: string): boolean {
  return readReference(value)?.kind === 'session';
}

/** Returns the placeholder. It shows only references, because any other text may be a mistyped address with a password. */
function placeholderFor(value: string): string {
  const { example } = words.wizard.database;
  if (isKeptSecret(value)) return words.wizard.load.secretReplace;
  const read = readDatabase(value);
  return typeof read === 'object' && read !== null ? value : example;
}

function RightsResult({ rights, counted }: { readonly rights: DatabaseRights; readonly counted: CountedTable | undefined }) {
  const databaseWords = words.wizard.database;
  const lacks = [
    ...(statesSeen(rights) === 'tooFew' ? [databaseWords.noStates] : []),
    ...(rights.counts === 'forbidden' ? [databaseWords.noRows(counted?.table ?? '')] : []),
    ...(rights.counts === 'noTable' ? [databaseWords.noTable(counted?.table ?? '', rights.database)] : []),
  ];
  const sql = missingSql(rights, counted);
  return (
    <Banner
      tone={lacks.length === 0 ? 'passed' : 'inconclusive'}
      title={databaseWords.entered(rights.user, rights.database, rights.version)}
      announce="status"
    >
      {lacks.length === 0 ? databaseWords.enough : lacks.join(' ')}
      {sql === '' ? null : <SqlText text={sql} />}
    </Banner>
  );
}

function SqlText({ text }: { readonly text: string }) {
  return (
    <div className={styles.sql}>
      <pre>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
