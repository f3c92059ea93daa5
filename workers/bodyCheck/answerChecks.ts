import type { ResponseFramer } from '../drivers/native/framer/framer.ts';
import { MAX_KEPT_BYTES } from './decodeBody.ts';
import type { StepChecks } from './stepChecks.ts';

/** Headers that checks need, in the order in which {@link AnswerChecks} looks for them among those wanted. */
export const CHECK_HEADERS = ['content-encoding', 'content-type'] as const;

/** Keeps the bodies of one connection as long as checks need them, and looks at them. Steps without checks cost nothing. */
export class AnswerChecks {
  private readonly framer: ResponseFramer;
  private readonly firstHeader: number;
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  private isTooLarge = false;
  private readonly keep = (buffer: Buffer, start: number, end: number): void => this.take(buffer, start, end);

  /** `firstHeader`: where {@link CHECK_HEADERS} begin among the framer's wanted headers. */
  constructor(framer: ResponseFramer, firstHeader: number) {
    this.framer = framer;
    this.firstHeader = firstHeader;
  }

  /** A request of a step with these checks is about to be sent. */
  begin(checks: StepChecks | null): void {
    this.forget();
    this.framer.onBody = checks?.needsBody === true ? this.keep : null;
  }

  /** The name of the first check that the answer in the framer fails; null when all hold. Forgets its body. */
  firstFailure(checks: StepChecks): string | null {
    const { framer } = this;
    const body = checks.needsBody && !this.isTooLarge ? Buffer.concat(this.pieces) : null;
    this.forget();
    const { wanted, bodyBytes } = framer;
    return checks.firstFailure({
      bodyBytes,
      body,
      contentEncoding: wanted[this.firstHeader],
      contentType: wanted[this.firstHeader + 1],
    });
  }

  /** What lies in the read buffer is overwritten by the next read. */
  private take(buffer: Buffer, start: number, end: number): void {
    if (this.isTooLarge) return;
    this.keptBytes += end - start;
    if (this.keptBytes > MAX_KEPT_BYTES) {
      this.isTooLarge = true;
      this.pieces = [];
    } else this.pieces.push(Buffer.from(buffer.subarray(start, end)));
  }

  private forget(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.isTooLarge = false;
  }
}
