import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Recorder } from '#backend/browser/recorder.ts';
import type { Recording } from '#backend/browser/recording.ts';
import { startBackend } from '#backend/index.ts';
import { finishRecordingOf } from '#backend/services/recordings/finishRecording.ts';
import { createSecrets } from '#backend/services/secrets.ts';
import { agreeing } from '#backend/testing/agreeing.ts';
import { testOptions } from '#backend/testing/options.ts';
import { planOfRecording } from '#core/import/har/importHar.ts';
import type { FinishedRecording } from '#core/import/recording/finishRecording.ts';
import type { Walk } from '#core/import/recording/walk.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Measurement } from '../commands.ts';
import { djangoAdmin } from './djangoAdmin.ts';
import { dokuWiki } from './dokuWiki.ts';
import { mediaWiki } from './mediaWiki.ts';
import type { Account, Journey, RunningSite, Site } from './site.ts';
import { compareTwins, type Values } from './twin.ts';
import { wagtail } from './wagtail.ts';
import { wordpress } from './wordpress.ts';

const SITES: readonly Site[] = [wordpress, mediaWiki, dokuWiki, djangoAdmin, wagtail];
/** Minimum share of changing values that must be found. */
const MIN_FOUND_SHARE = 0.95;
/** A busy computer needs long for a page with an editor. */
const MAX_WAIT_MS = 60_000;

const USAGE = `node bench/main.ts sites [options]
  --only A,B    ${SITES.map(({ id }) => id).join(', ')}, or one journey, such as wordpress/author (all)
  --users N     accounts under load at the same time (4)
  --seconds N   (20)
  --keep DIR    keeps recordings, plans and pictures of failures there`;

/**
 * Real applications: scripted users walk through each in a real browser, and each journey automatically becomes a plan under load. Its
 * values are compared with a second user's recording, and its acknowledged writes with the database.
 */
export function readSites(parameters: readonly string[]): Measurement {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      only: { type: 'string' },
      users: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '20' },
      keep: { type: 'string' },
    },
  });
  const only = values.only?.split(',') ?? SITES.map(({ id }) => id);
  const chosen = SITES.filter(({ id }) => only.some((name) => name.split('/', 1)[0] === id));
  const [users, seconds] = [Number(values.users), Number(values.seconds)];
  if (chosen.length === 0 || !(users > 0) || !(seconds > 0)) throw new Error(USAGE);
  return async (signal, say) => {
    const rows: string[] = [];
    let isRight = true;
    let [changing, captured] = [0, 0];
    for (const site of chosen) {
      signal.throwIfAborted();
      const missing = site.needs.files.filter((file) => !existsSync(file));
      if (missing.length > 0) throw new Error(`${site.title} is missing. Install it: ${site.needs.install}`);
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
      say(`${site.title} …`);
      const running = await site.start(folder);
      try {
        for (const journey of running.journeys.filter(({ id }) => only.includes(site.id) || only.includes(`${site.id}/${id}`))) {
          signal.throwIfAborted();
          const load = { users, seconds, folder: join(folder, journey.id), kept: keptFor(values.keep, `${site.id}-${journey.id}`) };
          const line = await measure(running, journey, load).catch((error: unknown) => {
            say(`  ${journey.id}: ${String(error)}`);
            return null;
          });
          isRight &&= line !== null && line.acknowledged === line.stored && line.acknowledged > 0 && line.problems.length === 0;
          if (line === null) continue;
          changing += line.values.changing;
          captured += line.values.captured;
          say(`  ${journey.id}: ${line.requests} requests`);
          for (const problem of line.problems) say(`    ${problem}`);
          for (const missed of line.values.missed) say(`    missed: ${missed}`);
          for (const computed of line.values.computed) say(`    computed by the page: ${computed}`);
          const { steps, values: found, rounds, requests, failed, acknowledged, stored } = line;
          const cells = [site.title, journey.id, steps, `${found.captured} of ${found.changing}`, found.needless.length];
          rows.push(`| ${[...cells, rounds, requests, failed, acknowledged, stored].join(' | ')} |`);
        }
      } finally {
        await running.close();
        await rm(folder, { recursive: true, force: true });
      }
    }
    console.log(
      [
        '| site | journey | steps | changing values captured | others captured | walks | requests | failed | writes acknowledged | in the database |',
        '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
        ...rows,
      ].join('\n'),
    );
    say(`Captured ${captured} of ${changing} values that change.`);
    if (!isRight || captured < changing * MIN_FOUND_SHARE) process.exitCode = 1;
  };
}

interface Line {
  readonly steps: number;
  readonly values: Values;
  readonly rounds: number;
  readonly requests: number;
  readonly failed: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly problems: readonly string[];
}

/** Saves the files of a journey under a name, if requested. */
type Kept = (name: string, content: string | Uint8Array) => Promise<void>;

