import { FileUp } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { isPlainAddress } from '#core/import/imported.ts';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { later } from '#ui/shared/later.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { classes } from '#ui/components/classes.ts';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import styles from './QuestionPage.module.css';
import { readFile } from './pasted.ts';
import type { Paste } from './usePaste.ts';

const ImportPreview = lazy(later(async () => ({ default: (await import('./ImportPreview.tsx')).ImportPreview })));

/** Longer texts are not editable: a recording of some megabytes would block the page. */
const MAX_EDITABLE_LENGTH = 20_000;

/** Input field of the first page with a preview of the recognized content. “Next” uses it. */
export function PasteForm({ paste }: { readonly paste: Paste }) {
  const { pasted, refusal, result, change } = paste;
  const { text } = pasted;
  const say = words.wizard.question;
  return (
    <div className={classes(styles.paste, paste.isDraggedOver && styles.over)}>
      <Stack gap={12}>
        <div className={styles.entry}>
          {pasted.fileName !== null && (text.length > MAX_EDITABLE_LENGTH || pasted.tooLarge) ? (
            <Inline gap={12}>
              <output>{say.pasteFile(pasted.fileName)}</output>
              <Button size="small" look="quiet" onPress={paste.clear}>
                {say.pasteAway}
              </Button>
            </Inline>
          ) : (
            <TextField
              label={say.pasteLabel}
              help={say.pasteStory}
              placeholder={say.pasteExample}
              value={text}
              rows={1}
              code
              onChange={(next) => change({ text: next, fileName: null, tooLarge: false })}
              {...(isWhole(text) ? { onEnter: paste.take } : {})}
            />
          )}
          <div className={styles.file}>
            <FileTrigger
              onSelect={(files) => {
                const file = files?.item(0);
                if (file) void readFile(file).then(change);
              }}
            >
              <Button icon={<FileUp />}>{say.pasteChoose}</Button>
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
    </div>
  );
}

/** Returns whether the text is a single line without a continuation character, which Enter submits. */
function isWhole(text: string): boolean {
  return /^[^\n]*[^\s\\^`]$/.test(text.trim());
}
