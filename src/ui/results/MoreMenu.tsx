import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { EXPORT_KINDS, type ExportKind } from '#core/export/exported.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ExportDialog } from '../app/ExportDialog.tsx';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';
import { useComparison } from './useComparison.ts';

/** On a telephone: what is done with a result less often, behind one button. */
export function MoreMenu({ runId, plan }: { readonly runId: string; readonly plan: Plan }) {
  const [kind, setKind] = useState<ExportKind | null>(null);
  const { address, label } = useComparison(runId);
  const { more } = words.common;
  const act = (key: ExportKind | 'compare'): void => (key === 'compare' ? navigate(address) : setKind(key));
  const exports = EXPORT_KINDS.map((key) => ({ key, label: words.exports.kinds[key] }));
  return (
    <>
      <ActionMenu
        trigger={<Button icon={<Ellipsis />} aria-label={more} />}
        label={more}
        placement="top start"
        actions={[
          { key: 'compare', label },
          { title: words.exports.button, actions: exports },
        ]}
        onAction={act}
      />
      {kind === null ? null : <ExportDialog kind={kind} plan={plan} onClose={() => setKind(null)} />}
    </>
  );
}
