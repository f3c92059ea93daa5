import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { RunWriter } from './runWriter.ts';

const DISK_FULL = new HoldfastError({ code: 'DISK_FULL', message: 'full', hint: '' });

describe('RunWriter', () => {
  it('queues writes in order after a failure, and writes them once the store works again', () => {
    const written: number[] = [];
    const failures: unknown[] = [];
    let isFull = false;
    const writer = new RunWriter((thrown) => void failures.push(thrown));
    const write = (number: number): void =>
      writer.write(() => {
        if (isFull) throw DISK_FULL;
        written.push(number);
      });
    write(1);
    isFull = true;
    for (const number of [2, 3, 4]) write(number);
    expect([written, failures.length]).toEqual([[1], 1]);
    expect(() => writer.flush()).toThrow(DISK_FULL);
    isFull = false;
    writer.flush();
    write(5);
    expect(written).toEqual([1, 2, 3, 4, 5]);
    expect(writer.hasLost).toBe(false);
  });

  it('limits the queue', () => {
    const writer = new RunWriter(() => {});
    const fail = (): void => {
      throw DISK_FULL;
    };
    for (let count = 0; count < 5_000; count += 1) writer.write(fail);
    expect(writer.hasLost).toBe(true);
  });

  it('drops a write that can never succeed', () => {
    const written: number[] = [];
    const failures: unknown[] = [];
    const writer = new RunWriter((thrown) => void failures.push(thrown));
    writer.write(() => {
      throw new RangeError('-1 is not a count.');
    });
    writer.write(() => void written.push(2));
    writer.flush();
    expect([written, failures.length, writer.hasLost]).toEqual([[2], 1, true]);
  });

  it('accepts writes during a write', () => {
    const writtenTexts: string[] = [];
    const writer = new RunWriter(() => {});
    writer.write(() => {
      writer.write(() => void writtenTexts.push('second'));
      writtenTexts.push('first');
    });
    expect(writtenTexts).toEqual(['first', 'second']);
  });
});
