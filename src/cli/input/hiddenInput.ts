import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { HoldfastError } from '#core/base/errors.ts';
import type { Output } from '../output/stream.ts';

/** Prompts for hidden input. Throws `NO_TERMINAL` if there is no terminal, and `CANCELLED` on Ctrl-C. */
export type HiddenInput = (label: string) => Promise<string>;

const KEYS = { interrupt: '\u0003', end: '\u0004', backspace: ['\u007f', '\b'], enter: ['\r', '\n'] };

/** The text that was typed so far, and whether the input has ended. */
export type TypedText = { readonly text: string; readonly state: 'typing' | 'done' | 'cancelled' };

export function typeKeys(before: TypedText, keys: string): TypedText {
  let { text } = before;
  for (const key of keys) {
    if (KEYS.enter.includes(key) || key === KEYS.end) return { text, state: 'done' };
    if (key === KEYS.interrupt) return { text: '', state: 'cancelled' };
    if (KEYS.backspace.includes(key)) text = [...text].slice(0, -1).join('');
    else if (key >= ' ') text += key;
  }
  return { text, state: 'typing' };
}

/** Returns a function that reads from a terminal in raw mode, without echo. */
export function hiddenInputFrom(input: ReadStream, err: Output): HiddenInput {
  return async (label) => {
    if (!input.isTTY) throw noTerminal(label);
    await err.write(`${label}: `);
    input.setRawMode(true);
    input.setEncoding('utf8');
    try {
      return await readLine(input);
    } finally {
      input.setRawMode(false);
      input.pause();
      await err.write('\n');
    }
  };
}

/** Asks a question with a visible answer. Returns null without a terminal, or if it closes or the signal aborts before an answer. */
export type LineInput = (question: string, signal?: AbortSignal) => Promise<string | null>;

export function lineInputFrom(input: ReadStream, output: NodeJS.WritableStream): LineInput {
  return async (question, signal) => {
    if (!input.isTTY) return null;
    const lines = createInterface({ input, output });
    const close = (): void => lines.close();
    signal?.addEventListener('abort', close, { once: true });
    try {
      return await new Promise<string | null>((resolve) => {
        lines.once('close', () => resolve(null));
        lines.once('SIGINT', () => lines.close());
        void lines.question(question).then(resolve, () => resolve(null));
      });
    } finally {
      signal?.removeEventListener('abort', close);
      lines.close();
    }
  };
}

function readLine(input: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typedText: TypedText = { text: '', state: 'typing' };
    const onData = (keys: string): void => {
      typedText = typeKeys(typedText, keys);
      if (typedText.state === 'typing') return;
      input.off('data', onData);
      if (typedText.state === 'done') resolve(typedText.text);
      else reject(new HoldfastError({ code: 'CANCELLED', message: 'You stopped before the run started.', hint: 'Nothing was sent.' }));
    };
    input.on('data', onData);
    input.resume();
  });
}

function noTerminal(label: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_TERMINAL',
    message: `The plan asks for “${label}”. There is no terminal to ask on.`,
    hint: 'Start Holdfast in a terminal, or give the value as env:NAME or file:PATH instead of ask:LABEL.',
  });
}
