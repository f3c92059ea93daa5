import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { placesWords } from '#core/plan/hosts/places.ts';
import type { StudyResult } from '#core/search/result.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction, useConnectionState, useStream } from '../app/backend.ts';
import { AgreementProblem } from '../app/agreement/AgreementProblem.tsx';
import { HostProblem } from '../app/machines/HostProblem.tsx';
import { notify } from '../app/notices.tsx';
import { ReportMenu } from '../app/ReportMenu.tsx';
import { saveText } from '../charts/saveFile.ts';
import { Banner } from '../components/Banner.tsx';
import { Button, StopButton } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { LessCommonActions } from '../components/ActionMenu.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner, ProblemPage } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { formatWhen, words } from '../words/words.ts';
import { AskToDelete } from '../components/Dialog.tsx';
import { AnswerCard } from './AnswerCard.tsx';
import { QueuePicture, StudyCharts } from './QueuePicture.tsx';
import { StudyTable } from './StudyTable.tsx';
import styles from './StudyPage.module.css';

interface DeleteStudyProps {
  readonly studyId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Takes an answer away: it cannot be taken back. */
function DeleteStudy({ studyId, isOpen, onClose }: DeleteStudyProps) {
  const remove = useAction('studies.remove', ['studies.list']);
  const [, navigate] = useLocation();
  const confirm = (): void => remove.mutate({ studyId }, { onSuccess: () => navigate('/find-out') });
  return <AskToDelete texts={words.studies.remove} isOpen={isOpen} onClose={onClose} removal={remove} onConfirm={confirm} />;
}

const texts = words.studies;

/** A search is one address, while it goes and afterwards: its answer becomes better run by run. */
export function StudyPage({ studyId }: { readonly studyId: string }) {
  const state = useStream('studies.watch', { studyId });
  if (state.value !== undefined) return <StudyView result={state.value} />;
  if (state.status === 'ended' && state.problem !== null) return <ProblemPage title={texts.page} problem={state.problem} />;
  return (
    <Page title={texts.page}>
      <Skeleton waitingFor={texts.loading}>
        <Block height={140} />
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

function StudyView({ result }: { readonly result: StudyResult }) {
  const { study, document, runs, answer } = result;
  const isGoing = study.endedAt === null;
  const facts = [
    texts.kinds[study.kind],
    texts.states[study.state],
    texts.runs(formatCount(runs.length)),
    formatWhen(study.startedAt),
    document.plan.targets[0]?.url ?? '',
    ...(document.on === undefined ? [] : [texts.from(placesWords(document.on))]),
  ];
  return (
    <Page
      title={study.name}
      story={texts.facts(facts)}
      actions={isGoing ? <StopStudy studyId={study.id} /> : null}
      footer={isGoing ? undefined : <Footer result={result} />}
    >
      <Stack gap={24}>
        <Ending result={result} />
        <AnswerCard result={result} />
        <StudyCharts result={result} />
        {answer.kind === 'characterize' && answer.workers !== null && answer.serviceMs !== null ? (
          <QueuePicture workers={answer.workers.value} serviceMs={answer.serviceMs.value} />
        ) : null}
        <Card title={texts.table.title[study.kind]} flush>
          <StudyTable result={result} />
        </Card>
      </Stack>
    </Page>
  );
}

function Ending({ result: { study } }: { readonly result: StudyResult }) {
  const title = texts.ended[study.state] || (study.endedBecause === null ? '' : texts.endedEarly);
  return title === '' ? null : (
    <Banner tone="inconclusive" title={title}>
      {study.endedBecause ?? ''}
    </Banner>
  );
}

function StopStudy({ studyId }: { readonly studyId: string }) {
  const stop = useAction('studies.stop');
  const connected = useConnectionState() === 'open';
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <>
      {stop.error ? <ProblemBanner problem={stop.error} /> : null}
      <StopButton texts={texts} isStopping={isStopping} isDisabled={!connected} onStop={() => stop.mutate({ studyId })} />
    </>
  );
}

function Footer({ result }: { readonly result: StudyResult }) {
  const { study, document } = result;
  const again = useAction('studies.start', ['runs.list', 'studies.list']);
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const goAgain = (agreed?: string[]): void =>
    again.mutate({ document, agreed }, { onSuccess: ({ studyId }) => navigate(`/studies/${studyId}`) });
  const save = async (): Promise<void> => {
    const fileName = `${study.id}.json`;
    const saved = await saveText(fileName, 'application/json', `${JSON.stringify(result, null, 2)}\n`);
    setFailure(saved.outcome === 'failed' ? `${saved.message} ${saved.hint}` : null);
    if (saved.outcome === 'saved') notify(texts.saved(fileName));
  };
  return (
    <div className={styles.footer}>
      {failure === null ? null : <Banner tone="inconclusive" title={failure} announce="alert" />}
      {again.error?.code === 'AGREEMENT_NEEDED' ? <AgreementProblem problem={again.error} onAgree={goAgain} /> : null}
      {again.error && again.error.code !== 'AGREEMENT_NEEDED' ? <HostProblem problem={again.error} onAgain={() => goAgain()} /> : null}
      <div className={styles.buttons}>
        <ReportMenu source={{ studyId: study.id }} />
        <LessCommonActions
          actions={[
            { key: 'save', label: texts.save, icon: <Download /> },
            { key: 'delete', label: texts.remove.button, icon: <Trash2 /> },
          ]}
          onAction={(key) => (key === 'save' ? void save() : setDeleting(true))}
        />
        <DeleteStudy studyId={study.id} isOpen={isDeleting} onClose={() => setDeleting(false)} />
        <Button look="primary" isPending={again.isPending} onPress={() => goAgain()}>
          {texts.again}
        </Button>
      </div>
    </div>
  );
}
