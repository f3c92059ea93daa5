import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { remainingRuns } from '#core/series/cells.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { listCommands } from '#core/plan/schema/series.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction, useConnection } from '#ui/shared/backend.ts';
import { ReportMenu } from '#ui/shared/ReportMenu.tsx';
import { saveText } from '../components/saveFile.ts';
import { Button } from '../components/Button.tsx';
import { LessCommonActions } from '../components/ActionMenu.tsx';
import { AgreementProblem } from '#ui/shared/AgreementProblem.tsx';
import { FooterBar } from '#ui/components/Page.tsx';
import { reportSaved } from '#ui/shared/notices.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '../words/words.ts';
import { AskToDelete } from '../components/Dialog.tsx';
import styles from './SeriesPage.module.css';

interface DeleteSeriesProps {
  readonly seriesId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a series is deleted, because that cannot be undone. */
function DeleteSeries({ seriesId, isOpen, onClose }: DeleteSeriesProps) {
  const remove = useAction('series.remove', ['runs.list']);
  const [, navigate] = useLocation();
  const deleteSeries = (): void => remove.mutate({ seriesId }, { onSuccess: () => navigate('/history') });
  return <AskToDelete texts={words.series.remove} isOpen={isOpen} onClose={onClose} removal={remove} onConfirm={deleteSeries} />;
}

const texts = words.series;

interface SeriesFooterProps {
  readonly result: SeriesResult;
  readonly onResumed: () => void;
}

/** Actions for a series that has ended. */
export function SeriesFooter({ result: { series, document, rows }, onResumed }: SeriesFooterProps) {
  const again = useAction('series.start', ['runs.list']);
  const [, navigate] = useLocation();
  const resume = useAction('series.resume', ['runs.list']);
  const resumeSeries = (agreedKeys?: string[]): void =>
    resume.mutate({ seriesId: series.id, agreed: agreedKeys }, { onSuccess: onResumed });
  const startAgain = (agreedKeys?: string[]): void =>
    again.mutate({ document, agreed: agreedKeys }, { onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) });
  const hasCommands = listCommands(document).length > 0;
  const remaining = remainingRuns(rows.flatMap(({ runs }) => runs)).length;
  return (
    <FooterBar
      notices={
        <>
          {resume.error ? <AgreementProblem problem={resume.error} onAgree={resumeSeries} /> : null}
          {again.error ? <AgreementProblem problem={again.error} onAgree={startAgain} /> : null}
          {hasCommands ? <p className={styles.quiet}>{texts.againByCommand}</p> : null}
        </>
      }
    >
      <SaveAndDelete seriesId={series.id} />
      {remaining === 0 || hasCommands ? null : (
        <Button isPending={resume.isPending} onPress={() => resumeSeries()}>
          {texts.resume(formatCount(remaining))}
        </Button>
      )}
      {hasCommands ? null : (
        <Button look="primary" isPending={again.isPending} onPress={() => startAgain()}>
          {texts.again}
        </Button>
      )}
    </FooterBar>
  );
}

function SaveAndDelete({ seriesId }: { readonly seriesId: string }) {
  const connection = useConnection();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const save = async (format: 'csv' | 'json'): Promise<void> => {
    const { fileName, mediaType, content } = await connection.call('series.export', { seriesId, format });
    reportSaved(await saveText(fileName, mediaType, content), fileName);
  };
  const runAction = (key: 'csv' | 'json' | 'delete'): void => {
    if (key === 'delete') return setDeleting(true);
    setProblem(null);
    return void save(key).catch((thrown: unknown) => setProblem(toProblem(thrown)));
  };
  return (
    <>
      {problem ? <ProblemBanner problem={problem} /> : null}
      <ReportMenu source={{ seriesId }} />
      <LessCommonActions
        actions={[
          { key: 'csv', label: texts.save.csv, icon: <Download /> },
          { key: 'json', label: texts.save.json },
          { key: 'delete', label: texts.remove.button, icon: <Trash2 /> },
        ]}
        onAction={runAction}
      />
      <DeleteSeries seriesId={seriesId} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  );
}
