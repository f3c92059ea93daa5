import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { searchResultSchema } from '#core/search/result.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget, type TestTarget } from '../testing/target.ts';

const PLAN = {
  holdfast: 1,
  name: 'A page',
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 4, requests: 20 }] },
};

/** Time limit of a test, long enough for a busy computer. */
const PATIENCE_MS = 60_000;

describe('holdfast breaking-point and characterize', () => {
  let harness: Harness;
  let target: TestTarget;
  beforeEach(async () => {
    harness = await startHarness();
    target = await startTarget();
    await writeFile(join(harness.directory, 'plan.json'), JSON.stringify({ ...PLAN, targets: [{ url: target.url }] }));
  });

  it(
    'prints each level as it runs and the result with reasons, and lists both later',
    async () => {
      const options = ['--to', '2', '--seconds', '1s', '--warm-up', '1ms', '--cool-down', '1ms', '--json', 'found.json'];
      const { code, out, err } = await harness.run('breaking-point', 'plan.json', ...options);
      expect(err).toMatch(/1 {2}one user · .*\n2 {2}1 connection · passed · .*\n3 {2}2 connections · passed · /);
      expect(code).toBe(0);
      expect(out).toContain('Passed at 2 connections, the highest level tested.');
      expect(out).toMatch(/\n {2}Level +Outcome +Successful\/s/);
      const foundResult = searchResultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'found.json'), 'utf8')));
      expect(foundResult.conclusion).toMatchObject({ kind: 'breakingPoint', sustained: 2, breakingPoint: null });
      expect((await harness.run('show', foundResult.search.id)).out).toBe(out);
      expect((await harness.run('breaking-point')).out).toMatch(
        new RegExp(`^${foundResult.search.id} .* finished +A page +Passed at 2 connections`),
      );
      expect((await harness.run('breaking-point', '--delete', foundResult.search.id)).out).toContain('is deleted');
    },
    PATIENCE_MS,
  );

  it(
    'breaking-point searches for the breaking point of an address with the default criteria, without a plan',
    async () => {
      const options = ['--from', '100', '--to', '100', '--seconds', '1s', '--warm-up', '1ms', '--cool-down', '1ms', '--no-recovery'];
      const { code, out } = await harness.run('breaking-point', target.url, ...options);
      expect([code, out]).toEqual([0, expect.stringContaining('Passed at 100 requests/s, the highest level tested.')]);
      harness.agrees = 'nobody';
      const unconfirmed = await harness.run('breaking-point', 'http://www.example.org/');
      expect([unconfirmed.code, unconfirmed.err]).toEqual([1, expect.stringContaining('--allow host:www.example.org')]);
    },
    PATIENCE_MS,
  );

  it(
    'requires criteria for each step with --require-judged, except for runs without criteria',
    async () => {
      const plan = {
        ...PLAN,
        targets: [{ url: target.url }],
        journey: [{ name: 'page' }, { name: 'send', method: 'POST' }],
        criteria: [{ kind: 'responseTime', step: 'page', percentile: 50, maxMs: 30_000 }],
      };
      await writeFile(join(harness.directory, 'writing.json'), JSON.stringify(plan));
      const quick = ['--to', '1', '--seconds', '1s', '--warm-up', '1ms', '--cool-down', '1ms', '--require-judged', '--quiet'];
      const searched = await harness.run('breaking-point', 'writing.json', ...quick);
      expect([searched.code, searched.err]).toEqual([99, expect.stringMatching(/Not judged in .*: “send”/)]);
      const analysis = ['--users', '1', '--seconds', '1s', '--idle', '1s', '--require-judged', '--quiet'];
      expect((await harness.run('characterize', target.url, ...analysis)).err).not.toContain('Not judged');
    },
    PATIENCE_MS,
  );

  it('list every problem with their options before a request is sent', async () => {
    const { code, err } = await harness.run('breaking-point', 'plan.json', '--from', 'few', '--seconds', 'soon', '--repeats', '1.5');
    expect(code).toBe(2);
    for (const option of ['--from few', '--seconds soon', '--repeats 1.5']) expect(err).toContain(option);
    const many = await harness.run('breaking-point', 'plan.json', '--levels', '4000');
    expect([many.code, many.err]).toEqual([2, expect.stringContaining('maxLevels')]);
    const nowhere = await harness.run('characterize', 'nowhere');
    expect(nowhere.code).toBe(2);
    harness.agrees = 'nobody';
    const unconfirmed = await harness.run('characterize', 'http://www.example.org/');
    expect([unconfirmed.code, unconfirmed.err]).toEqual([1, expect.stringContaining('--allow host:www.example.org')]);
    harness.agrees = 'yes';
  });
});
