import type { Duplex } from 'node:stream';
import { ANSWER_LIMIT_MS } from './problems.ts';

const LIMIT_BYTES = 4_000_000;

/**
 * Sends a question and collects the answer until `isWhole` says so, or until the other side closes. Throws when there is none in time,
 * or when it closes before the answer is whole.
 */
export function exchange(
  stream: Duplex,
  question: string,
  isWhole: (answer: Buffer) => boolean | 'at the end',
  limitBytes = LIMIT_BYTES,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const settle = (failure: Error | null): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', settle);
      if (failure === null) resolve(answer);
      else {
        // What comes later would be taken for the answer to the next question.
        stream.on('error', () => {});
        stream.destroy();
        reject(failure);
      }
    };
    const timer = setTimeout(() => settle(new Error(`there was no answer within ${ANSWER_LIMIT_MS / 1_000} s`)), ANSWER_LIMIT_MS);
    const onData = (piece: Buffer): void => {
      answer = Buffer.concat([answer, piece]);
      if (answer.length > limitBytes) settle(new Error(`its answer is longer than ${limitBytes} bytes`));
      else if (isWhole(answer) === true) settle(null);
    };
    const onEnd = (): void => settle(isWhole(answer) === 'at the end' ? null : new Error('it closed the connection'));
    stream.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', settle);
    stream.write(question);
  });
}
