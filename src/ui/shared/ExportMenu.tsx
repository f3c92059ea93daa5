import { Share2 } from 'lucide-react';
import { useState, useMemo } from 'react';
import { EXPORT_KINDS, type ExportKind, EXPORT_FILES, type PlanExport } from '#core/export/exported.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ActionMenu } from '#ui/components/ActionMenu.tsx';
import { Button, CopyButton } from '#ui/components/Button.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { saveText } from '#ui/components/saveFile.ts';
import { Dialog } from '#ui/components/Dialog.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { reportSaved } from './notices.tsx';
import styles from './ExportMenu.module.css';

const texts = laterWords.exports;

/** Menu that exports a plan for other tools. */
export function ExportMenu({ plan, onCiStep }: { readonly plan: Plan; readonly onCiStep: () => void }) {
  const [kind, setKind] = useState<ExportKind | null>(null);
  return (
    <>
      <ActionMenu
        trigger={<Button icon={<Share2 />}>{texts.button}</Button>}
        label={texts.button}
        placement="top start"
        actions={[{ key: 'ciStep', label: laterWords.ciStep.button }, ...EXPORT_KINDS.map((key) => ({ key, label: texts.kinds[key] }))]}
        onAction={(key) => (key === 'ciStep' ? onCiStep() : setKind(key))}
      />
      {kind === null ? null : <ExportDialog kind={kind} plan={plan} onClose={() => setKind(null)} />}
    </>
  );
}

/** A plan in the format of another tool, which can be copied or saved, or the reason why that tool cannot run the plan. */
export function ExportDialog({ kind, plan, onClose }: { readonly kind: ExportKind; readonly plan: Plan; readonly onClose: () => void }) {
  const result = useMemo(() => exportPlan(kind, plan), [kind, plan]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (fileName: string, content: string): Promise<void> => {
    setProblem(null);
    try {
      reportSaved(await saveText(fileName, 'text/plain', content), fileName);
    } catch (thrown) {
      setProblem(toProblem(thrown));
    }
  };
  const isExported = result.kind === 'exported';
  return (
    <Dialog
      title={texts.titles[kind]}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.close}</Button>
          {isExported ? (
            <Button look="primary" onPress={() => void save(EXPORT_FILES[kind], result.exported.text)}>
              {words.common.save}
            </Button>
          ) : null}
        </>
      }
    >
      {problem === null ? null : <ProblemBanner problem={problem} />}
      {isExported ? <ExportedText plan={plan} exported={result.exported} onSave={save} /> : null}
      {isExported ? null : (
        <>
          <p>{texts.refused[kind]}</p>
          <ul className={styles.list}>
            {result.issues.map(({ path, message, hint }) => (
              <li key={`${path} ${message}`}>
                {message} {hint}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface ShownProps {
  readonly plan: Plan;
  readonly exported: PlanExport;
  readonly onSave: (fileName: string, content: string) => Promise<void>;
}

function ExportedText({ plan, exported: { kind, text, files, environment, notes }, onSave }: ShownProps) {
  return (
    <>
      <div className={styles.head}>
        <span>{texts.run[kind]}</span>
        <CopyButton text={text} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- [what scrolls must be reachable with the keyboard] */}
      <pre className={styles.text} tabIndex={0} aria-label={texts.text}>
        {text}
      </pre>
      {environment.length === 0 ? null : <p>{texts.environment(environment)}</p>}
      {plan.feeds === undefined ? null : <p>{texts.feeds(kind)}</p>}
      {files.map(({ path, content }) => (
        <div key={path}>
          <Button size="small" onPress={() => void onSave(path, content)}>
            {texts.beside(path)}
          </Button>
        </div>
      ))}
      <Disclosure title={texts.notes}>
        <ul className={styles.list}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Disclosure>
    </>
  );
}
