import { DIGIT_0, DIGIT_9 } from './bytes.ts';
import type { Refusal } from './refusals.ts';
import { isBlank, type ValueReader } from './valueReader.ts';

/** Content-Length: digits, nothing else, once. */
export class ContentLengthReader implements ValueReader {
  /** In bytes; -1 when the message has none. */
  value = -1;
  private sum = 0;
  private trailing = false;

  reset(): void {
    this.value = -1;
  }

  begin(): Refusal | null {
    this.sum = 0;
    this.trailing = false;
    return this.value >= 0 ? 'TWO_CONTENT_LENGTHS' : null;
  }

  byte(byte: number): Refusal | null {
    if (isBlank(byte)) {
      this.trailing = true;
      return null;
    }
    if (byte < DIGIT_0 || byte > DIGIT_9 || this.trailing) return 'BAD_CONTENT_LENGTH';
    this.sum = this.sum * 10 + (byte - DIGIT_0);
    return this.sum > Number.MAX_SAFE_INTEGER ? 'BAD_CONTENT_LENGTH' : null;
  }

  end(): Refusal | null {
    this.value = this.sum;
    return null;
  }
}
