import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readExportSources } from '#backend/services/runs/readFiles.ts';
import { EXIT } from '#cli/exitCodes.ts';
import { EXPORT_FILES, EXPORT_KINDS, type PlanExport, type ExportKind } from '#core/export/exported.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { secretNames } from '#core/export/secretNames.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { resultSchema } from '#core/result/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { ToolReport } from './compareWithLog.ts';

/** Name that stands for Holdfast itself. For comparison, it runs the plan without an export. */
const REFERENCE_TOOL = 'holdfast';
/** Thrown with the reasons if a tool cannot run a plan. */
export class Refused extends Error {}

/** Runs a plan in an empty folder with an installed tool, and resolves with the tool's report. */
export type RunPlan = (plan: Plan, folder: string) => Promise<ToolReport>;

/** Returns the function that runs plans with a program, given by its name or path. @throws if the tool is unknown. */
export function createRunner(program: string): RunPlan {
  if (program === REFERENCE_TOOL) return runHoldfast;
  const kind = EXPORT_KINDS.find((one) => one === basename(program));
  if (kind === undefined) throw new Error(`${program} is none of ${[...EXPORT_KINDS, REFERENCE_TOOL].join(', ')}.`);
  return (plan, folder) => runExported(kind, program, plan, folder);
}

/**
 * Exports a plan and runs it. @throws {Refused} with the reasons if the tool cannot run the plan, or an Error with the tool's output if it
 * failed.
 */
async function runExported(kind: ExportKind, program: string, givenPlan: Plan, folder: string): Promise<ToolReport> {
  // An Artillery script can use only one of several servers.
  const plan = kind === 'artillery' ? { ...givenPlan, targets: givenPlan.targets.slice(0, 1) } : givenPlan;
  const sources = await readExportSources(plan);
  const result = exportPlan(kind, plan, sources);
  if (result.kind === 'refused') throw new Refused([...new Set(result.issues.map(({ message }) => message))].join(' '));
  const { exported } = result;
  for (const note of exported.notes) console.log(`# ${note}`);
  await writeFile(join(folder, EXPORT_FILES[kind]), exported.text);
  for (const { path, content, encoding } of exported.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, encoding);
  }
  // This disables the telemetry of the tools.
  const quiet = { ARTILLERY_DISABLE_TELEMETRY: 'true' };
  const environment = {
    ...process.env,
    ...quiet,
    PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`,
    ...(await getSecrets(plan, exported)),
  };
  const run: Run = (accepted, name, ...args) => readOutput(accepted, name, args, folder, environment);
  switch (kind) {
    case 'k6':
      return { plan, ...(await runK6(run, program, folder, plan)) };
    case 'artillery':
      return { plan, ...(await runArtillery(run, program, folder, plan)) };
    case 'ab':
      return runAb(run, plan);
    case 'curl':
      return runCurl(run, plan);
    default:
      return kind satisfies never;
  }
}

/** Reads the secrets of a plan from files, because practice servers have no other secrets. */
async function getSecrets(plan: Plan, { environment }: PlanExport): Promise<Record<string, string>> {
  const references = new Map([...secretNames(plan)].map(([reference, name]) => [name, reference]));
  const values = environment.map(async (name): Promise<[string, string]> => {
    const reference = references.get(name) ?? '';
    return [name, reference.startsWith('file:') ? (await readFile(reference.slice('file:'.length), 'utf8')).replace(/\n$/, '') : 'x'];
  });
  return Object.fromEntries(await Promise.all(values));
}

type ToolOutcome = Omit<ToolReport, 'plan'>;
const NO_REPORTS: ReadonlyMap<number, number> = new Map();
/** Runs a program and returns its standard output. `accepted` are the exit codes that mean success. */
type Run = (accepted: readonly number[], name: string, ...args: string[]) => Promise<string>;

async function readOutput(
  accepted: readonly number[],
  name: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], out, err] = await Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]);
  if (!accepted.includes(Number(code))) throw new Error(`${name} ended with ${String(code)}:\n${out.slice(-3_000)}\n${err.slice(-3_000)}`);
  return out;
}

/** Exit code of a run that was complete but failed a criterion. */
const K6_FAILED_CRITERION = 99;

async function runK6(run: Run, program: string, folder: string, { load }: Plan): Promise<ToolOutcome> {
  const output = 'samples.json';
  await run([0], program, 'inspect', EXPORT_FILES.k6);
  const flags = ['--quiet', '--no-usage-report', '--summary-mode', 'disabled', '--out', `json=${output}`];
  await run([0, K6_FAILED_CRITERION], program, 'run', ...flags, EXPORT_FILES.k6);
  const reported = new Map<number, number>();
  const brokenOff = new Map<number, number>();
  let dropped = 0;
  let maxUsers = 0;
  for (const line of (await readFile(join(folder, output), 'utf8')).split('\n')) {
    if (!line.includes('"type":"Point"')) continue;
    const value = Number(/"value":([\d.]+)/.exec(line)?.[1] ?? '0');
    if (line.includes('"metric":"dropped_iterations"')) dropped += value;
    else if (line.includes('"metric":"vus"')) maxUsers = Math.max(maxUsers, value);
    else if (line.includes('"metric":"http_reqs"')) {
      const slot = Number(/"holdfast_step":"(\d+)"/.exec(line)?.[1] ?? '-1');
      reported.set(slot, (reported.get(slot) ?? 0) + 1);
      // Error 1050 is a time-out: the server has received the request.
      if (/"error_code":"1(?!050)[0-3]\d\d"/.test(line)) brokenOff.set(slot, (brokenOff.get(slot) ?? 0) + 1);
    }
  }
  if (dropped > 0) console.log(`# ${dropped} iterations dropped, at most ${maxUsers} VUs at a time`);
  // A journey may be skipped only because the maximum of the plan is in flight, not because k6 lacks virtual users.
  const isFull = load.model === 'arrivals' && maxUsers >= load.maxInFlight;
  return { reported, brokenOff, skipped: isFull ? dropped : 0, underWay: 0 };
}

