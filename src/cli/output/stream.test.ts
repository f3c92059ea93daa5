import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { memoryOutput } from '../testing/memoryOutput.ts';
import { outputTo } from './stream.ts';

function failingStream(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(`it failed: ${code}`), { code })) });
}

const HOSTILE = '\u001b]0;owned\u0007\u001b[2Jname\u202e\r\u009b1A';
const ESCAPED = String.raw`\u001b]0;owned\u0007\u001b[2Jname\u202e\u000d\u009b1A`;

describe('text from servers and plans', () => {
  it('cannot send control sequences to the terminal', async () => {
    const err = memoryOutput({ isTerminal: true, columns: 200 });
    await err.write(HOSTILE);
    await err.writeFile(HOSTILE);
    await err.redraw(HOSTILE, HOSTILE);
    expect(err.text).toBe(`${ESCAPED}${ESCAPED}\r\u001b[K${ESCAPED}\n${ESCAPED}`);
  });

  it("is cut to one line of the terminal's width in redrawn lines", async () => {
    const err = memoryOutput({ isTerminal: true, columns: 10 });
    await err.redraw('one\ntwo\u001b[2J');
    expect(err.text).toBe(`\r\u001b[Kone two${String.raw`\u`}`);
  });

  it('is unchanged in a file, and escaped elsewhere', async () => {
    const out = memoryOutput();
    await out.writeFile(`${HOSTILE}\r\n`);
    await out.write(HOSTILE);
    await out.redraw(HOSTILE);
    expect(out.text).toBe(`${HOSTILE}\r\n${ESCAPED}`);
  });
});

describe('a report', () => {
  const text = `✗ Failed: ${HOSTILE}\n\nWhy\n  - It was slow.\n`;

  it('has coloured verdicts and titles on a terminal, but foreign text has no control over colours', async () => {
    const out = memoryOutput({ isTerminal: true });
    await out.writeReport(text);
    expect(out.text).toBe(`\u001b[1m\u001b[31m✗ Failed: ${ESCAPED}\u001b[39m\u001b[22m\n\n\u001b[1mWhy\u001b[22m\n  - It was slow.\n`);
  });

  it('has no colours in a file', async () => {
    const out = memoryOutput();
    await out.writeReport(text);
    expect(out.text).toBe(`✗ Failed: ${ESCAPED}\n\nWhy\n  - It was slow.\n`);
  });
});

describe('outputTo', () => {
  it('resolves when the stream has accepted the text', async () => {
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

  it('ignores a closed pipe', async () => {
    const output = outputTo(failingStream('EPIPE'));
    await output.write('one');
    await output.write('two');
  });

  it('reports a full disk', async () => {
    await expect(outputTo(failingStream('ENOSPC')).write('one')).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringContaining('ENOSPC'),
    });
  });
});
