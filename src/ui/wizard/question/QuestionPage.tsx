import { useEffect, useState, lazy, Suspense } from 'react';
import type { Issue } from '#core/plan/issues.ts';
import type { Preset } from '#core/presets/schema.ts';
import { useCall } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card, Stack, Inline } from '#ui/components/Page.tsx';
import { formatWhen, words } from '#ui/words/words.ts';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { toMark, VerdictMark } from '#ui/components/Marks.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { useWizard } from '../WizardProvider.tsx';
import { QuestionList } from './QuestionList.tsx';
import styles from './QuestionPage.module.css';
import { type Paste, readFile } from './usePaste.ts';
import { FileUp } from 'lucide-react';
import { isPlainAddress } from '#core/import/imported.ts';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { registerLazy } from '#ui/shared/later.ts';
import { classes } from '#ui/components/classes.ts';
import { TextField } from '#ui/components/Field.tsx';
import { IssueList } from '../IssueList.tsx';

const SHOWN_RUNS = 5;

function EarlierRuns() {
  const questionWords = words.wizard.question;
  const [isOpen, setOpen] = useState(false);
  const earlier = useCall('runs.list', { limit: SHOWN_RUNS }, { enabled: isOpen });
  return (
    <Disclosure level={2} title={questionWords.earlier} summary={questionWords.earlierStory} isOpen={isOpen} onOpenChange={setOpen}>
      <Stack gap={12}>
        {earlier.error ? <ProblemBanner problem={earlier.error} onRetry={() => void earlier.refetch()} /> : null}
        {earlier.data?.runs.length === 0 ? <p>{questionWords.earlierNone}</p> : null}
        <ul className="list">
          {earlier.data?.runs.map((run) => (
            <li key={run.id} className={styles.run}>
              <span className={styles.runName}>
                {run.name}
                <br />
                <span className="muted">
                  {formatWhen(run.startedAt)} · {run.target}
                </span>
              </span>
              <VerdictMark mark={toMark(run.state, run.outcome)} />
              <Button size="small" onPress={() => startWizard({ kind: 'run', runId: run.id })}>
                {questionWords.earlierUse}
              </Button>
            </li>
          ))}
        </ul>
        {earlier.data && earlier.data.total > SHOWN_RUNS ? <a href="#/history">{questionWords.earlierAll}</a> : null}
      </Stack>
    </Disclosure>
  );
}

interface QuestionPageProps {
  readonly preset: Preset | null;
  readonly issues: readonly Issue[];
  readonly paste: Paste;
}

/**
 * First page of the wizard: a field for an address, command or file, and the list of questions. “Next” uses the entry that was made last.
 */
export function QuestionPage({ preset, issues, paste }: QuestionPageProps) {
  const { state, dispatch } = useWizard();
  const questionWords = words.wizard.question;
  useEffect(redoEarlyInput, []);
  const { source } = state;
  return (
    <Stack gap={16}>
      {source?.kind === 'plan' && paste.isEmpty ? <Banner tone="accent">{questionWords.chosenPlan(source.plan.name)}</Banner> : null}
      <Card>
        <PasteForm
          paste={paste}
          onAdded={(id) => {
            paste.clear();
            dispatch({ type: 'presetChosen', id });
          }}
        />
      </Card>
      <QuestionList
        preset={paste.isEmpty ? preset : null}
        issues={issues}
        chosen={source?.kind === 'preset' && paste.isEmpty ? source.id : null}
        onChoose={(id) => {
          paste.clear();
          dispatch({ type: 'presetChosen', id });
        }}
      />
      <EarlierRuns />
    </Stack>
  );
}

/**
 * Repeats clicks, choices and text that were entered on the first screen before hydration. Must be called after hydration. React ignores
 * earlier changes, so each change is reverted first.
 */
