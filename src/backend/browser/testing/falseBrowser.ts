import { Duplex } from 'node:stream';
import { chromium } from 'playwright-core';
import { z } from 'zod';
import { DevtoolsPipe } from '#backend/browser/pipe.ts';

const commandSchema = z.object({ id: z.number(), method: z.string(), sessionId: z.string().optional() });
const VERSION = { product: 'HeadlessChrome/140.0', userAgent: 'x', protocolVersion: '1.3', revision: 'r', jsVersion: '1' };

/** Acts as a browser until a client attaches, then sends the line. */
function falseBrowser(line: string): Duplex {
  const channel = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      for (const command of chunk.toString().split('\0').filter(Boolean)) {
        const { id, method, sessionId } = commandSchema.parse(JSON.parse(command));
        const result = method === 'Browser.getVersion' ? VERSION : {};
        channel.push(`${JSON.stringify({ id, result, sessionId })}\0`);
        if (method === 'Target.setAutoAttach') channel.push(`${line}\0`);
      }
      done();
    },
  });
  return channel;
}

// Runs as a separate program, because a test runner handles unhandled rejections itself.
const outcomes: boolean[] = [];
for (const line of process.argv.slice(2)) {
  const channel = falseBrowser(line);
  const closed = new Promise<boolean>((resolve) => channel.once('finish', () => resolve(true)));
  const browser = await chromium.connectOverCDP(new DevtoolsPipe(channel, Buffer.alloc(0)), { timeout: 5_000 }).catch(() => null);
  outcomes.push(await Promise.race([closed, new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false))]));
  await browser?.close();
}
// oxlint-disable-next-line holdfast/output -- [a test program prints its result for the test]
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
