import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));
const readySchema = z.strictObject({
  name: z.literal('contest'),
  urls: z.array(z.url()),
  accounts: z.array(z.strictObject({ username: z.string(), password: z.string() })).min(1),
});

type Child = ChildProcessByStdio<Writable, Readable, null>;
const children: Child[] = [];

function start(...flags: string[]): Child {
  const child = spawn(process.execPath, [entry, ...flags], { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

async function firstLine(child: Child): Promise<unknown> {
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(String(line));
}

afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('the practice server as a child process', () => {
  it('tells its addresses when it answers, and ends with its standard input', async () => {
    const child = start('contest', '--shards', '3');
    const { urls } = readySchema.parse(await firstLine(child));
    expect(urls).toHaveLength(3);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s', async (signal) => {
    const child = start('contest');
    await firstLine(child);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('tells why it cannot start', async () => {
    const child = start('nothing');
    const exit = once(child, 'exit');
    expect(await firstLine(child)).toMatchObject({ problem: { code: 'NO_SUCH_LAB', hint: expect.stringContaining('contest') } });
    expect(await exit).toEqual([1, null]);
  });
});