function keptFor(folder: string | undefined, journey: string): Kept {
  return async (name, content) => {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${journey}-${name}`), content);
  };
}

interface Load {
  readonly users: number;
  readonly seconds: number;
  readonly folder: string;
  readonly kept: Kept;
}

async function measure(site: RunningSite, journey: Journey, { users, seconds, folder, kept }: Load): Promise<Line> {
  await mkdir(folder, { recursive: true });
  const accountsFile = join(folder, 'accounts.csv');
  const lines = site.accounts.map(({ user, password }) => `${user},${password}`);
  await writeFile(accountsFile, `username,password\n${lines.join('\n')}\n`);
  const [first, ...others] = site.accounts;
  const last = others.at(-1);
  if (first === undefined || last === undefined) throw new Error('There are no accounts.');
  const own = await record(site, journey, first, kept);
  const twin = await record(site, journey, last, kept);
  const { plan, rounds, steps, isSettled } = await finished(own, accountsFile);
  await kept('plan.json', JSON.stringify({ plan, steps }, null, 1));
  const values = compareTwins(plan, walkOf(own, accountsFile), walkOf(twin, accountsFile));
  const before = await journey.stored();
  const result = await runUnderLoad(plan, users, seconds, folder);
  const stored = (await journey.stored()) - before;
  const writing = new Set(plan.journey.filter((step) => journey.writes(step)).map(({ name }) => name));
  const acknowledged = result.steps.filter(({ name }) => writing.has(name)).reduce((sum, step) => sum + step.requests.ok, 0);
  const { ok, sent } = result.ledger.requests;
  return {
    steps: plan.journey.length,
    values,
    rounds,
    requests: sent,
    failed: sent - ok,
    acknowledged,
    stored,
    problems: [
      ...steps.flatMap(({ step, why }) => (why === null ? [] : [`${step}: ${why.kind === 'failure' ? why.failure : why.kind}`])),
      ...(isSettled ? [] : ['The last walk found other values.']),
      ...values.needless.map((value) => `captured, and always the same: ${value}`),
      ...Object.entries(result.errors).map(([error, count]) => `${count} × ${error}`),
    ],
  };
}

/** The requests of one user's browser, and the drawn text. */
interface Recorded extends Recording {
  readonly word: string;
}

async function record({ url }: RunningSite, { walk }: Journey, account: Account, kept: Kept): Promise<Recorded> {
  const recorder = await Recorder.open({ url, headless: true, verify: true, version: 'bench' });
  const word = randomUUID();
  const [page] = recorder.context.pages();
  if (page === undefined) throw new Error('The browser has no page.');
  page.setDefaultTimeout(MAX_WAIT_MS);
  try {
    await page.waitForURL((address) => address.protocol.startsWith('http'));
    await walk(page, account, word);
    await page.waitForLoadState('networkidle');
  } catch (error) {
    await kept('failure.png', await page.screenshot());
    await recorder.cancel();
    throw error;
  }
  const recording = await recorder.finish();
  await kept(`${account.user}.har`, JSON.stringify(recording.har, null, 1));
  return { ...recording, word };
}

function walkOf({ har, accounts, word }: Recorded, accountsFile: string): Walk {
  return planOfRecording(har, { accounts, accountsFile, unique: [word] }).walk;
}

async function finished({ har, accounts, word }: Recorded, accountsFile: string): Promise<FinishedRecording> {
  const secrets = createSecrets({ environment: {}, onKnown() {} });
  const result = await finishRecordingOf(
    { recording: planOfRecording(har, { accounts, accountsFile, pauses: 'none', unique: [word] }), accounts, others: [] },
    { usedRows: null, secrets, workerEntry: testOptions('').workerEntry, version: 'bench' },
  );
  if (result.kind === 'refused') throw new Error(result.issues.map(({ message }) => message).join(' '));
  // The plan refers to variables, which the backend reads from the environment of this process.
  for (const [name, value] of result.finished.secrets) process.env[name] = value;
  return result.finished;
}

async function runUnderLoad(plan: Plan, users: number, seconds: number, folder: string): Promise<RunResult> {
  const dataDirectory = join(folder, 'data');
  const backend = await startBackend(testOptions(dataDirectory));
  try {
    const client = agreeing(backend.client());
    const { migrated: _migrated, ...rest } = { migrated: null, ...plan };
    // No two simultaneous users share an account.
    const feeds = Object.fromEntries(Object.entries(rest.feeds ?? {}).map(([name, feed]) => [name, { ...feed, order: 'unique' as const }]));
    const loaded: PlanInput = { ...rest, feeds, load: { model: 'users', stages: [{ users, seconds }] } };
    const { runId } = await client.call('runs.start', { plan: loaded });
    await new Promise<void>((resolve) => void client.open('runs.watch', { runId }, { onItem() {}, onEnd: () => resolve() }));
    return await client.call('runs.result', { runId });
  } finally {
    await backend.close();
  }
}
