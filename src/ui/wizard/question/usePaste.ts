import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { type ChosenParts, type ImportResult, isLoadProposed, type ImportedPlan } from '#core/import/imported.ts';
import type { Issue } from '#core/plan/issues.ts';
import { addUsualCriteria } from '#core/plan/criteria.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { useConnection } from '#ui/shared/backend.ts';
import { registerLazy } from '#ui/shared/later.ts';
import { startWizard, takeWizardSeed, useWizardSeed, type WizardSeed } from '#ui/shared/wizardSeed.ts';
import { secretReferences, replaceByReferences } from '#core/plan/secrets.ts';
import { askReference, envReference, readReference } from '#core/plan/secretReference.ts';

/** The importers are loaded when the first text is entered, because they are as large as the rest of the first screen's code. */
const loadReaders = registerLazy(async () => {
  const [{ readText }, { titleOf }] = await Promise.all([import('#core/import/importText.ts'), import('#core/import/importers.ts')]);
  return { readText, titleOf };
});

type Readers = Awaited<ReturnType<typeof loadReaders>>;

export type PasteProblem =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] }
  | { readonly kind: 'problem'; readonly problem: Problem };

const EMPTY: PastedText = { text: '', fileName: null, tooLarge: false };

/** State of the input field for an address, a command line, a recording, a document or a plan. */
export interface Paste {
  readonly pasted: PastedText;
  readonly isEmpty: boolean;
  /** Whether the text is a preset. A preset is added to the questions, and not used as a plan. */
  readonly isPreset: boolean;
  /** Whether a file is dragged over the window. */
  readonly isDraggedOver: boolean;
  /** Recognized content; null while there is none. */
  readonly result: ImportResult | null;
  /** Name of the recognized format, for use in a sentence. */
  readonly title: string | null;
  readonly refusal: PasteProblem | null;
  readonly answers: ReadonlyMap<string, string>;
  readonly isTaking: boolean;
  readonly change: (next: PastedText) => void;
  readonly clear: () => void;
  readonly choose: (chosen: ChosenParts) => void;
  readonly answer: (name: string, value: string) => void;
  /** Starts the wizard with the plan; if that is impossible, sets `refusal`. */
  readonly take: () => void;
}

/** Returns the state of the input field. `isShown` says whether the field is on screen, and thus receives dropped and pasted files. */
export function usePaste(isShown: boolean): Paste {
  const connection = useConnection();
  const [pasted, setPasted] = useState(EMPTY);
  const [refusal, setRefusal] = useState<PasteProblem | null>(null);
  const [chosen, setChosen] = useState<ChosenParts | null>(null);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const [isTaking, setTaking] = useState(false);
  const [readers, setReaders] = useState<Readers | null>(null);
  const { text } = pasted;
  const isEmpty = text.trim() === '';
  const isPreset = isPresetText(text);
  useEffect(() => {
    // An error is ignored here, because the importers are loaded again when the text is used, and an error is reported then.
    if (!isEmpty && !isPreset) loadReaders().then(setReaders, () => {});
  }, [isEmpty, isPreset]);
  const importPastedPlan = useMemo(
    () => (isEmpty || isPreset || readers === null ? null : readers.readText(text)),
    [text, isEmpty, isPreset, readers],
  );
  const result = useMemo(() => importPastedPlan?.(chosen) ?? null, [importPastedPlan, chosen]);

  const change = (next: PastedText): void => {
    setRefusal(null);
    setChosen(null);
    setAnswers(new Map());
    setPasted(next);
  };
  const isDraggedOver = useFilesOfWindow(isShown, change);
  useOpenedFile(change);

  const plan = async (): Promise<PasteProblem | null> => {
    const readResult = result ?? (await loadReaders()).readText(text)(chosen);
    if (readResult.kind === 'imported') {
      const keepSecret = async (value: string): Promise<string> => (await connection.call('secrets.keep', { value })).secret;
      const importedPlan = planSchema.parse(await withKeptSecrets(readResult.imported, answers, keepSecret));
      startWizard({ kind: 'plan', plan: addUsualCriteria(importedPlan), isLoadProposed: isLoadProposed(readResult.imported) });
      return null;
    }
    // A text that mentions Holdfast may be one of its plans, which the backend parses.
    if (!/holdfast/.test(text)) return isUnknown(readResult) ? { kind: 'nothing' } : { kind: 'issues', issues: readResult.issues };
    const parsed = await connection.call('plans.parse', { source: text });
    if (parsed.plan) startWizard({ kind: 'plan', plan: parsed.plan });
    return parsed.plan ? null : { kind: 'issues', issues: parsed.issues };
  };
  const takeInput = (): void => {
    if (isTaking || isPreset) return;
    setRefusal(null);
    setTaking(true);
    plan()
      .then(
        (refusedPasteProblem) => (refusedPasteProblem === null ? change(EMPTY) : setRefusal(refusedPasteProblem)),
        (thrown: unknown) => setRefusal({ kind: 'problem', problem: toProblem(thrown) }),
      )
      .finally(() => setTaking(false));
  };
  return {
    pasted,
    isEmpty,
    isPreset,
    isDraggedOver,
    result,
    title: result?.kind === 'imported' && readers !== null ? readers.titleOf(result.imported.kind) : null,
    refusal,
    answers,
    isTaking,
    change,
    clear: () => change(EMPTY),
    choose: setChosen,
    answer: (name, value) => setAnswers(new Map(answers).set(name, value)),
    take: takeInput,
  };
}

