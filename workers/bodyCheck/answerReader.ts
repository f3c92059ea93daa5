import type { Answer } from '../requestRecorder.ts';
import type { CheckedAnswer } from './decodeBody.ts';

/** An answer as those see it who look into it. */
export interface SeenAnswer extends CheckedAnswer {
  /** The body, unpacked and decoded, once for all who ask; throws an `UnreadableBody`. */
  text(): string;
  /** Value of a header among those that the load asked the framer for, by its name in lower case; lines of one name are joined by a line feed. */
  header(name: string): string | undefined;
}

/** Looks into the answers to one request, and says what they are worth. */
export interface AnswerReader {
  readonly needsBody: boolean;
  /** Whether it looks into answers of an unexpected status too. */
  readonly readsAll: boolean;
  /** Names and values that it took out of the last answer. */
  readonly captured: readonly (readonly [string, string])[];
  /** May put `expected` and `failedCheck` right. */
  read(answer: Answer, seen: SeenAnswer): void;
}
