import { useState } from 'react';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { words } from '#ui/words/words.ts';

/** An address that is being entered. Its error is shown after the field loses focus or the start button is pressed. */
export interface AddressEntry {
  /** null while the text is not a valid address. */
  readonly url: string | null;
  readonly complain: () => void;
  /** Properties of the text field. */
  readonly field: {
    readonly type: 'url';
    readonly code: true;
    readonly value: string;
    readonly error: string | null;
    readonly onChange: (text: string) => void;
    readonly onBlur: () => void;
  };
}

/** Returns the state of an address field with the initial text `first`. */
export function useAddress(first = ''): AddressEntry {
  const [text, setText] = useState(first);
  const [isLeft, setLeft] = useState(false);
  const isEmpty = text.trim() === '';
  const problem = isEmpty ? words.quick.needsAddress : urlProblem(text);
  return {
    url: problem === null ? completeUrl(text) : null,
    complain: () => setLeft(true),
    field: {
      type: 'url',
      code: true,
      value: text,
      error: isLeft ? problem : null,
      onChange: setText,
      onBlur: () => setLeft(!isEmpty),
    },
  };
}
