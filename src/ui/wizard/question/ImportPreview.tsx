import { listAsks, needsAgreement } from '#core/review/asks/ask.ts';
import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import { capitalize, visibleLine } from '#core/base/text.ts';
import type { Choice, ChosenParts, ImportedPlan, Note } from '#core/import/imported.ts';
import { formatCount } from '#core/base/units.ts';
import { sizeOf } from '#core/work/load/stages.ts';
import { AskList } from '#ui/shared/AgreementProblem.tsx';
import { Banner } from '#ui/components/Banner.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelList } from '#ui/components/Marks.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { loadSizeText } from '#ui/run/loadSize.ts';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { askedNames } from './usePaste.ts';

/** Maximum number of checkboxes. More would slow the page down, and nobody reads them. */
const MAX_CHECKBOXES = 500;

/** Returns all choices that are selected and the first of the others, in the order of the document. */
export function shownChoices(choices: readonly Choice[]): readonly Choice[] {
  if (choices.length <= MAX_CHECKBOXES) return choices;
  let remaining = MAX_CHECKBOXES - choices.filter(({ isTaken }) => isTaken).length;
  return choices.filter(({ isTaken }) => {
    if (!isTaken) remaining -= 1;
    return isTaken || remaining >= 0;
  });
}

/**
 * Describes what was recognized and is named `called`. States whether the plan differs from the source, or only assumes what the source
 * leaves open. For a plain address, describes only the proposed load.
 */
export function foundText({ notes, plan }: Pick<ImportedPlan, 'notes' | 'plan'>, called: string, isPlain = false): string {
  const importedWords = words.wizard.question.imported;
  if (isPlain) return importedWords.address(loadSizeText(sizeOf(plan.load)));
  const hasNote = (...kinds: readonly Note['kind'][]): boolean => notes.some((note) => kinds.includes(note.kind));
  const coverage = hasNote('leftOut', 'changed') ? 'differs' : hasNote('assumed') ? 'assumes' : 'complete';
  const count = plan.journey.length;
  return importedWords.found(called, formatCount(count), count === 1, importedWords.coverage[coverage]);
}

interface ImportPreviewProps {
  readonly imported: Omit<ImportedPlan, 'kind'>;
  /** Name of the source within a sentence. */
  readonly called: string;
  /** Whether the source is a plain address; see {@link isPlainAddress}. */
  readonly isPlain?: boolean;
  /** Secrets that the user entered, by the names that the source uses. */
  readonly answers: ReadonlyMap<string, string>;
  readonly onAnswer: (name: string, value: string) => void;
  /** Called with the parts of the document that the user selected. */
  readonly onChoose: (chosen: ChosenParts) => void;
}

const SHOWN_NOTES = 5;

/** Shows the content that was recognized, and every difference between the source and the plan. */
export function ImportPreview({
  imported: { notes, plan, choices, chooses = 'operations', secrets },
  called,
  isPlain = false,
  answers,
  onAnswer,
  onChoose,
}: ImportPreviewProps) {
  const importedWords = words.wizard.question.imported;
  return (
    <Stack gap={12}>
      <Banner tone="info" announce="status">
        {foundText({ notes, plan }, called, isPlain)}
      </Banner>
      <RequestedPermissions plan={plan} secrets={secrets} />
      {askedNames({ plan }).map((name) => (
        <TextField
          key={name}
          label={visibleLine(name)}
          help={importedWords.asked}
          type="password"
          value={answers.get(name) ?? ''}
          onChange={(value) => onAnswer(name, value)}
        />
      ))}
      {choices && chooses === 'environment' ? (
        <Select
          label={importedWords.environment}
          value={choices.find(({ isTaken }) => isTaken)?.id ?? ''}
          choices={choices.map(({ id, label }) => ({ value: id, label: visibleLine(label) }))}
          onChange={(id) => onChoose({ kind: chooses, ids: [id] })}
        />
      ) : null}
      {choices && chooses !== 'environment' ? (
        <Choices choices={choices} chooses={chooses} onChoose={(ids) => onChoose({ kind: chooses, ids })} />
      ) : null}
      {isPlain ? null : <Notes notes={notes.slice(0, SHOWN_NOTES)} />}
      {notes.length > SHOWN_NOTES ? (
        <Disclosure title={importedWords.more(formatCount(notes.length - SHOWN_NOTES))}>
          <Notes notes={notes.slice(SHOWN_NOTES)} />
        </Disclosure>
      ) : null}
    </Stack>
  );
}

/** Permissions that the plan needs. They are above all collapsed sections, because the user must see them at once. */
function RequestedPermissions({ plan, secrets }: Pick<ImportedPlan, 'plan' | 'secrets'>) {
  // Secrets found in the text are kept in memory, so their variables are not asked for.
  const asks = listAsks({ plan }).filter(({ kind, name }) => kind !== 'env' || !secrets.has(name));
  if (!asks.some(needsAgreement)) return null;
  return (
    <Banner tone="inconclusive" title={words.agreement.imported}>
      <AskList asks={asks} />
    </Banner>
  );
}

function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const importedWords = words.wizard.question.imported;
  const lines = notes.map(({ kind, location, what, instead }) => ({
    key: `${location} ${what} ${instead}`,
    level: kind === 'leftOut' ? ('warning' as const) : ('info' as const),
    text: (
      <>
        {location === '' ? (
          capitalize(importedWords.note[kind])
        ) : (
          <>
            <code>{location}</code> {importedWords.note[kind]}
          </>
        )}
        : {what}
      </>
    ),
    hint: kind === 'secret' ? importedWords.secretKept : instead,
  }));
  return <LevelList lines={lines} />;
}

interface ChoicesProps {
  readonly choices: readonly Choice[];
  readonly chooses: 'operations' | 'hosts';
  readonly onChoose: (ids: readonly string[]) => void;
}

function Choices({ choices, chooses, onChoose }: ChoicesProps) {
  const importedWords = words.wizard.question.imported;
  const taken = choices.filter(({ isTaken }) => isTaken).map(({ id }) => id);
  const visibleChoices = shownChoices(choices);
  const isFull = taken.length >= MAX_STEPS;
  return (
    <Disclosure title={importedWords[chooses](formatCount(taken.length), formatCount(choices.length))}>
      <Stack gap={8}>
        {isFull ? <p>{importedWords.full(formatCount(MAX_STEPS))}</p> : null}
        {visibleChoices.map(({ id, label, isTaken }) => (
          <Checkbox
            key={id}
            isSelected={isTaken}
            // The last operation or host cannot be removed, because a plan needs at least one.
            isDisabled={isTaken ? taken.length === 1 : isFull}
            onChange={(isSelected) => onChoose(isSelected ? [...taken, id] : taken.filter((other) => other !== id))}
          >
            {label}
          </Checkbox>
        ))}
        {visibleChoices.length < choices.length ? (
          <p>{importedWords.notShown(formatCount(choices.length - visibleChoices.length))}</p>
        ) : null}
      </Stack>
    </Disclosure>
  );
}
