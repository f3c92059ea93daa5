import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Recorder } from '#backend/browser/recorder.ts';
import { startBackend } from '#backend/index.ts';
import { finishRecordingOf } from '#backend/services/recordings/finishRecording.ts';
import { createSecrets } from '#backend/services/secrets.ts';
import { agreeing } from '#backend/testing/agreeing.ts';
import { testOptions } from '#backend/testing/options.ts';
import type { FinishedRecording } from '#core/import/recording/finishRecording.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Measurement } from '../commands.ts';
import { djangoAdmin } from './djangoAdmin.ts';
import { dokuWiki } from './dokuWiki.ts';
import { mediaWiki } from './mediaWiki.ts';
import type { RunningSite, Site } from './site.ts';
import { wordpress } from './wordpress.ts';

const SITES: readonly Site[] = [wordpress, mediaWiki, dokuWiki, djangoAdmin];
const LONGEST_WAIT_MS = 15_000;

const USAGE = `node bench/main.ts sites [options]
  --only A,B    ${SITES.map(({ id }) => id).join(', ')} (all)
  --users N     accounts under load at the same time (4)
  --seconds N   (20)`;

/**
 * Applications that people run: a scripted person walks through each in a real browser, a plan is made of it without a hand and put under load. What the plan counts as
 * acknowledged is held against the database.
 */
export function readSites(parameters: readonly string[]): Measurement {
  const { values } = parseArgs({
    args: [...parameters],
    options: { only: { type: 'string' }, users: { type: 'string', default: '4' }, seconds: { type: 'string', default: '20' } },
  });
  const chosen = values.only === undefined ? SITES : SITES.filter(({ id }) => values.only?.split(',').includes(id));
  const [users, seconds] = [Number(values.users), Number(values.seconds)];
  if (chosen.length === 0 || !(users > 0) || !(seconds > 0)) throw new Error(USAGE);
  return async (signal, say) => {
    const rows: string[] = [];
    let isRight = true;
    for (const site of chosen) {
      signal.throwIfAborted();
      const missing = site.needs.files.filter((file) => !existsSync(file));
      if (missing.length > 0) throw new Error(`${site.title} is missing. Install it: ${site.needs.install}`);
      say(`${site.title} …`);
      const line = await measure(site, users, seconds);
      for (const problem of line.problems) say(`  ${problem}`);
      isRight &&= line.acknowledged === line.stored && line.acknowledged > 0 && line.problems.length === 0;
      const { steps, captured, rounds, requests, failed, acknowledged, stored } = line;
      rows.push(`| ${[site.title, steps, captured, rounds, requests, failed, acknowledged, stored].join(' | ')} |`);
    }
    console.log(
      [
        '| site | steps | captured | walks | requests | failed | writes acknowledged | in the database |',
        '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
        ...rows,
      ].join('\n'),
    );
    if (!isRight) process.exitCode = 1;
  };
}

interface Line {
  readonly steps: number;
  readonly captured: number;
  readonly rounds: number;
  readonly requests: number;
  readonly failed: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly problems: readonly string[];
}

async function measure(site: Site, users: number, seconds: number): Promise<Line> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
  const running = await site.start(folder);
  try {
    const accountsFile = join(folder, 'accounts.csv');
    const lines = running.accounts.map(({ user, password }) => `${user},${password}`);
    await writeFile(accountsFile, `username,password\n${lines.join('\n')}\n`);
    const { plan, captured, rounds, steps } = await recordedPlan(running, accountsFile);
    const before = await running.stored();
    const result = await underLoad(plan, users, seconds, folder);
    const stored = (await running.stored()) - before;
    const writing = new Set(plan.journey.filter((step) => site.writes(step)).map(({ name }) => name));
    const acknowledged = result.steps.filter(({ name }) => writing.has(name)).reduce((sum, step) => sum + step.requests.ok, 0);
    const { ok, sent } = result.ledger.requests;
    return {
      steps: plan.journey.length,
      captured: captured.length,
      rounds,
      requests: sent,
      failed: sent - ok,
      acknowledged,
      stored,
      problems: [
        ...steps.flatMap(({ step, why }) => (why === null ? [] : [`${step}: ${why.kind === 'failure' ? why.failure : why.kind}`])),
        ...Object.entries(result.errors).map(([error, count]) => `${count} × ${error}`),
      ],
    };
  } finally {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordedPlan({ url, accounts, walk }: RunningSite, accountsFile: string): Promise<FinishedRecording> {
  const recorder = await Recorder.open({ url, headless: true, verify: true, version: 'bench' });
  const [account] = accounts;
  const [page] = recorder.context.pages();
  if (account === undefined || page === undefined) throw new Error('There is no account, or no page.');
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  try {
    await page.waitForURL((address) => address.protocol.startsWith('http'));
    await walk(page, account);
    await page.waitForLoadState('networkidle');
  } catch (error) {
    await recorder.cancel();
    throw error;
  }
  const { har, accounts: seen } = await recorder.finish();
  const known = seen.map(({ number, userField, userName, password }) => ({ number, userField, userName, password }));
  const secrets = createSecrets({ environment: {}, onKnown() {} });
  const result = await finishRecordingOf(
    { har, options: { accounts: known, accountsFile, pauses: 'none' }, accounts: known, others: [] },
    { secrets, workerEntry: testOptions('').workerEntry, version: 'bench' },
  );
  if (result.kind === 'refused') throw new Error(result.issues.map(({ message }) => message).join(' '));
  const { finished } = result;
  // The plan refers to variables: the backend of the run finds them in the environment of this process.
  for (const [name, value] of finished.secrets) process.env[name] = value;
  return finished;
}

async function underLoad(plan: Plan, users: number, seconds: number, folder: string): Promise<RunResult> {
  const dataDirectory = join(folder, 'data');
  const backend = await startBackend(testOptions(dataDirectory));
  try {
    const client = agreeing(backend.client());
    const { migrated: _migrated, ...rest } = { migrated: null, ...plan };
    // No two users at the same time are the same account.
    const feeds = Object.fromEntries(Object.entries(rest.feeds ?? {}).map(([name, feed]) => [name, { ...feed, order: 'unique' as const }]));
    const loaded: PlanInput = { ...rest, feeds, load: { model: 'users', stages: [{ users, seconds }] } };
    const { runId } = await client.call('runs.start', { plan: loaded });
    await new Promise<void>((resolve) => void client.open('runs.watch', { runId }, { onItem() {}, onEnd: () => resolve() }));
    return await client.call('runs.result', { runId });
  } finally {
    await backend.close();
  }
}
