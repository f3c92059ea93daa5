import { asksOf, needsAgreement } from '#core/review/asks/ask.ts';
import { MOST_STEPS } from '#core/plan/schema/plan.ts';
import { capitalized, visibleLine } from '#core/base/text.ts';
import type { Choice, Chosen, Imported, Note } from '#core/import/imported.ts';
import { formatCount } from '#core/base/units.ts';
import { sizeOf } from '#core/work/load/size.ts';
import { AskList } from '#ui/app/agreement/AgreementProblem.tsx';
import { Banner } from '#ui/components/Banner.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/LevelMark.tsx';
import { Select } from '#ui/components/Select.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { loadSizeText } from '#ui/run/loadSize.ts';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { askedNames } from './readDropped.ts';
import issueStyles from '../IssueList.module.css';

/** More boxes than this hold a page up, and nobody looks through them. */
const MOST_SHOWN = 500;

/** All that are taken, and of the others the first, in the order of the document. */
export function shownChoices(choices: readonly Choice[]): readonly Choice[] {
  if (choices.length <= MOST_SHOWN) return choices;
  let left = MOST_SHOWN - choices.filter(({ isTaken }) => isTaken).length;
  return choices.filter(({ isTaken }) => {
    if (!isTaken) left -= 1;
    return isTaken || left >= 0;
  });
}

/**
 * What was recognized, as `called`, and whether what follows is a difference or only what the original leaves open. Of a plain address, nothing is to be said but the
 * load that Holdfast proposes.
 */
export function foundText({ notes, plan }: Pick<Imported, 'notes' | 'plan'>, called: string, isPlain = false): string {
  const say = words.wizard.question.imported;
  if (isPlain) return say.address(loadSizeText(sizeOf(plan.load)));
  const has = (...kinds: readonly Note['kind'][]): boolean => notes.some((note) => kinds.includes(note.kind));
  const coverage = has('leftOut', 'changed') ? 'differs' : has('assumed') ? 'assumes' : 'complete';
  const count = plan.journey.length;
  return say.found(called, formatCount(count), count === 1, say.coverage[coverage]);
}

interface ImportPreviewProps {
  readonly imported: Omit<Imported, 'kind'>;
  /** What it is, as a sentence names it. */
  readonly called: string;
  /** As {@link isPlainAddress} says. */
  readonly isPlain?: boolean;
  /** What the person was asked for, by its names. */
  readonly answers: ReadonlyMap<string, string>;
  readonly onAnswer: (name: string, value: string) => void;
  /** Takes these parts of the document. */
  readonly onChoose: (chosen: Chosen) => void;
}

const SHOWN = 5;

/** What was recognised, and everything that the plan will say otherwise. */
export function ImportPreview({
  imported: { notes, plan, choices, chooses = 'operations', secrets },
  called,
  isPlain = false,
  answers,
  onAnswer,
  onChoose,
}: ImportPreviewProps) {
  const say = words.wizard.question.imported;
  return (
    <Stack gap={12}>
      <Banner tone="info" announce="status">
        {foundText({ notes, plan }, called, isPlain)}
      </Banner>
      <AskedBy plan={plan} secrets={secrets} />
      {askedNames({ plan }).map((name) => (
        <TextField
          key={name}
          label={visibleLine(name)}
          help={say.asked}
          type="password"
          value={answers.get(name) ?? ''}
          onChange={(value) => onAnswer(name, value)}
        />
      ))}
      {choices && chooses === 'environment' ? (
        <Select
          label={say.environment}
          value={choices.find(({ isTaken }) => isTaken)?.id ?? ''}
          choices={choices.map(({ id, label }) => ({ value: id, label: visibleLine(label) }))}
          onChange={(id) => onChoose({ kind: chooses, ids: [id] })}
        />
      ) : null}
      {choices && chooses !== 'environment' ? (
        <Choices choices={choices} chooses={chooses} onChoose={(ids) => onChoose({ kind: chooses, ids })} />
      ) : null}
      {isPlain ? null : <Notes notes={notes.slice(0, SHOWN)} />}
      {notes.length > SHOWN ? (
        <Disclosure title={say.more(formatCount(notes.length - SHOWN))}>
          <Notes notes={notes.slice(SHOWN)} />
        </Disclosure>
      ) : null}
    </Stack>
  );
}

/** Stands above every fold: what a plan asks for must not be found out later. */
function AskedBy({ plan, secrets }: Pick<Imported, 'plan' | 'secrets'>) {
  // What was found in the text itself is kept in memory, and no variable is asked for it.
  const asks = asksOf({ plan }).filter(({ kind, name }) => kind !== 'env' || !secrets.has(name));
  if (!asks.some(needsAgreement)) return null;
  return (
    <Banner tone="inconclusive" title={words.agreement.imported}>
      <AskList asks={asks} />
    </Banner>
  );
}

function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const say = words.wizard.question.imported;
  if (notes.length === 0) return null;
  return (
    <ul className={issueStyles.list}>
      {notes.map(({ kind, place, what, instead }) => (
        <li key={`${place} ${what} ${instead}`}>
          <div className={issueStyles.issue}>
            <LevelMark level={kind === 'leftOut' ? 'warning' : 'info'} />
            <div>
              <p className={issueStyles.message}>
                {place === '' ? (
                  capitalized(say.note[kind])
                ) : (
                  <>
                    <code>{place}</code> {say.note[kind]}
                  </>
                )}
                : {what}
              </p>
              <p className={issueStyles.hint}>{kind === 'secret' ? say.secretKept : instead}</p>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface ChoicesProps {
  readonly choices: readonly Choice[];
  readonly chooses: 'operations' | 'hosts';
  readonly onChoose: (ids: readonly string[]) => void;
}

function Choices({ choices, chooses, onChoose }: ChoicesProps) {
  const say = words.wizard.question.imported;
  const taken = choices.filter(({ isTaken }) => isTaken).map(({ id }) => id);
  const shown = shownChoices(choices);
  const isFull = taken.length >= MOST_STEPS;
  return (
    <Disclosure title={say[chooses](formatCount(taken.length), formatCount(choices.length))}>
      <Stack gap={8}>
        {isFull ? <p>{say.full(formatCount(MOST_STEPS))}</p> : null}
        {shown.map(({ id, label, isTaken }) => (
          <Checkbox
            key={id}
            isSelected={isTaken}
            // The last one stays: a plan has to ask for something.
            isDisabled={isTaken ? taken.length === 1 : isFull}
            onChange={(isSelected) => onChoose(isSelected ? [...taken, id] : taken.filter((other) => other !== id))}
          >
            {label}
          </Checkbox>
        ))}
        {shown.length < choices.length ? <p>{say.notShown(formatCount(choices.length - shown.length))}</p> : null}
      </Stack>
    </Disclosure>
  );
}
