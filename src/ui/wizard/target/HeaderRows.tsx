import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#ui/shared/backend.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Inline } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { isHarmlessHeader } from '#core/plan/secretShapes.ts';
import type { HeaderEntry, TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './TargetPage.module.css';

export function HeaderRows({ target }: { readonly target: TargetEntry }) {
  const { dispatch } = useWizard();
  const say = words.wizard.target;
  return (
    <div className={styles.headers}>
      <p className="muted">{say.headersHelp}</p>
      {target.headers.map((header) => (
        <HeaderRow key={header.id} targetId={target.id} header={header} />
      ))}
      <Inline>
        <Button size="small" icon={<Plus />} onPress={() => dispatch({ type: 'headerAdded', id: target.id })}>
          {say.headerAdd}
        </Button>
      </Inline>
    </div>
  );
}

/** Row of a header. Values are secret unless the name is known to be harmless or the user says so. */
function HeaderRow({ targetId, header }: { readonly targetId: number; readonly header: HeaderEntry }) {
  const { dispatch } = useWizard();
  const say = words.wizard.target;
  const change = (changed: Partial<Omit<HeaderEntry, 'id'>>): void =>
    dispatch({ type: 'headerChanged', id: targetId, headerId: header.id, change: changed });
  const isSecret = header.value.kind !== 'clear';
  const rename = (name: string): void => {
    const isUntouched = header.value.kind === 'toKeep' || (header.value.kind === 'clear' && header.value.text === '');
    const value: HeaderEntry['value'] = isHarmlessHeader(name) || name.trim() === '' ? { kind: 'clear', text: '' } : { kind: 'toKeep' };
    change(isUntouched ? { name, value } : { name });
  };
  return (
    <div className={styles.header}>
      <TextField label={say.headerName} value={header.name} code onChange={rename} />
      <HeaderValue
        targetId={targetId}
        header={header}
        onClear={(text) => change({ value: { kind: 'clear', text } })}
        onReplace={() => change({ value: { kind: 'toKeep' } })}
      />
      <span className={styles.headerEnd}>
        <Button
          look="quiet"
          icon={<Trash2 />}
          aria-label={say.headerRemove(header.name)}
          onPress={() => dispatch({ type: 'headerRemoved', id: targetId, headerId: header.id })}
        />
      </span>
      <span className={styles.headerFull}>
        <Checkbox isSelected={isSecret} onChange={(secret) => change({ value: secret ? { kind: 'toKeep' } : { kind: 'clear', text: '' } })}>
          {say.headerSecret}
        </Checkbox>
      </span>
    </div>
  );
}

interface HeaderValueProps {
  readonly targetId: number;
  readonly header: HeaderEntry;
  readonly onClear: (text: string) => void;
  readonly onReplace: () => void;
}

/** Field of a header value. The text of a secret exists only here until the backend stores it. */
function HeaderValue({ targetId, header, onClear, onReplace }: HeaderValueProps) {
  const { dispatch } = useWizard();
  const keep = useAction('secrets.keep');
  const [text, setText] = useState('');
  const say = words.wizard.target;
  const { value } = header;
  const keepText = (): void => {
    if (text === '' || value.kind !== 'toKeep' || keep.isPending) return;
    keep.mutate(
      { value: text },
      {
        onSuccess: ({ secret }) => {
          dispatch({ type: 'headerKept', id: targetId, headerId: header.id, secret });
          setText('');
        },
      },
    );
  };
  switch (value.kind) {
    case 'clear':
      return <TextField label={say.headerValue} value={value.text} code onChange={onClear} />;
    case 'kept':
      return (
        <div className={styles.kept}>
          <span className="muted">{say.headerKept}</span>
          <Button size="small" onPress={onReplace}>
            {say.headerReplace}
          </Button>
        </div>
      );
    case 'toKeep':
      return (
        <div>
          <TextField label={say.headerValue} value={text} code onChange={setText} onBlur={keepText} onEnter={keepText} />
          {keep.error ? <ProblemBanner problem={keep.error} onRetry={keepText} /> : null}
        </div>
      );
    default:
      return value satisfies never;
  }
}
