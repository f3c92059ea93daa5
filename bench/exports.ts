import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPresets } from '#cli/plans/presetLibrary.ts';
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
import { compareWithLog, largestDifference } from './exporting/compareWithLog.ts';
import { runExported } from './exporting/tools.ts';

/**
 * Presets as they are exported, run by the installed tool against their practice servers: node bench/exports.ts PROGRAM PRESET [answer=value …], where
 * PROGRAM is k6, artillery, ab or curl, with its folder where it is not in the PATH. Prints for each step how many requests the tool counts and how many
 * lines the servers' logs have, and ends with 1 where they differ by more than 2 %.
 */
const MOST_DIFFERENCE = 0.02;
/** Behind a proxy, its log has what came; servers that stand beside it have logs of their own. */
const BESIDE = /^(nginx|oracle|mystery-\d+)$/;
const [program = 'k6', presetId = 'plain-page', ...given] = process.argv.slice(2);

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
  const told = await runExported(program, plan, folder);
  const rows = compareWithLog(plan, told, await asked(lab));
  for (const { name, told: count, logged } of rows) console.log(`${name}: ${count} counted, ${logged} logged`);
  const difference = largestDifference(rows);
  console.log(`planned: ${plannedRequests(plan) ?? 'not known'}; largest difference: ${(difference * 100).toFixed(2)} %`);
  if (difference > MOST_DIFFERENCE) process.exitCode = 1;
} finally {
  await lab.stop();
  await rm(folder, { recursive: true });
}

function planFor(of: Preset, { folder: at, control, addresses, urls }: RunningLab): Plan {
  const written = Object.fromEntries(given.map((text) => [text.slice(0, text.indexOf('=')), numberOr(text.slice(text.indexOf('=') + 1))]));
  const all = { ...labAnswersOf(of, { folder: at, control, addresses }), ...written };
  const questions = new Set(askedQuestions(of, all).map(({ id }) => id));
  const answers = Object.fromEntries(Object.entries(all).filter(([id]) => questions.has(id)));
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

/** What the servers were asked for from outside. */
async function asked({ logs }: RunningLab): Promise<{ method: string; path: string }[]> {
  const names = Object.keys(logs).filter((name) => name !== 'evaluations' && (logs['nginx'] === undefined || BESIDE.test(name)));
  const lists = await Promise.all(names.map((name) => readLog(logs[name] ?? '')));
  return lists.flat();
}
