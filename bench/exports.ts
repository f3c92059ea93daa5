import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { login } from '#backend/services/targets/login.ts';
import { readPresets } from '#backend/presets/presetFiles.ts';
import { cookiesOf } from '#core/work/journey/walked.ts';
import { type Plan, targetSchema } from '#core/plan/schema/plan.ts';
import { connectionSettings } from '#core/plan/url.ts';
import { buildPlan, listLabAddresses } from '#core/presets/build.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { fillLabAnswers } from '#core/presets/lab.ts';
import type { Preset } from '#core/presets/schema.ts';
import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import type { RunningLab } from '#lab/lab.ts';
import { readLog } from '#lab/readLog.ts';
import { findLab } from '#lab/registry.ts';
import { compareWithLog, largestDifference } from './exporting/compareWithLog.ts';
import { Refused, createRunner } from './exporting/tools.ts';

/*
 * Runs exported presets with an installed tool against their practice servers: node bench/exports.ts PROGRAM [PRESET [answer=value …]].
 * PROGRAM is k6, artillery, ab or curl, with its folder if it is not in PATH, or holdfast for the plan itself. Without PRESET, every test
 * of every preset is run. Prints the planned, counted and logged number of requests for each step. Exits with 1 if these differ by more
 * than 2 %.
 */

const MAX_DIFFERENCE_SHARE = 0.02;
/** Matches servers whose own logs count. If a server is behind a proxy, the proxy's log counts instead. */
const SEPARATE_SERVER = /^(nginx|oracle|mystery-\d+)$/;
const LOGIN_TIMEOUT_MS = 20_000;
type Answers = Readonly<Record<string, string | number>>;

const [program = 'k6', presetId, ...answerArguments] = process.argv.slice(2);
const run = createRunner(program);
const { presets } = await readPresets({ shipped: fileURLToPath(new URL('../presets/', import.meta.url)) });
const testedPresets = presets.filter(({ id, lab }) => lab !== undefined && (presetId === undefined || id === presetId));
if (testedPresets.length === 0) throw new Error(`There is no preset ${presetId ?? ''} with a practice server.`);
const givenAnswers = Object.fromEntries(
  answerArguments.map((text) => [text.slice(0, text.indexOf('=')), numberOr(text.slice(text.indexOf('=') + 1))]),
);
for (const preset of testedPresets)
  for (const answers of presetId === undefined ? readTests(preset) : [givenAnswers]) await compareExport(preset, answers);

/** Returns the tests of a preset. Each is the answer that selects it. */
function readTests({ questions }: Preset): Answers[] {
  const test = questions.find(({ id }) => id === 'test');
  return test?.kind === 'choice' ? test.options.map(({ value }) => ({ test: value })) : [{}];
}

async function compareExport(preset: Preset, answers: Answers): Promise<void> {
  console.log(`\n${[preset.id, ...Object.entries(answers).map(([id, value]) => `${id}=${value}`)].join(' ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-export-'));
  const lab = await findLab(preset.lab ?? '').start(preset.labOptions, {
    entry: new URL('../src/lab/main.ts', import.meta.url),
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: () => {},
  });
  try {
    const plan = await addLoginCookie(preset, planFor(preset, answers, lab), lab);
    const beganAtMs = Date.now();
    const ran = await run(plan, folder);
    const rows = compareWithLog(ran, await readExternalRequests(lab, beganAtMs));
    for (const { name, planned, reported, brokenOff, logged } of rows)
      console.log(
        `${name}: ${planned ?? '?'} planned, ${reported} counted, ${logged} logged${brokenOff > 0 ? `, ${brokenOff} broke off below HTTP` : ''}`,
      );
    if (ran.skipped > 0) console.log(`left out, since as many were on their way as the plan allows: ${ran.skipped} journeys`);
    if (ran.underWay > 0) console.log(`may be logged and not counted, since it was on its way at the end: ${ran.underWay} requests`);
    const difference = largestDifference(rows, ran.underWay);
    console.log(`largest difference: ${(difference * 100).toFixed(2)} %`);
    const isNothing = rows.every(({ logged }) => logged === 0);
    if (isNothing) console.log('the log has nothing of it');
    // The condition is negated so that NaN counts as a difference.
    if (!(difference <= MAX_DIFFERENCE_SHARE) || isNothing) process.exitCode = 1;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    console.log(`Not exported: ${thrown.message}`);
    if (presetId !== undefined) process.exitCode = 2;
  } finally {
    await lab.stop();
    await rm(folder, { recursive: true });
  }
}

function planFor(of: Preset, own: Answers, { folder: at, control, addresses, urls }: RunningLab): Plan {
  const all = { ...fillLabAnswers(of, { folder: at, control, addresses }), ...own };
  const questions = new Set(listAskedQuestions(of, all).map(({ id }) => id));
  const answers = Object.fromEntries(Object.entries(all).filter(([id]) => questions.has(id)));
  const labels = listLabAddresses(of, answers);
  const chosenNames = addresses.filter(({ label }) => labels.includes(label)).map(({ url }) => url);
  const targets = (chosenNames.length > 0 ? chosenNames : urls).map((url) => targetSchema.parse({ url }));
  const { plan, issues } = buildPlan(of, answers, targets);
  if (plan === null) throw new Error(JSON.stringify(issues));
  return plan;
}

/** Adds the cookie of an account if pages require a login and the journey does not log in itself. */
async function addLoginCookie({ login: asksForLogin }: Preset, plan: Plan, { accounts: [account] }: RunningLab): Promise<Plan> {
  const [first] = plan.targets;
  if (!asksForLogin || cookiesOf(plan) !== 'ignore' || account === undefined || first === undefined) return plan;
  const { tls, connections } = connectionSettings(plan);
  const { cookieHeader } = await login({
    ...account,
    url: new URL(first.url),
    connection: { tls, connections, clientCertificate: null },
    userAgent: 'Holdfast',
    timeoutMs: LOGIN_TIMEOUT_MS,
  });
  return { ...plan, targets: plan.targets.map((target) => ({ ...target, cookie: cookieHeader })) };
}

function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns the requests from outside that the servers have received since `sinceMs`. */
async function readExternalRequests({ logs }: RunningLab, sinceMs: number): Promise<{ method: string; path: string }[]> {
  const names = Object.keys(logs).filter((name) => name !== 'evaluations' && (logs['nginx'] === undefined || SEPARATE_SERVER.test(name)));
  const lists = await Promise.all(names.map((name) => readLog(logs[name] ?? '')));
  return lists.flat().filter(({ startedAtMs }) => startedAtMs >= sinceMs);
}
