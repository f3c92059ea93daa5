import { useMemo, useState } from 'react';
import { type Problem, problemOf } from '#core/base/errors.ts';
import { EXPORT_FILES, type Exported, type ExportKind } from '#core/export/exported.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { saveText } from '../charts/saveFile.ts';
import { Button, CopyButton } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';
import { tellSaved } from './tellSaved.ts';
import styles from './ExportDialog.module.css';

const texts = words.exports;

interface ExportDialogProps {
  readonly kind: ExportKind;
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** A plan in the format of another tool, to copy or save, or the reason why that tool cannot run it. */
export function ExportDialog({ kind, plan, onClose }: ExportDialogProps) {
  const result = useMemo(() => exportPlan(kind, plan), [kind, plan]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (fileName: string, content: string): Promise<void> => {
    setProblem(null);
    try {
      tellSaved(await saveText(fileName, 'text/plain', content), fileName);
    } catch (thrown) {
      setProblem(problemOf(thrown));
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
      {isExported ? <Shown plan={plan} exported={result.exported} onSave={save} /> : null}
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
  readonly exported: Exported;
  readonly onSave: (fileName: string, content: string) => Promise<void>;
}

function Shown({ plan, exported: { kind, text, files, environment, notes }, onSave }: ShownProps) {
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
