import { useState } from 'react';
import { useAction } from '#ui/app/backend.ts';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import type { TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './TargetPage.module.css';

/** The text of a cookie lives in this field only until the backend keeps it; the wizard holds a reference. */
export function CookieField({ target }: { readonly target: TargetEntry }) {
  const { dispatch } = useWizard();
  const keep = useAction('secrets.keep');
  const [text, setText] = useState('');
  const say = words.wizard.target;
  const change = (cookie: TargetEntry['cookie']): void => dispatch({ type: 'targetChanged', id: target.id, change: { cookie } });
  if (target.cookie) {
    return (
      <Inline>
        <Button size="small" onPress={() => change(null)}>
          {say.cookieForget}
        </Button>
      </Inline>
    );
  }
  const keepText = (): void => {
    const value = text.trim().replace(/^cookie:\s*/i, '');
    if (value === '') return;
    keep.mutate(
      { value },
      {
        onSuccess: ({ secret }) => {
          change({ secret, names: [], from: 'typed' });
          setText('');
        },
      },
    );
  };
  return (
    <Stack gap={8}>
      <TextField
        label={say.cookieLabel}
        help={say.cookieHelp}
        placeholder={say.cookieExample}
        code
        value={text}
        onChange={setText}
        onEnter={keepText}
      />
      <div className={styles.kept}>
        <Button size="small" isDisabled={text.trim() === ''} isPending={keep.isPending} onPress={keepText}>
          {say.cookieKeep}
        </Button>
      </div>
      {keep.error ? <ProblemBanner problem={keep.error} onRetry={keepText} /> : null}
    </Stack>
  );
}
