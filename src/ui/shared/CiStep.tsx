import { ClipboardCopy } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Problem, toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { planYaml } from '#core/presentation/document/planText.ts';
import { FORGES, type Forge, formatCiStep, listCiNeeds } from '#core/presentation/formats/ciStep.ts';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { RadioCards } from '#ui/components/Choices.tsx';
import { copyText } from '#ui/components/copyText.ts';
import { Dialog } from '#ui/components/Dialog.tsx';
import { saveText } from '#ui/components/saveFile.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import styles from './ExportMenu.module.css';
import { reportSaved } from './notices.tsx';

const texts = laterWords.ciStep;
const SAVED_FILE = 'plan.yaml';

/** Whether the last text was copied; null before the first attempt. */
type Copied = Forge | 'refused' | null;

/** Returns the action that copies the step of GitHub Actions and shows it, with the dialog to render. */
export function useCiStep(plan: Plan) {
  const [isOpen, setOpen] = useState(false);
  const [copied, setCopied] = useState<Copied>(null);
  const copy = async (forge: Forge): Promise<void> => setCopied((await copyText(formatCiStep(forge, plan))) ? forge : 'refused');
  return {
    open: (): void => {
      setOpen(true);
      void copy('github');
    },
    dialog: isOpen ? (
      <CiStepDialog plan={plan} copied={copied} onCopy={(forge) => void copy(forge)} onClose={() => setOpen(false)} />
    ) : null,
  };
}

/** Button that copies the step of a build. */
export function CiStepButton({ plan }: { readonly plan: Plan }) {
  const { open, dialog } = useCiStep(plan);
  return (
    <>
      <Button look="quiet" size="small" icon={<ClipboardCopy />} onPress={open}>
        {texts.button}
      </Button>
      {dialog}
    </>
  );
}

interface CiStepDialogProps {
  readonly plan: Plan;
  readonly copied: Copied;
  readonly onCopy: (forge: Forge) => void;
  readonly onClose: () => void;
}

function CiStepDialog({ plan, copied, onCopy, onClose }: CiStepDialogProps) {
  const [forge, setForge] = useState<Forge>('github');
  const [problem, setProblem] = useState<Problem | null>(null);
  const text = useMemo(() => formatCiStep(forge, plan), [forge, plan]);
  const { environment, files, hasEnteredSecrets } = useMemo(() => listCiNeeds(plan), [plan]);
  const savePlan = async (): Promise<void> => {
    setProblem(null);
    try {
      reportSaved(await saveText(SAVED_FILE, 'application/yaml', planYaml(plan)), SAVED_FILE);
    } catch (thrown) {
      setProblem(toProblem(thrown));
    }
  };
  return (
    <Dialog
      title={texts.title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.close}</Button>
          <Button onPress={() => void savePlan()}>{texts.savePlan}</Button>
          <Button look="primary" onPress={() => onCopy(forge)}>
            {texts.copy}
          </Button>
        </>
      }
    >
      {problem === null ? null : <ProblemBanner problem={problem} />}
      <RadioCards
        label={texts.forge}
        hideLabel
        layout="row"
        value={forge}
        onChange={setForge}
        cards={FORGES.map((value) => ({ value, name: texts.forges[value], content: texts.forges[value] }))}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- [what scrolls must be reachable with the keyboard] */}
      <pre className={styles.text} tabIndex={0} aria-label={texts.text}>
        {text}
      </pre>
      <output>{copied === null ? '' : copied === 'refused' ? texts.refused : copied === forge ? texts.copied : texts.notCopied}</output>
      <ul className={styles.list}>
        <li>{texts.plan}</li>
        <li>{texts.owner}</li>
        {environment.length === 0 ? null : <li>{texts.environment[forge](environment)}</li>}
        {files.length === 0 ? null : <li>{texts.files(files)}</li>}
        {hasEnteredSecrets ? <li>{texts.entered}</li> : null}
      </ul>
    </Dialog>
  );
}
