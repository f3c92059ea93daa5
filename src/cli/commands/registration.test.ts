import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { registrationLab } from '#lab/registration/lab.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startHarness } from '../testing/harness.ts';

const listSchema = z.object({ people: z.array(z.string()) });

/** Runs the registration preset with 12 places against its own practice server. Returns the result and the stored rows. */
async function play(
  options: GivenOptions,
  answers: Record<string, number | string>,
): Promise<{ code: number; result: RunResult; rows: readonly string[] }> {
  const cli = await startHarness();
  const lab = await registrationLab.start({ places: 12, ...options }, testSurroundings());
  onTestFinished(() => lab.stop());
  const listUrl = new URL('registrations.json', lab.urls[0]).href;
  const given = {
    target: lab.urls[0] ?? '',
    places: 12,
    people: 40,
    comeSeconds: 1,
    start: 'send',
    list: 'given',
    fullText: 'all places are taken',
    ...(answers['list'] === 'none' ? {} : { listUrl }),
    'load.stages[1].seconds': 6,
    drainSeconds: 5,
    ...answers,
  };
  const settings = Object.entries(given).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const { code, err } = await cli.run('run', 'registration', ...settings, '--no-trial', '--json', 'result.json');
  const saved = await readFile(join(cli.directory, 'result.json'), 'utf8').catch(() => Promise.reject(new Error(err)));
  const { people } = listSchema.parse(await (await fetch(listUrl)).json());
  return { code, result: resultSchema.parse(JSON.parse(saved)), rows: people };
}

it('registration: people for whom no place is left count neither as lost nor as failed, and each place is granted once', async () => {
  const { code, result, rows } = await play({}, {});
  expect([code, result.verdict.outcome, rows.length]).toEqual([0, 'passed', 12]);
  expect(result.verdict.sentence).toContain('12 of 40 people got one of 12 places; 28 found no place left; nobody was lost.');
  expect(result.places).toMatchObject({ given: 12, refused: 28, stored: 12 });
  expect(result.people?.items).toMatchObject({ acknowledged: 12, stored: 12, missing: 0, unacknowledged: 0, by: 'count' });
  expect(result.findings.map(({ id }) => id)).not.toContain('storedUnknown');
}, 240_000);

it('registration: a race grants more places than exist, and the run fails because of the number of rows', async () => {
  const { code, result, rows } = await play({ race: true, 'race-ms': 200 }, {});
  expect(rows.length).toBeGreaterThan(12);
  expect([code, result.verdict.outcome, result.places?.given]).toEqual([99, 'failed', rows.length]);
  expect(result.verdict.sentence).toContain(`${rows.length} places were given for 12: oversold by ${rows.length - 12}.`);
}, 240_000);

it('registration: without a list, the headline reports that storage is not verified', async () => {
  const { result } = await play({}, { list: 'none' });
  expect(result.verdict.headline).toContain('storage of “register” not verified');
  expect(result.places).toMatchObject({ given: 12, stored: null });
}, 240_000);

it('registration: a form that is sent twice and stored twice takes a second place', async () => {
  const { result, rows } = await play({ places: 40, 'second-form': 'stored' }, { places: 40, people: 10, twice: 100 });
  expect([result.verdict.outcome, rows.length, result.verdict.storage?.steps[0]?.repeated]).toEqual(['failed', 20, 10]);
}, 240_000);
