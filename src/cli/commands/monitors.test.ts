import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

it('monitors attaches a graph to a run, or reports why it cannot', async () => {
  const cli = await startHarness();
  const target = await startTarget();
  const file = join(temporaryDirectory(), 'rds.csv');
  const seconds = Array.from({ length: 120 }, (_, second) => `${Math.floor(Date.now() / 1_000) - 30 + second},${second}`);
  await writeFile(file, `Timestamp,Connections,Host\n${seconds.map((row) => `${row},db`).join('\n')}\n`);
  const plan = join(file, '..', 'plan.yaml');
  const load = '{ model: connections, stages: [{ connections: 1, requests: 10 }] }';
  await writeFile(plan, `holdfast: 1\nname: x\ntargets: [{ url: "${target.url}" }]\njourney: [{ name: page }]\nload: ${load}\n`);
  const ran = await cli.run('run', plan, '--graph', file, '--graph', `${file}.gone`);
  expect([ran.code, ran.err]).toEqual([0, expect.stringMatching(/gone cannot be read \(ENOENT\)[^]*holdfast monitors attach \S+ \S+gone/)]);
  const attached = await cli.run('monitors', 'attach', 'last', file, '--name', 'again');
  expect([attached.code, attached.err]).toEqual([0, '']);
  expect(attached.out).toMatch(/^Attached again: Connections; \d+ rows of the run, 1\d\d before and after it\.\nLeft out Host: /);
  const again = await cli.run('monitors', 'attach', 'last', file);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already has a graph called rds.csv')]);
  expect((await cli.run('monitors', 'attach', 'last', file, '--replace', '--json')).out).toContain('"columns"');
  expect((await cli.run('monitors', 'attach', 'last', `${file}.gone`)).err).toContain('cannot be read (ENOENT)');
  expect((await cli.run('monitors', 'attach', 'last', file, '--zone', 'CEST', '--name', 'x')).err).toContain('Europe/Berlin');
});