/** Handles files that are dropped on the window or pasted into it. Returns whether a file is dragged over the window. */
function useFilesOfWindow(isTaken: boolean, onFile: (pasted: PastedText) => void): boolean {
  const [isOver, setOver] = useState(false);
  const takeInput = useEffectEvent(async (file: File) => onFile(await readFile(file)));
  useEffect(() => {
    if (!isTaken) return;
    const onDrag = ({ type, dataTransfer, relatedTarget }: DragEvent): void =>
      // `relatedTarget` is null only when the pointer leaves the window.
      setOver(type === 'dragover' ? dataTransfer?.types.includes('Files') === true : relatedTarget !== null);
    const onTransfer = (transfer: DataTransfer | null): void => {
      setOver(false);
      const [file] = transfer?.files ?? [];
      if (file !== undefined) void takeInput(file);
    };
    const onDrop = ({ dataTransfer }: DragEvent): void => onTransfer(dataTransfer);
    const onPaste = ({ clipboardData }: ClipboardEvent): void => onTransfer(clipboardData);
    window.addEventListener('dragover', onDrag);
    window.addEventListener('dragleave', onDrag);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('dragleave', onDrag);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, [isTaken]);
  return isOver && isTaken;
}

/** Shows a file that was opened with the app. */
function useOpenedFile(onFile: (pasted: PastedText) => void): void {
  const seed = useWizardSeed();
  const [taken, setTaken] = useState<WizardSeed | null>(null);
  if (seed?.kind === 'file' && seed !== taken) {
    setTaken(seed);
    onFile({ text: seed.text, fileName: seed.name, tooLarge: false });
  }
  useEffect(() => {
    if (seed?.kind === 'file') takeWizardSeed();
  }, [seed]);
}

/** Maximum length of a preset. A longer text is not a preset. */
const MAX_PRESET_CHARACTERS = 1_000_000;

/** Returns whether a text is a preset, in YAML or JSON. */
export function isPresetText(text: string): boolean {
  return text.length <= MAX_PRESET_CHARACTERS && /^[{\s]*["']?holdfastPreset["']?\s*:/m.test(text);
}

function isUnknown(result: Extract<ImportResult, { kind: 'refused' }>): boolean {
  return result.issues.some(({ code }) => code === 'UNKNOWN_KIND' || code === 'EMPTY');
}

export interface PastedText {
  readonly text: string;
  /** Name of the file; null for text that was typed or pasted. */
  readonly fileName: string | null;
  readonly tooLarge: boolean;
}

/** Maximum size of a file. A larger recording cannot become a plan. */
const MAX_FILE_BYTES = 100_000_000;

/** Reads a file that was chosen or dropped. */
export async function readFile(file: File): Promise<PastedText> {
  const tooLarge = file.size > MAX_FILE_BYTES;
  return { text: tooLarge ? '' : await file.text(), fileName: file.name, tooLarge };
}

/** Returns the names of values to which the document refers without containing them. */
export function askedNames({ plan }: Pick<ImportedPlan, 'plan'>): string[] {
  return secretReferences(plan).flatMap((reference) => {
    const parts = readReference(reference);
    return parts?.kind === 'ask' ? [parts.label] : [];
  });
}

/** Stores imported secrets and entered values with `keep`. Returns the plan with references to them instead of environment variables. */
export async function withKeptSecrets(
  { plan, secrets }: ImportedPlan,
  answers: ReadonlyMap<string, string>,
  keep: (value: string) => Promise<string>,
): Promise<unknown> {
  const references = new Map<string, string>();
  for (const [name, value] of secrets) references.set(envReference(name), await keep(value));
  for (const [name, value] of answers) if (value !== '') references.set(askReference(name), await keep(value));
  return replaceByReferences(plan, references);
}
