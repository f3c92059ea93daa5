import { spawn } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readExportSources } from '#backend/services/exports/readExportSources.ts';
import { readPresets } from '#cli/plans/presetLibrary.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { recordedRequests } from '#core/journey/requests.ts';
import { plannedRequests } from '#core/load/planned.ts';
import { targetSchema, type Plan } from '#core/plan/schema.ts';
import { buildPlan, labAddressesOf } from '#core/presets/build.ts';
import { askedQuestions } from '#core/presets/conditions.ts';
import { labAnswersOf } from '#core/presets/lab.ts';
import type { Preset } from '#core/presets/schema.ts';
import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import type { RunningLab } from '#lab/lab.ts';
import { readLog } from '#lab/readLog.ts';
import { findLab } from '#lab/registry.ts';

/**
 * Presets as scripts of k6, run by an installed k6 against their practice servers: node bench/exports.ts K6 PRESET [answer=value …]. Prints for each step how many
 * requests k6 counts, how many lines the servers' logs have in all, and how many the plan says.
 */
const [k6 = 'k6', presetId = 'plain-page', ...given] = process.argv.slice(2);

const { presets } = await readPresets(fileURLToPath(new URL('../presets/', import.meta.url)));
const preset = presets.find(({ id }) => id === presetId);
if (preset?.lab === undefined) throw new Error(`There is no preset ${presetId} with a practice server.`);
const folder = await mkdtemp(join(tmpdir(), 'holdfast-export-'));
const lab = await findLab(preset.lab).start(preset.labOptions, {
  entry: new URL('../src/lab/main.ts', import.meta.url),
  cacheDirectory: cacheDirectoryFor(process.env),
  environment: process.env,
  onProgress: () => {},
});
try {
  const plan = planFor(preset, lab);
  const counted = await runK6(plan);
  const inPlan = plannedRequests(plan);
  const total = Object.values(counted).reduce((sum, count) => sum + count, 0);
  for (const [slot, { name }] of recordedRequests(plan).entries()) console.log(`${name}: ${counted[slot] ?? 0}`);
  const logged = await loggedBy(lab);
  console.log(`k6 counts ${total}; planned ${inPlan ?? 'not known'}; logs: ${JSON.stringify(logged)}`);
} finally {
  await lab.stop();
  await rm(folder, { recursive: true });
}

function planFor(of: Preset, { folder: at, control, addresses, urls }: RunningLab): Plan {
  const written = Object.fromEntries(given.map((text) => [text.slice(0, text.indexOf('=')), numberOr(text.slice(text.indexOf('=') + 1))]));
  const all = { ...labAnswersOf(of, { folder: at, control, addresses }), ...written };
  const asked = new Set(askedQuestions(of, all).map(({ id }) => id));
  const answers = Object.fromEntries(Object.entries(all).filter(([id]) => asked.has(id)));
  const labels = labAddressesOf(of, answers);
  const chosen = addresses.filter(({ label }) => labels.includes(label)).map(({ url }) => url);
  const targets = (chosen.length > 0 ? chosen : urls).map((url) => targetSchema.parse({ url }));
  const { plan, issues } = buildPlan(of, answers, targets);
  if (plan === null) throw new Error(JSON.stringify(issues));
  return plan;
}

function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** How many requests k6 counts, by the tag of their step. */
async function runK6(plan: Plan): Promise<Record<string, number>> {
  const { script, files, secrets } = k6Script(plan, await readExportSources(plan));
  await writeFile(join(folder, 'script.js'), script);
  for (const { path, content, encoding } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, encoding);
  }
  const environment = { ...process.env };
  for (const { name, reference } of secrets)
    environment[name] = reference.startsWith('file:') ? (await readFile(reference.slice('file:'.length), 'utf8')).replace(/\n$/, '') : 'x';
  const output = join(folder, 'samples.json');
  const ended = spawn(k6, ['run', '--quiet', '--no-usage-report', '--summary-mode', 'disabled', '--out', `json=${output}`, 'script.js'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await new Promise((resolve) => void ended.once('close', resolve));
  const counts: Record<string, number> = {};
  for (const line of (await readFile(output, 'utf8')).split('\n')) {
    if (!line.includes('"metric":"http_reqs"') || !line.includes('"type":"Point"')) continue;
    const step = /"holdfast_step":"(\d+)"/.exec(line)?.[1] ?? 'none';
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/** Lines of each log. */
async function loggedBy({ logs }: RunningLab): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, file] of Object.entries(logs)) counts[name] = (await readLog(file)).length;
  return counts;
}
