import type { CheckCode } from '#core/work/bodyCheck/words.ts';

/** Why a body cannot be looked at: a check of it has failed. */
export class UnreadableBody extends Error {
  readonly code: CheckCode;
  readonly label: string;

  constructor(code: CheckCode, label: string) {
    super(label);
    this.code = code;
    this.label = label;
  }
}
