import { FileUp } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { type Problem, problemOf } from '#core/base/errors.ts';
import type { Chosen, ImportResult } from '#core/import/imported.ts';
import type { Issue } from '#core/plan/issues.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { useConnection } from '#ui/app/backend.ts';
import { later } from '#ui/app/later.ts';
import { startWizard } from '#ui/app/wizardSeed.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import { type Pasted, readFile, withKeptSecrets } from './readDropped.ts';

/** The readers of other tools’ documents are as large as all else that the first screen needs: with the first text is soon enough. */
const loadReaders = later(async () => {
  const [{ readText }, { titleOf }] = await Promise.all([import('#core/import/importText.ts'), import('#core/import/importers.ts')]);
  return { readText, titleOf };
});
const ImportPreview = lazy(later(async () => ({ default: (await import('./ImportPreview.tsx')).ImportPreview })));

type Readers = Awaited<ReturnType<typeof loadReaders>>;

type Refusal =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Longer texts are not shown for editing: a recording of some megabytes would hold the page up. */
const LONGEST_SHOWN = 20_000;

export function PasteForm({ pasted, onChange }: { readonly pasted: Pasted; readonly onChange: (pasted: Pasted) => void }) {
  const connection = useConnection();
  const { text } = pasted;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const say = words.wizard.question;
  const isEmpty = text.trim() === '';
  const [readers, setReaders] = useState<Readers | null>(null);
  useEffect(() => {
    // Readers that cannot be had now are asked for again when the text is taken, and missed then.
    if (!isEmpty) loadReaders().then(setReaders, () => {});
  }, [isEmpty]);
  const makePlan = useMemo(() => (isEmpty || readers === null ? null : readers.readText(text)), [text, isEmpty, readers]);
  const result = useMemo(() => makePlan?.(chosen) ?? null, [makePlan, chosen]);

  const change = (next: Pasted): void => {
    setRefusal(null);
    setChosen(null);
    setAnswers(new Map());
    onChange(next);
  };
  const take = async (): Promise<Refusal | null> => {
    const found = result ?? (await loadReaders()).readText(text)(chosen);
    if (found.kind === 'imported') {
      const keep = async (value: string): Promise<string> => (await connection.call('secrets.keep', { value })).secret;
      startWizard({ kind: 'plan', plan: planSchema.parse(await withKeptSecrets(found.imported, answers, keep)) });
      return null;
    }
    // Plans of Holdfast, and what is no more than YAML, are told about by whoever knows plans.
    if (!/holdfast/.test(text)) return isUnknown(found) ? { kind: 'nothing' } : { kind: 'issues', issues: found.issues };
    const { plan, issues } = await connection.call('plans.parse', { source: text });
    if (plan) startWizard({ kind: 'plan', plan });
    return plan ? null : { kind: 'issues', issues };
  };
  const use = (): void => {
    setRefusal(null);
    take().then(setRefusal, (thrown: unknown) => setRefusal({ kind: 'problem', problem: problemOf(thrown) }));
  };

  return (
    <Stack gap={12}>
      {pasted.fileName !== null && (text.length > LONGEST_SHOWN || pasted.tooLarge) ? (
        <Inline gap={12}>
          <output>{say.pasteFile(pasted.fileName)}</output>
          <Button size="small" look="quiet" onPress={() => change({ text: '', fileName: null, tooLarge: false })}>
            {say.pasteAway}
          </Button>
        </Inline>
      ) : (
        <TextField
          label={say.pasteLabel}
          help={say.pasteStory}
          value={text}
          rows={2}
          code
          onChange={(next) => change({ text: next, fileName: null, tooLarge: false })}
          {...(isWhole(text) ? { onEnter: use } : {})}
        />
      )}
      <Inline>
        <Button look={isEmpty ? 'secondary' : 'primary'} isDisabled={isEmpty} onPress={use}>
          {say.pasteUse}
        </Button>
        <FileTrigger
          onSelect={(files) => {
            const file = files?.item(0);
            if (file) void readFile(file).then(change);
          }}
        >
          <Button look="quiet" icon={<FileUp />}>
            {say.pasteChoose}
          </Button>
        </FileTrigger>
      </Inline>
      {result?.kind === 'imported' && readers !== null ? (
        <Suspense>
          <ImportPreview
            imported={result.imported}
            called={readers.titleOf(result.imported.kind)}
            answers={answers}
            onAnswer={(name, value) => setAnswers(new Map(answers).set(name, value))}
            onChoose={setChosen}
          />
        </Suspense>
      ) : null}
      {pasted.tooLarge ? (
        <Banner tone="inconclusive" announce="alert">
          {say.pasteTooLarge}
        </Banner>
      ) : null}
      {refusal?.kind === 'nothing' ? (
        <Banner tone="inconclusive" announce="alert">
          {say.pasteNothing}
        </Banner>
      ) : null}
      {refusal?.kind === 'issues' ? <IssueList issues={refusal.issues} /> : null}
      {refusal?.kind === 'problem' ? <ProblemBanner problem={refusal.problem} /> : null}
    </Stack>
  );
}

/** A single line that does not say that another follows: an address or a command, which Enter takes. */
function isWhole(text: string): boolean {
  return /^[^\n]*[^\s\\^`]$/.test(text.trim());
}

function isUnknown(result: Extract<ImportResult, { kind: 'refused' }>): boolean {
  return result.issues.some(({ code }) => code === 'UNKNOWN_KIND' || code === 'EMPTY');
}
