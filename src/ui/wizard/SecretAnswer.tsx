import { useState } from 'react';
import { useAction } from '#ui/app/backend.ts';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';

interface SecretAnswerProps {
  readonly label: string;
  readonly help: string;
  /** Where the secret is found now. */
  readonly reference: string;
  readonly onKept: (reference: string) => void;
  readonly error: string | null;
}

/** An answer that nobody may read: its text lives in this field only until the backend keeps it. */
export function SecretAnswer({ label, help, reference, onKept, error }: SecretAnswerProps) {
  const keep = useAction('secrets.keep');
  const [text, setText] = useState('');
  const say = words.wizard.load;
  const keepText = (): void => {
    if (text === '' || keep.isPending) return;
    keep.mutate(
      { value: text },
      {
        onSuccess: ({ secret }) => {
          onKept(secret);
          setText('');
        },
      },
    );
  };
  const isKept = reference.startsWith('session:');
  const isFound = reference.startsWith('file:');
  return (
    <Stack gap={8}>
      <TextField
        label={label}
        help={isKept ? say.secretKept : isFound ? say.secretFound : help}
        type="password"
        value={text}
        onChange={setText}
        onBlur={keepText}
        onEnter={keepText}
        error={error}
        placeholder={isKept || isFound ? say.secretReplace : ''}
      />
      {keep.error ? <ProblemBanner problem={keep.error} onRetry={keepText} /> : null}
    </Stack>
  );
}
