import { Download, GitCompareArrows, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { HoldfastError, type Problem, problemOf } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useConnection } from '../app/backend.ts';
import { notify } from '../app/notices.tsx';
import { ExportMenu } from '../app/ExportMenu.tsx';
import { ReportMenu } from '../app/ReportMenu.tsx';
import { saveText } from '../charts/saveFile.ts';
import { ActionMenu, useIsNarrow } from '../components/ActionMenu.tsx';
import { Button, LinkButton } from '../components/Button.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';
import { MoreMenu } from './MoreMenu.tsx';
import { useComparison } from './useComparison.ts';
import styles from './ActionBar.module.css';

const FORMATS = ['json', 'csv', 'steps', 'ab', 'jmeter', 'cycles', 'junit', 'hlog', 'text'] as const;
const texts = words.results.bar;

interface ActionBarProps {
  readonly runId: string;
  readonly plan: Plan;
  readonly onRunAgain: () => void;
}

/** What can be done with a result; stays at the foot of the window. */
export function ActionBar({ runId, plan, onRunAgain }: ActionBarProps) {
  const connection = useConnection();
  const isNarrow = useIsNarrow();
  const [problem, setProblem] = useState<Problem | null>(null);

  const save = async (format: (typeof FORMATS)[number]): Promise<void> => {
    const { fileName, mediaType, content } = await connection.call('runs.export', { runId, format });
    const saved = await saveText(fileName, mediaType, content);
    if (saved.outcome === 'failed') throw new HoldfastError({ code: 'NOT_SAVED', message: saved.message, hint: saved.hint });
    if (saved.outcome === 'saved') notify(texts.saved(fileName));
  };
  const copy = async (): Promise<void> => {
    const { content } = await connection.call('runs.export', { runId, format: 'text' });
    await navigator.clipboard.writeText(content).then(
      () => notify(texts.copied),
      () => notify(texts.notCopied),
    );
  };
  const act = (key: (typeof FORMATS)[number] | 'copy'): void => {
    setProblem(null);
    (key === 'copy' ? copy() : save(key)).catch((thrown: unknown) => setProblem(problemOf(thrown)));
  };
  return (
    <div className={styles.bar}>
      {problem ? <ProblemBanner problem={problem} /> : null}
      <div className={styles.buttons}>
        <ReportMenu source={{ runId }} />
        <ActionMenu
          trigger={<Button icon={<Download />}>{texts.save}</Button>}
          label={texts.save}
          placement="top start"
          actions={([...FORMATS, 'copy'] as const).map((key) => ({ key, label: texts.formats[key] }))}
          onAction={act}
        />
        {isNarrow ? (
          <MoreMenu runId={runId} plan={plan} />
        ) : (
          <>
            <CompareLink runId={runId} />
            <ExportMenu plan={plan} />
          </>
        )}
        <Button look="primary" icon={<RotateCcw />} onPress={onRunAgain}>
          {texts.again}
        </Button>
      </div>
    </div>
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