export function redoEarlyInput(): void {
  const { dataset } = document.documentElement;
  if (dataset['screen'] !== 'taken') return;
  delete dataset['screen'];
  const chosenElement = document.querySelector<HTMLInputElement>('main input:checked');
  if (chosenElement) {
    chosenElement.checked = false;
    chosenElement.click();
  }
  const field = document.querySelector('textarea');
  if (field && field.value !== '') enterText(field, field.value);
  for (const button of document.querySelectorAll<HTMLElement>('[data-pressed]')) {
    delete button.dataset['pressed'];
    button.click();
  }
}

function enterText(field: HTMLTextAreaElement, text: string): void {
  field.value = '';
  // Uses the prototype's setter, because React tracks the element's own setter and would ignore the event.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

const ImportPreview = lazy(registerLazy(async () => ({ default: (await import('./ImportPreview.tsx')).ImportPreview })));

const PresetPreview = lazy(registerLazy(async () => ({ default: (await import('./PresetPreview.tsx')).PresetPreview })));

/** Maximum length of text that can be edited, because a recording of some megabytes would block the page. */
const MAX_EDITABLE_LENGTH = 20_000;

/** Input field of the first page, with a preview of the content that was recognized. “Next” uses this content. */
function PasteForm({ paste, onAdded }: { readonly paste: Paste; readonly onAdded: (id: string) => void }) {
  const { pasted, refusal, result, change } = paste;
  const { text } = pasted;
  const questionWords = words.wizard.question;
  return (
    <div className={classes(styles.paste, paste.isDraggedOver && styles.over)}>
      <Stack gap={12}>
        <div className={styles.entry}>
          {pasted.fileName !== null && (text.length > MAX_EDITABLE_LENGTH || pasted.tooLarge || paste.isPreset) ? (
            <Inline gap={12}>
              <output>{questionWords.pasteFile(pasted.fileName)}</output>
              <Button size="small" look="quiet" onPress={paste.clear}>
                {questionWords.pasteAway}
              </Button>
            </Inline>
          ) : (
            <TextField
              label={questionWords.pasteLabel}
              help={questionWords.pasteStory}
              placeholder={questionWords.pasteExample}
              value={text}
              rows={1}
              code
              onChange={(next) => change({ text: next, fileName: null, tooLarge: false })}
              {...(isComplete(text) ? { onEnter: paste.take } : {})}
            />
          )}
          <div className={styles.file}>
            <FileTrigger
              onSelect={(files) => {
                const file = files?.item(0);
                if (file) void readFile(file).then(change);
              }}
            >
              <Button icon={<FileUp />}>{questionWords.pasteChoose}</Button>
            </FileTrigger>
          </div>
        </div>
        {result?.kind === 'imported' && paste.title !== null ? (
          <Suspense>
            <ImportPreview
              imported={result.imported}
              called={paste.title}
              isPlain={isPlainAddress(result.imported)}
              answers={paste.answers}
              onAnswer={paste.answer}
              onChoose={paste.choose}
            />
          </Suspense>
        ) : null}
        {paste.isPreset ? (
          <Suspense fallback={<Skeleton waitingFor={questionWords.preset.waiting} heights={[180]} />}>
            <PresetPreview source={text} onAdded={onAdded} />
          </Suspense>
        ) : null}
        {pasted.tooLarge ? (
          <Banner tone="inconclusive" announce="alert">
            {questionWords.pasteTooLarge}
          </Banner>
        ) : null}
        {refusal?.kind === 'nothing' ? (
          <Banner tone="inconclusive" announce="alert">
            {questionWords.pasteNothing}
          </Banner>
        ) : null}
        {refusal?.kind === 'issues' ? <IssueList issues={refusal.issues} /> : null}
        {refusal?.kind === 'problem' ? <ProblemBanner problem={refusal.problem} /> : null}
      </Stack>
    </div>
  );
}

/** Returns whether the text is a single line without a continuation character at its end. Enter submits such a text. */
function isComplete(text: string): boolean {
  return /^[^\n]*[^\s\\^`]$/.test(text.trim());
}
