import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importedOf } from '#core/import/testing/imported.ts';
import { tryReportSchema } from '#core/work/samples/tryPlan.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { contestLab } from '#lab/contest/contest.ts';
import type { Lab } from '#lab/lab.ts';
import { readLog } from '#lab/readLog.ts';
import { surveyLab } from '#lab/survey-lab/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startHarness } from '../testing/harness.ts';

const noSurvey = await whyNot(await surveyLab.missing(process.env));
const SMALL_SURVEY = { 'service-ms': 0, 'upload-ms': 0, 'stream-rows': 100, responses: 10, database: 'sqlite' };
const RECORDINGS = new URL('../../core/import/testing/recordings/', import.meta.url);

interface Recorded {
  readonly _resourceType?: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number };
}

interface Replayed {
  /** What the server was asked for during the recording, and what it was asked for when the plan was tried: each in order. */
  readonly recorded: readonly string[];
  readonly logged: readonly string[];
  /** Of the steps that failed, why. */
  readonly failures: readonly string[];
  readonly isGood: boolean;
}

/** Makes a plan of a recording, tries it once against a new practice server of the same kind, and reads that one's log. */
async function replayed(name: string, lab: Pick<Lab, 'start'>, given: GivenOptions, log: string): Promise<Replayed> {
  const text = readFileSync(new URL(`${name}.har`, RECORDINGS), 'utf8');
  const running = await lab.start(given, testSurroundings());
  onTestFinished(() => running.stop());
  const original = new URL(importedOf(text).plan.targets[0]?.url ?? '').host;
  const { written, secrets } = importedOf(text.replaceAll(original, new URL(running.urls[0] ?? '').host));
  for (const [variable, value] of secrets) {
    process.env[variable] = value;
    onTestFinished(() => void delete process.env[variable]);
  }
  const cli = await startHarness();
  const file = join(cli.directory, 'plan.json');
  await writeFile(file, JSON.stringify(written));
  const { out } = await cli.run('try', file, '--json');
  const { samples, isGood } = tryReportSchema.parse(JSON.parse(out));
  const failures = samples.flatMap(({ request, failure }) => (failure === null ? [] : [`${request}: ${failure}`]));
  const { entries } = (JSON.parse(text) as { log: { entries: readonly Recorded[] } }).log;
  const recorded = entries
    .filter(({ request, response }) => new URL(request.url).host === original && response.status > 0)
    .map(({ request }) => askedOf(request.method, request.url))
    .filter(isAsked);
  const readLogged = async (): Promise<string[]> =>
    (await readLog(running.logs[log] ?? ''))
      .toSorted((one, other) => one.startedAtMs - other.startedAtMs)
      .map(({ method, path }) => askedOf(method, path))
      .filter(isAsked);
  // The server writes a line when it has answered.
  await expect.poll(async () => (await readLogged()).length).toBeGreaterThanOrEqual(recorded.length);
  return { recorded, logged: await readLogged(), failures, isGood };
}

/** Without the query, whose tokens are others each time. */
function askedOf(method: string, url: string): string {
  return `${method} ${new URL(url, 'http://server/').pathname}`;
}

/** What belongs to pages comes with them in no particular order, and from the cache of a browser. */
function isAsked(request: string): boolean {
  return !/\/static\/|favicon/.test(request);
}

describe('a recording that is played back', () => {
  it.each(['contest-question', 'contest-notifications', 'tools-contest', 'tools-contest-sanitized'])(
    'asks the practice server for what the browser asked for: %s',
    async (name) => {
      const { recorded, logged, failures, isGood } = await replayed(name, contestLab, { 'service-ms': 1 }, 'contest');
      expect({ failures, isGood }).toEqual({ failures: [], isGood: true });
      expect(recorded.length).toBeGreaterThan(2);
      expect(logged).toEqual(recorded);
    },
  );

  const without = noSurvey === null ? '' : ` (${noSurvey})`;
  it.skipIf(noSurvey !== null)(`takes a token from JSON and sends it in forms, files and addresses${without}`, async () => {
    const { recorded, logged, failures, isGood } = await replayed('tools-survey-phone', surveyLab, SMALL_SURVEY, 'survey');
    expect({ failures, isGood }).toEqual({ failures: [], isGood: true });
    expect(recorded.length).toBeGreaterThan(2);
    expect(logged).toEqual(recorded);
  });
});
