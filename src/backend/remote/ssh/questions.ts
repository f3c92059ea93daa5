import { HoldfastError } from '#core/base/errors.ts';

/** Something that only the person knows. */
export interface Question {
  readonly kind: 'password' | 'passphrase' | 'prompt';
  /** The host that it is about. */
  readonly host: string;
  /** What to ask, in words. */
  readonly label: string;
}

/** null: nobody is here to answer now. */
export type Ask = (question: Question) => Promise<string | null>;

/** What was answered is kept while Holdfast runs, in memory only, and forgotten when the host refuses it. */
export interface Answers {
  readonly ask: Ask;
  forget(question: Question): void;
}

export function secretNeeded(question: Question): HoldfastError {
  return new HoldfastError({
    code: 'HOST_SECRET_NEEDED',
    message: `${question.host} wants an answer: ${question.label}.`,
    hint: 'Give it in a terminal or on the page Hosts, or use a key that an ssh-agent holds.',
    data: { question },
  });
}
