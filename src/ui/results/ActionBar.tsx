import { Download, Ellipsis, GitCompareArrows, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { type Problem, toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { EXPORT_KINDS, type ExportKind } from '#core/export/exported.ts';
import { useCall, useConnection } from '#ui/shared/backend.ts';
import { notify, reportSaved } from '#ui/shared/notices.tsx';
import { useCiStep } from '#ui/shared/CiStep.tsx';
import { ExportMenu, ExportDialog } from '#ui/shared/ExportMenu.tsx';
import { ReportMenu } from '#ui/shared/ReportMenu.tsx';
import { copyText } from '../components/copyText.ts';
import { saveText } from '../components/saveFile.ts';
import { ActionMenu, useIsNarrow } from '../components/ActionMenu.tsx';
import { Button, LinkButton } from '../components/Button.tsx';
import { FooterBar } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '../words/words.ts';
import { compareAddress } from '#ui/shared/comparison.ts';

/** Returns the link to a comparison with the previous run that has the same name and target, and the label of the link. */
function useComparison(runId: string): { readonly address: string; readonly label: string } {
  const [trend] = useCall('runs.trends', { runIds: [runId] }).data ?? [];
  const before = trend?.runIds.at(-2);
  const { fromResult, withRunBefore } = laterWords.compare;
  return before === undefined
    ? { address: compareAddress([[runId]]), label: fromResult }
    : { address: compareAddress([[before], [runId]]), label: withRunBefore };
}

/** Menu with the less common actions, used on phones. */
function MoreMenu({ runId, plan, onCiStep }: { readonly runId: string; readonly plan: Plan; readonly onCiStep: () => void }) {
  const [kind, setKind] = useState<ExportKind | null>(null);
  const { address, label } = useComparison(runId);
  const { more } = words.common;
  const runAction = (key: ExportKind | 'compare' | 'ciStep'): void => {
    if (key === 'compare') navigate(address);
    else if (key === 'ciStep') onCiStep();
    else setKind(key);
  };
  const exports = EXPORT_KINDS.map((key) => ({ key, label: laterWords.exports.kinds[key] }));
  return (
    <>
      <ActionMenu
        trigger={<Button icon={<Ellipsis />} aria-label={more} />}
        label={more}
        placement="top start"
        actions={[
          { key: 'compare', label },
          { key: 'ciStep', label: laterWords.ciStep.button },
          { title: laterWords.exports.button, actions: exports },
        ]}
        onAction={runAction}
      />
      {kind === null ? null : <ExportDialog kind={kind} plan={plan} onClose={() => setKind(null)} />}
    </>
  );
}

const FORMATS = ['sealed', 'json', 'csv', 'steps', 'ab', 'jmeter', 'cycles', 'junit', 'hlog', 'text'] as const;
const texts = words.results.bar;

/** Actions for a result. */
export function ActionBar({ runId, plan, onRunAgain }: { readonly runId: string; readonly plan: Plan; readonly onRunAgain: () => void }) {
  const connection = useConnection();
  const isNarrow = useIsNarrow();
  const ciStep = useCiStep(plan);
  const [problem, setProblem] = useState<Problem | null>(null);

  const save = async (format: (typeof FORMATS)[number]): Promise<void> => {
    const { fileName, mediaType, content } = await connection.call('runs.export', { runId, format });
    reportSaved(await saveText(fileName, mediaType, content), fileName);
  };
  const copy = async (): Promise<void> => {
    const { content } = await connection.call('runs.export', { runId, format: 'text' });
    notify((await copyText(content)) ? texts.copied : texts.notCopied);
  };
  const runAction = (key: (typeof FORMATS)[number] | 'copy'): void => {
    setProblem(null);
    (key === 'copy' ? copy() : save(key)).catch((thrown: unknown) => setProblem(toProblem(thrown)));
  };
  return (
    <FooterBar notices={problem ? <ProblemBanner problem={problem} /> : null}>
      <ReportMenu source={{ runId }} />
      <ActionMenu
        trigger={<Button icon={<Download />}>{texts.save}</Button>}
        label={texts.save}
        placement="top start"
        actions={([...FORMATS, 'copy'] as const).map((key) => ({ key, label: texts.formats[key] }))}
        onAction={runAction}
      />
      {isNarrow ? (
        <MoreMenu runId={runId} plan={plan} onCiStep={ciStep.open} />
      ) : (
        <>
          <CompareLink runId={runId} />
          <ExportMenu plan={plan} onCiStep={ciStep.open} />
        </>
      )}
      {ciStep.dialog}
      <Button look="primary" icon={<RotateCcw />} onPress={onRunAgain}>
        {texts.again}
      </Button>
    </FooterBar>
  );
}

function CompareLink({ runId }: { readonly runId: string }) {
  const { address, label } = useComparison(runId);
  return (
    <LinkButton icon={<GitCompareArrows />} to={address}>
      {label}
    </LinkButton>
  );
}
