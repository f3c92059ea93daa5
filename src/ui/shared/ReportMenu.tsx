import { FileText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { saveText, download, savedReply, type SaveOutcome } from '#ui/components/saveFile.ts';
import { ActionMenu } from '#ui/components/ActionMenu.tsx';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { useConnection } from './backend.ts';
import { reportSaved } from './notices.tsx';
import styles from './ReportMenu.module.css';
import type { StreamItem } from '#contract/api.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import type { Connection } from './connection.ts';

const texts = words.report;
const CHOICES = ['pdfA4', 'pdfLetter', 'onePageA4', 'onePageLetter', 'html', 'markdown'] as const;
type Choice = (typeof CHOICES)[number];

/**
 * Creates and saves the report of a run, series or search. Progress is shown next to the button, which can cancel the report in most
 * stages.
 */
export function ReportMenu({ source }: { readonly source: ReportSource }) {
  const connection = useConnection();
  const [stage, setStage] = useState<PdfStage | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  const makeReport = async (choice: Choice): Promise<SavedFile> => {
    if (choice === 'html' || choice === 'markdown') {
      const { fileName, mediaType, content } = await reportText(connection, source, choice);
      return { ...(await saveText(fileName, mediaType, content)), fileName };
    }
    const calledOff = new AbortController();
    work.current = calledOff;
    const paper = choice.endsWith('A4') ? 'A4' : 'Letter';
    const onePage = choice.startsWith('onePage');
    return savePdf({ connection, source, paper, onePage, onStage: setStage, signal: calledOff.signal });
  };
  const saveReport = (choice: Choice): void => {
    setProblem(null);
    makeReport(choice)
      .then((savedFile) => reportSaved(savedFile, savedFile.fileName))
      .catch((thrown: unknown) => setProblem(toProblem(thrown)))
      .finally(() => setStage(null));
  };
  return (
    <>
      {problem ? (
        <div className={styles.problem}>
          <ProblemBanner problem={problem} />
        </div>
      ) : null}
      {stage === null ? (
        <ActionMenu
          trigger={<Button icon={<FileText />}>{texts.button}</Button>}
          label={texts.button}
          placement="top start"
          actions={CHOICES.map((key) => ({ key, label: texts.choices[key] }))}
          onAction={saveReport}
        />
      ) : stage === 'handedOver' ? (
        <Button icon={<FileText />} isDisabled>
          {texts.button}
        </Button>
      ) : (
        <Button onPress={() => work.current?.abort()}>{words.common.cancel}</Button>
      )}
      <output className={styles.stage}>{stage === null ? '' : texts.stages[stage]}</output>
    </>
  );
}

/** The run, series or search that a report describes. */
export type ReportSource = { readonly runId: string } | { readonly seriesId: string } | { readonly searchId: string };
/**
 * Stages of a PDF. Two of them exist only in the desktop app. In `drawing`, the app waits for the report. In `handedOver`, the shell asks
 * for a file and prints, which cannot be cancelled.
 */
export type PdfStage = StreamItem<'reports.pdf'>['stage'] | 'drawing' | 'handedOver';

interface PdfWork {
  readonly connection: Connection;
  readonly source: ReportSource;
  readonly paper: Paper;
  readonly onePage: boolean;
  readonly onStage: (stage: PdfStage) => void;
  /** Aborting the signal prevents saving, unless the stage is `handedOver`. */
  readonly signal: AbortSignal;
}

/** Result of saving, with the file name. */
export type SavedFile = SaveOutcome & { readonly fileName: string };

/** Returns the report as HTML or Markdown. */
export function reportText(
  connection: Connection,
  source: ReportSource,
  format: 'html' | 'markdown',
  onPaper: { paper?: Paper; onePage?: boolean } = {},
) {
  if ('searchId' in source) return connection.call('searches.export', { ...source, format, ...onPaper });
  return 'runId' in source
    ? connection.call('runs.export', { ...source, format, ...onPaper })
    : connection.call('series.export', { ...source, format, ...onPaper });
}

/** Creates and saves the PDF of a report. The desktop app prints the PDF itself; for a browser, the backend prints it. */
export function savePdf(work: PdfWork): Promise<SavedFile> {
  const verbs = window.holdfast?.verbs;
  return verbs ? printInPage(work, (file) => verbs.savePdf(file)) : fetchPdf(work);
}

async function printInPage(
  { connection, source, paper, onePage, onStage, signal }: PdfWork,
  print: (file: { suggestedName: string; html: string }) => Promise<unknown>,
): Promise<SavedFile> {
  await connection.call('reports.mayPrint', {});
  onStage('drawing');
  const { fileName, content } = await reportText(connection, source, 'html', { paper, onePage });
  const suggestedName = fileName.replace(/\.html$/, '.pdf');
  if (signal.aborted) return { outcome: 'declined', fileName: suggestedName };
  onStage('handedOver');
  return { ...savedReply(await print({ suggestedName, html: content })), fileName: suggestedName };
}

function fetchPdf({ connection, source, paper, onePage, onStage, signal }: PdfWork): Promise<SavedFile> {
  return new Promise((resolve, reject) => {
    let file: StreamItem<'reports.pdf'>['file'] = null;
    const close = connection.open(
      'reports.pdf',
      { of: source, paper, onePage },
      {
        onItem(item) {
          file = item.file;
          onStage(item.stage);
        },
        onEnd(problem) {
          if (file === null) return reject(problem ?? new Error('the report ended without a file'));
          download(file.fileName, new Blob([bytesOf(file.base64)], { type: file.mediaType }));
          resolve({ outcome: 'saved', fileName: file.fileName });
        },
      },
    );
    signal.addEventListener('abort', () => {
      close();
      resolve({ outcome: 'declined', fileName: '' });
    });
  });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
