import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { labListingSchema, labSecretSchema, runningLabSchema, type GivenOptions } from '#core/base/lab/listing.ts';
import { labEntry } from '#tools/testing/threads.ts';

const entry = fileURLToPath(labEntry);

type Child = ChildProcessByStdio<Writable, Readable, null>;
const children: Child[] = [];

function run(...args: string[]): Child {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

const start = (name: string, givenOptions: GivenOptions = {}): Child => run(name, JSON.stringify(givenOptions));

/** Resolves with the next line. Must be called before the line is written, because earlier lines are lost. */
async function nextLine(child: Child): Promise<unknown> {
  const lines = createInterface(child.stdout);
  const [line] = await once(lines, 'line');
  lines.close();
  return JSON.parse(String(line));
}

afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('the practice server as a child process', () => {
  it('prints its addresses once it responds, and ends with its standard input', async () => {
    const child = start('contest', { shards: 3 });
    const { urls, accounts, control } = runningLabSchema.parse(await nextLine(child));
    expect(urls).toHaveLength(3);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    expect((await (await fetch(`${control}accounts.csv`)).text()).split('\n')).toContain(
      `${accounts[0]?.username},${accounts[0]?.password}`,
    );
    expect(await (await fetch(`${control}logs/contest`)).text()).toContain('"path":"/"');
    for (const path of ['logs/nothing', 'actions/nothing', 'logs/constructor'])
      expect((await fetch(`${control}${path}`)).status, path).toBe(404);
    expect((await fetch(control, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s', async (signal) => {
    const child = start('contest');
    await nextLine(child);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('reveals its secrets on request', async () => {
    const child = start('contest');
    await nextLine(child);
    const response = nextLine(child);
    child.stdin.write('reveal\n');
    expect(z.object({ secrets: z.array(labSecretSchema) }).parse(await response)).toEqual({ secrets: [] });
  });

  it('prints why it cannot start', async () => {
    for (const [name, given, code] of [
      ['nothing', {}, 'NO_SUCH_LAB'],
      ['contest', { shards: 0, nonsense: 1 }, 'BAD_OPTION'],
    ] as const) {
      const child = start(name, given);
      const exit = once(child, 'exit');
      expect(await nextLine(child)).toMatchObject({ problem: { code } });
      expect(await exit).toEqual([1, null]);
    }
  });

  it('lists all practice servers', async () => {
    const listed = z.array(labListingSchema).parse(await nextLine(run('--list')));
    expect(listed.map(({ name }) => name)).toContain('contest');
    for (const { options } of listed) expect(Object.keys(options)).toEqual(expect.arrayContaining(['port', 'logs']));
  });
});
