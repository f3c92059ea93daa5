import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { readExportSources } from '#backend/services/exports/readExportSources.ts';
import { EXPORT_FILES, EXPORT_KINDS, type Exported, type ExportKind } from '#core/export/exported.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { secretNames } from '#core/export/secretNames.ts';
import type { Plan } from '#core/plan/schema.ts';
import type { Told } from './compareWithLog.ts';

/** An installed tool of which exports are made, by the name of its program. @throws for another. */
export function kindOfProgram(program: string): ExportKind {
  const kind = EXPORT_KINDS.find((one) => one === basename(program));
  if (kind === undefined) throw new Error(`${program} is none of ${EXPORT_KINDS.join(', ')}.`);
  return kind;
}

/**
 * Runs what is exported of a plan in an empty folder, as the tool itself reads it, and resolves with the requests that the tool counts.
 * @throws with the reasons when the tool cannot stand for the plan, or with its words when it failed.
 */
export async function runExported(program: string, plan: Plan, folder: string): Promise<Told> {
  const kind = kindOfProgram(program);
  const sources = await readExportSources(plan);
  const result = exportPlan(kind, plan, sources);
  if (result.kind === 'refused')
    throw new Error(`${kind} cannot stand for this plan:\n${result.issues.map(({ message, hint }) => `- ${message} ${hint}`).join('\n')}`);
  const { exported } = result;
  for (const note of exported.notes) console.log(`# ${note}`);
  await writeFile(join(folder, EXPORT_FILES[kind]), exported.text);
  for (const { path, content, encoding } of exported.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, encoding);
  }
  const environment = { ...process.env, PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`, ...(await secretsOf(plan, exported)) };
  const run = (name: string, ...args: string[]): Promise<string> => outputOf(name, args, folder, environment);
  switch (kind) {
    case 'k6':
      return runK6(run, program, folder);
    case 'artillery':
      return runArtillery(run, program, folder, plan);
    case 'ab':
      return new Map([[0, Number(/^Complete requests:\s+(\d+)/m.exec(await run('sh', '-e', EXPORT_FILES.ab))?.[1])]]);
    case 'curl':
      await run('sh', '-e', EXPORT_FILES.curl);
      return new Map(plan.journey.map((_, step) => [step, 1]));
    default:
      return kind satisfies never;
  }
}

/** Secrets in files are read from them; others are none of a practice server's. */
async function secretsOf(plan: Plan, { environment }: Exported): Promise<Record<string, string>> {
  const references = new Map([...secretNames(plan)].map(([reference, name]) => [name, reference]));
  const values = environment.map(async (name): Promise<[string, string]> => {
    const reference = references.get(name) ?? '';
    return [name, reference.startsWith('file:') ? (await readFile(reference.slice('file:'.length), 'utf8')).replace(/\n$/, '') : 'x'];
  });
  return Object.fromEntries(await Promise.all(values));
}

async function outputOf(name: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], out, err] = await Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]);
  // 99 of k6, 1 of Artillery: ended as it should, and an objective was missed.
  if (code !== 0 && code !== 99 && !/ensure/i.test(out))
    throw new Error(`${name} ended with ${String(code)}:\n${out.slice(-3_000)}\n${err.slice(-3_000)}`);
  return out;
}

type Run = (name: string, ...args: string[]) => Promise<string>;

async function runK6(run: Run, program: string, folder: string): Promise<Told> {
  const output = 'samples.json';
  await run(program, 'run', '--quiet', '--no-usage-report', '--summary-mode', 'disabled', '--out', `json=${output}`, EXPORT_FILES.k6);
  const told = new Map<number, number>();
  for (const line of (await readFile(join(folder, output), 'utf8')).split('\n')) {
    if (!line.includes('"metric":"http_reqs"') || !line.includes('"type":"Point"')) continue;
    const slot = Number(/"holdfast_step":"(\d+)"/.exec(line)?.[1] ?? '-1');
    told.set(slot, (told.get(slot) ?? 0) + 1);
  }
  return told;
}

const reportSchema = z.looseObject({ aggregate: z.looseObject({ counters: z.record(z.string(), z.number()) }) });
const BY_NAME = 'plugins.metrics-by-endpoint.';

/** Its own plugin counts by the names of the requests; of a request without an answer it counts an error. */
async function runArtillery(run: Run, program: string, folder: string, { journey }: Plan): Promise<Told> {
  const overrides = { config: { plugins: { 'metrics-by-endpoint': { useOnlyRequestNames: true } } } };
  await run(program, 'run', '--quiet', '--overrides', JSON.stringify(overrides), '--output', 'report.json', EXPORT_FILES.artillery);
  const { aggregate } = reportSchema.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')));
  const counters = Object.entries(aggregate.counters);
  return new Map(
    journey.map(({ name }, step) => [step, counters.reduce((sum, [counter, count]) => sum + (isOf(counter, name) ? count : 0), 0)]),
  );
}

function isOf(counter: string, name: string): boolean {
  return counter.startsWith(`${BY_NAME}${name}.codes.`) || counter.startsWith(`${BY_NAME}${name}.errors.`);
}
