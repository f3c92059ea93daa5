import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness, type RunningCommand } from '../testing/harness.ts';

/** Waits for the first printed address. */
async function waitForUrl(runningCommand: RunningCommand): Promise<string> {
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(runningCommand.out.text)?.[0];
    if (url !== undefined) return url;
    const ended = await Promise.race([runningCommand.done, new Promise((resolve) => setImmediate(resolve, null))]);
    if (ended !== null) throw new Error(`It ended without an address: ${runningCommand.err.text}`);
  }
}

async function occupyPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('lab', () => {
  it('starts a practice server, prints its accounts, and stops on Ctrl-C', async () => {
    const cli = await startHarness();
    const runningCommand = cli.start('lab', 'contest', '--shards', '1', '--service-ms', '0');
    const url = await waitForUrl(runningCommand);
    expect((await fetch(url)).status).toBe(200);
    const control = /Its logs and controls: (\S+)/.exec(runningCommand.out.text)?.[1] ?? '';
    expect(await cli.run('lab', '--reveal', control)).toMatchObject({ code: 0, out: 'It hides nothing.\n' });
    runningCommand.interrupt();
    const { code, out } = await runningCommand.done;
    expect(code).toBe(0);
    expect(await cli.run('lab', '--reveal', control)).toMatchObject({
      code: 1,
      err: expect.stringContaining('No practice server responds'),
    });
    expect(out).toContain('contestant1  anchor-11');
    expect(out).toContain(`holdfast run cms-contest --set target=${url}`);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("runs a command with the server's address and exits with its code", async () => {
    const cli = await startHarness();
    const file = join(cli.directory, 'status');
    const script = `fetch(process.env.HOLDFAST_LAB_URL).then(({ status }) => { require('node:fs').writeFileSync(${JSON.stringify(file)}, String(status)); process.exit(7); })`;
    const { code, out, err } = await cli.run('lab', 'contest', '--shards', '1', '--', process.execPath, '-e', script);
    expect({ code, out, status: await readFile(file, 'utf8') }).toEqual({ code: 7, out: '', status: '200' });
    expect(err).toContain('The practice server “contest” runs at');
    expect(await cli.run('lab', 'contest', '--', join(cli.directory, 'no-such-program'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('could not be started'),
    });
  });

  it('lists practice servers and reports an unknown one', async () => {
    const cli = await startHarness();
    expect(await cli.run('lab', '--list')).toMatchObject({ code: 0, out: expect.stringMatching(/^contest: /) });
    for (const args of [['lab'], ['lab', 'casino'], ['lab', 'contest', '--shards', 'two']]) {
      const { code, err } = await cli.run(...args);
      expect([code, err.startsWith('holdfast: ')]).toEqual([1, true]);
    }
    const { code, err } = await cli.run('lab', 'contest', '--port', String(await occupyPort()));
    expect([code, err]).toEqual([1, expect.stringContaining('in use')]);
  });
});

describe('serve', () => {
  async function page(): Promise<string> {
    const directory = join(temporaryDirectory(), 'ui');
    await mkdir(directory);
    await writeFile(join(directory, 'index.html'), '<!doctype html><title>Holdfast</title>');
    return directory;
  }

  it('serves the app with a token and ends on Ctrl-C', async () => {
    const cli = await startHarness({ uiDirectory: await page() });
    const runningCommand = cli.start('serve');
    const url = await waitForUrl(runningCommand);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
    expect(await (await fetch(url)).text()).toContain('<title>Holdfast</title>');
    runningCommand.interrupt();
    expect((await runningCommand.done).code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('prints the address before the backend has started, and reports if the start fails', async () => {
    const cli = await startHarness({ uiDirectory: await page() });
    await writeFile(join(cli.home, 'holdfast.sqlite'), 'no database');
    const { code, out, err } = await cli.run('serve');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('holdfast.sqlite') });
    const [url = ''] = /http:\S+/.exec(out) ?? [];
    expect(new URL(url).hostname).toBe('127.0.0.1');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('exits at once on an interrupt before the backend has started', async () => {
    const cli = await startHarness({ uiDirectory: await page() });
    const runningCommand = cli.start('serve');
    await waitForUrl(runningCommand);
    runningCommand.interrupt();
    expect((await runningCommand.done).code).toBe(0);
    expect(await readdir(cli.home)).toEqual([]);
  });

  it('reports a port that is in use or invalid', async () => {
    const cli = await startHarness({ uiDirectory: await page() });
    const taken = await cli.run('serve', '--port', String(await occupyPort()));
    expect([taken.code, taken.err]).toEqual([1, expect.stringMatching(/^holdfast: Port \d+/)]);
    expect(await cli.run('serve', '--port', 'http')).toMatchObject({ code: 1, err: expect.stringContaining('no port http') });
  });
});
