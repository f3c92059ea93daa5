import { execFile } from 'node:child_process';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readStart } from '#backend/visits/hostBrowser.ts';
import { DevtoolsPipe } from './pipe.ts';

/** A fake pipe that records the received and the written messages. */
function openPipe(bytesAhead = '') {
  const writtenTexts: string[] = [];
  const channel = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writtenTexts.push(chunk.toString());
      done();
    },
  });
  const came: object[] = [];
  let isClosed = false;
  const end = Object.assign(new DevtoolsPipe(channel, Buffer.from(bytesAhead)), {
    onmessage: (message: object) => void came.push(message),
    onclose: () => void (isClosed = true),
  });
  const receive = async (...chunks: readonly (string | Buffer)[]): Promise<void> => {
    for (const chunk of chunks) channel.push(chunk);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  };
  return { channel, end, came, written: writtenTexts, say: receive, isClosed: () => isClosed };
}

describe('DevtoolsPipe', () => {
  it('splits messages at zero bytes, however the chunks are cut', async () => {
    const { came, say, written, end } = openPipe('{"id":0}\0');
    await say('{"id"', ':1}\0{"id":2}', '\0{"na', 'me":"ä"}\0');
    expect(came).toEqual([{ id: 0 }, { id: 1 }, { id: 2 }, { name: 'ä' }]);
    end.send({ id: 3 });
    expect(written).toEqual(['{"id":3}\0']);
  });

  it('delivers a message only after all tasks of the previous message', async () => {
    const { end, say } = openPipe();
    const steps: string[] = [];
    const takeMessage = async (message: object): Promise<void> => {
      steps.push(`came ${JSON.stringify(message)}`);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      steps.push(`done ${JSON.stringify(message)}`);
    };
    Object.assign(end, { onmessage: takeMessage });
    await say('{"id":1}\0{"id":2}\0');
    expect(steps).toEqual(['came {"id":1}', 'done {"id":1}', 'came {"id":2}', 'done {"id":2}']);
  });

  it('delivers the messages before the end, then closes', async () => {
    const { channel, came, say, isClosed } = openPipe();
    channel.push('{"id":1}\0{"id":2}\0');
    channel.destroy();
    await say();
    expect([came, isClosed()]).toEqual([[{ id: 1 }, { id: 2 }], true]);
  });

  it.each([
    ['text that is not JSON', 'hello\0'],
    ['JSON that is not a message', '7\0'],
    ['a message that does not end', Buffer.alloc(33_000_000, 'x')],
  ])('is closed by %s, and ignores later messages', async (_, stated) => {
    const { came, say, isClosed } = openPipe();
    await say(stated, '{"id":1}\0');
    expect([isClosed(), came]).toEqual([true, []]);
  });

  it('closes when it exceeds its limit per minute', async () => {
    const { say, isClosed } = openPipe();
    const message = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(30_000_000) })}\0`);
    for (let turn = 0; turn < 8; turn += 1) await say(message);
    expect(isClosed()).toBe(false);
    await say(message);
    expect(isClosed()).toBe(true);
  });
});

describe('readStart', () => {
  it('finds the complete line after output of start-up files', () => {
    const text = 'Welcome!\nholdfast browser 1\t/tmp/a b\t/usr/bin/chromium\n{"id"';
    for (let length = 0; length < text.length - 6; length += 1) expect(readStart(Buffer.from(text.slice(0, length)))).toBeNull();
    expect(readStart(Buffer.from(text))).toEqual({
      there: { folder: '/tmp/a b', program: '/usr/bin/chromium' },
      rest: Buffer.from('{"id"'),
    });
    expect(readStart(Buffer.from('\nholdfast browser 1 none\n'))?.there).toBeNull();
  });
});

/** Messages that Playwright cannot handle. Without the guard, each one ends the process. */
const LINES = [
  '{"method":"Target.attachedToTarget"}',
  '{"method":"Target.attachedToTarget","params":{}}',
  '{"method":"Target.detachedFromTarget"}',
  '{"method":"Browser.downloadWillBegin"}',
  '{"method":"error","params":{"a":1}}',
  '{"id":999}',
  '{"id":"x","error":{}}',
];

it('a browser that sends a malformed message is ended, and the process stays alive', { timeout: 60_000 }, async () => {
  const program = fileURLToPath(new URL('testing/falseBrowser.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...LINES]);
  expect(JSON.parse(stdout)).toEqual(LINES.map(() => true));
});
