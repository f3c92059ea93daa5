import { FileText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Problem, problemOf } from '#core/base/errors.ts';
import { saveText } from '#ui/charts/saveFile.ts';
import { ActionMenu } from '#ui/components/ActionMenu.tsx';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { useConnection } from './backend.ts';
import { tellSaved } from './notices.tsx';
import { type PdfStage, type ReportSource, reportText, type SavedFile, savePdf } from './savePdf.ts';
import styles from './ReportMenu.module.css';

const texts = words.report;
const CHOICES = ['pdfA4', 'pdfLetter', 'onePageA4', 'onePageLetter', 'html', 'markdown'] as const;
type Choice = (typeof CHOICES)[number];

/** Creates and saves the report of a run, series or search. Progress is shown beside the button, which cancels if possible. */
export function ReportMenu({ source }: { readonly source: ReportSource }) {
  const connection = useConnection();
  const [stage, setStage] = useState<PdfStage | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  const make = async (choice: Choice): Promise<SavedFile> => {
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
  const act = (choice: Choice): void => {
    setProblem(null);
    make(choice)
      .then((saved) => tellSaved(saved, saved.fileName))
      .catch((thrown: unknown) => setProblem(problemOf(thrown)))
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
          onAction={act}
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
