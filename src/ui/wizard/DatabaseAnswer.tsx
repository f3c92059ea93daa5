import { useKeptSecret } from '#ui/shared/useKeptSecret.ts';
import { listConsentsInFile, listAsks } from '#core/review/asks/ask.ts';
import { readDatabase } from '#core/presets/answers.ts';
import { type CountedTable, type DatabaseRights, missingSql, roleSql, statesSeen } from '#core/presets/database.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button, CopyButton } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import styles from './DatabaseAnswer.module.css';
import { readReference } from '#core/plan/secretReference.ts';

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
export function DatabaseAnswer({ label, help, counted, value, onChange, error }: DatabaseAnswerProps) {
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
