import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { EXPORT_KINDS, type ExportKind } from '#core/export/exported.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';
import { ExportDialog } from './ExportDialog.tsx';

const texts = words.exports;

/** Menu that exports a plan for other tools. */
export function ExportMenu({ plan }: { readonly plan: Plan }) {
  const [kind, setKind] = useState<ExportKind | null>(null);
  return (
    <>
      <ActionMenu
        trigger={<Button icon={<Share2 />}>{texts.button}</Button>}
        label={texts.button}
        placement="top start"
        actions={EXPORT_KINDS.map((key) => ({ key, label: texts.kinds[key] }))}
        onAction={setKind}
      />
      {kind === null ? null : <ExportDialog kind={kind} plan={plan} onClose={() => setKind(null)} />}
    </>
  );
}
