import { useState } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import { useAction } from './backend.ts';

interface KeptSecret {
  /** The entered text. It exists only in this state until the backend keeps it. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Passes the text to the backend and clears it. Does nothing without text. */
  readonly keep: () => void;
  readonly isPending: boolean;
  readonly error: HoldfastError | null;
}

/** State of a field for a secret. The backend keeps the secret in memory, and `onKept` receives the reference to it. */
export function useKeptSecret(onKept: (reference: string) => void, valueOf = (text: string): string => text): KeptSecret {
  const { mutate, isPending, error } = useAction('secrets.keep');
  const [text, setText] = useState('');
  const keepSecret = (): void => {
    const value = valueOf(text);
    if (value === '' || isPending) return;
    mutate(
      { value },
      {
        onSuccess: ({ secret }) => {
          onKept(secret);
          setText('');
        },
      },
    );
  };
  return { text, setText, keep: keepSecret, isPending, error };
}
