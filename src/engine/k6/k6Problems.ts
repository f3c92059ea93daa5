import type { Problem } from '#core/base/errors.ts';
import type { K6Exit } from './k6Process.ts';

/** k6's exit codes: errext/exitcodes/codes.go in its source. */
const MEANINGS: Readonly<Record<number, string>> = {
  104: 'it does not accept the script’s options',
  105: 'something outside ended it',
  107: 'the script threw an exception',
  108: 'the script ended the test by itself',
  109: 'an error inside k6',
};

/** What it means that k6 ended like this although nobody asked it to; null when it is how a run ends that is through. */
export function problemOfExit({ code, signal }: K6Exit, lastError: string | null): Problem | null {
  if (code === 0) return null;
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const meaning = code !== null && Object.hasOwn(MEANINGS, code) ? `: ${MEANINGS[code]}` : '';
  return {
    code: 'K6_FAILED',
    message: `k6 ended ${how}${meaning}.${lastError === null ? '' : ` It said: ${lastError}`}`,
    hint: 'What was measured until then is kept. Export the script (holdfast export k6) and run it with k6 itself to see more.',
  };
}

export function k6NotStarted(thrown: unknown): Problem {
  return {
    code: 'K6_MISSING',
    message: `k6 could not be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    hint: 'See whether “k6 version” works in a terminal, and install k6 again if it does not.',
  };
}
