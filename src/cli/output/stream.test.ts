import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { outputTo } from './stream.ts';

function failing(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(`it failed: ${code}`), { code })) });
}

describe('outputTo', () => {
  it('resolves when the text has been taken', async () => {
    const taken: string[] = [];
    const slow = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) =>
        void setImmediate(() => {
          taken.push(String(chunk));
          done();
        }),
    });
    const output = outputTo(slow);
    await output.write('one');
    await output.write('two');
    expect(taken).toEqual(['one', 'two']);
    expect([output.isTerminal, output.columns]).toEqual([false, 80]);
  });

  it('drops what a reader that has left does not want', async () => {
    const output = outputTo(failing('EPIPE'));
    await output.write('one');
    await output.write('two');
  });

  it('tells that a disk is full', async () => {
    await expect(outputTo(failing('ENOSPC')).write('one')).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringContaining('ENOSPC'),
    });
  });
});