const reportSchema = z.looseObject({ aggregate: z.looseObject({ counters: z.record(z.string(), z.number()) }) });
const COUNTER_PREFIX = 'plugins.metrics-by-endpoint.';
/** Exit codes of a run that was complete but failed a limit or an expectation. */
const ARTILLERY_FAILED_CRITERION = [1, 21];

/** Runs Artillery with its plugin that counts by request name. Requests without a response count as errors. */
async function runArtillery(run: Run, program: string, folder: string, { journey }: Plan): Promise<ToolOutcome> {
  const overrides = { config: { plugins: { 'metrics-by-endpoint': { useOnlyRequestNames: true } } } };
  const report = 'report.json';
  const output = await run(
    [0, ...ARTILLERY_FAILED_CRITERION],
    program,
    'run',
    '--quiet',
    '--overrides',
    JSON.stringify(overrides),
    '--output',
    report,
    EXPORT_FILES.artillery,
  );
  // Artillery uses the same exit code for a failed limit and for an unreadable script, but writes no report in the second case.
  const reportText = await readFile(join(folder, report), 'utf8').catch(() => {
    throw new Error(`Artillery left no report:\n${output.slice(-3_000)}`);
  });
  const { counters } = reportSchema.parse(JSON.parse(reportText)).aggregate;
  const isCounterFor = (counter: string, name: string): boolean =>
    counter.startsWith(`${COUNTER_PREFIX}${name}.codes.`) || counter.startsWith(`${COUNTER_PREFIX}${name}.errors.`);
  const reported = journey.map(({ name }, step) => {
    const counts = Object.entries(counters).map(([counter, count]) => (isCounterFor(counter, name) ? count : 0));
    return [step, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  return { reported: new Map(reported), brokenOff: NO_REPORTS, skipped: counters['vusers.skipped'] ?? 0, underWay: 0 };
}

/** Runs ab, which has only one stage. It runs the first stage that is counted. */
async function runAb(run: Run, plan: Plan): Promise<ToolReport> {
  const complete = Number(/^Complete requests:\s+(\d+)/m.exec(await run([0], 'sh', '-e', EXPORT_FILES.ab))?.[1]);
  const all = plan.load.model === 'connections' ? plan.load.stages : [];
  const stages = [all.find(({ counted }) => counted) ?? all[0]].flatMap((stage) => stage ?? []);
  const timed = stages.filter(({ seconds }) => seconds !== undefined);
  return {
    plan: { ...plan, load: { model: 'connections', stages } },
    reported: new Map([[0, complete]]),
    brokenOff: NO_REPORTS,
    skipped: 0,
    underWay: Math.max(0, ...timed.map(({ connections }) => connections)),
  };
}

/** Runs the curl commands. curl has no load, so each step runs once, in the order of the plan. */
async function runCurl(run: Run, plan: Plan): Promise<ToolReport> {
  await run([0], 'sh', '-e', EXPORT_FILES.curl);
  const stage = { connections: 1, requests: plan.journey.length, counted: true };
  return {
    plan: { ...plan, load: { model: 'connections', stages: [stage] } },
    reported: new Map(plan.journey.map((_step, step) => [step, 1])),
    brokenOff: NO_REPORTS,
    skipped: 0,
    underWay: 0,
  };
}

const COMMAND_LINE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
async function runHoldfast(plan: Plan, folder: string): Promise<ToolReport> {
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan));
  const environment = { ...process.env, HOLDFAST_HOME: join(folder, 'home') };
  const args = [COMMAND_LINE, 'run', 'plan.json', '--quiet', '--json', 'result.json'];
  await readOutput([EXIT.fine, EXIT.criteriaFailed, EXIT.inconclusive], process.execPath, args, folder, environment);
  const { requestsByStep, outcomes, sideCalls } = resultSchema.parse(JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')));
  const sent = new Map([
    ...Object.entries(requestsByStep).map(([name, requests]) => [name, requests.sent] as const),
    ...(sideCalls ?? []).map(({ name, requests }) => [name, requests.sent] as const),
  ]);
  return {
    plan,
    reported: new Map(listRecordedRequests(plan).map(({ name }, slot) => [slot, sent.get(name) ?? 0])),
    brokenOff: new Map(listRecordedRequests(plan).map(({ name }, slot) => [slot, requestsByStep[name]?.reset ?? 0])),
    skipped: outcomes.journeys.notStarted.target,
    underWay: 0,
  };
}
