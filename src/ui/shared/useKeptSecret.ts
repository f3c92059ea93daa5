import { useState } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import { useAction } from './backend.ts';

interface KeptSecret {
  /** The entered text. Until the backend has stored it, it exists only in this state. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Passes the text to the backend and clears it. Does nothing if there is no text. */
  readonly keep: () => void;
  readonly isPending: boolean;
  readonly error: HoldfastError | null;
}

/** Returns the state of a field for a secret. The backend stores the secret in memory, and `onKept` receives the reference to it. */
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
