import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import type { SearchRun } from '#core/search/run.ts';
import { samplePoint } from '#core/testing/points.ts';
import { type Random, buildRunResult, simulate, type SimulatedRequest, type SimulatedServer } from '#core/testing/queueRun.ts';
import { PROBE_SECONDS, readProbe } from '../aftermath.ts';
import { conclude, nextSearchRun } from '../conclusion.ts';
import { searchFacts } from '../facts.ts';
import { LEVEL_STAGE } from '../levels.ts';
import type { LevelReading } from '../reading.ts';
import { readLevel } from '../readLevel.ts';
import type { BreakingPointConclusion, BreakingPointSettings } from '../schema.ts';

const MAX_RUNS = 100;

interface PlayedLevels {
  readonly conclusion: BreakingPointConclusion;
  readonly runs: readonly SearchRun[];
  /** Number of distinct levels. */
  readonly levels: number;
  /** Total duration in s. */
  readonly seconds: number;
}

/**
 * Plays the levels of a search against simulated servers, with a new one for each run. Computes only what decides the outcome of a level at
 * a rate, in a thirtieth of the time of a whole result. Hundreds of searches can therefore be played.
 */
export function playLevels(plan: Plan, settings: BreakingPointSettings, getServer: () => SimulatedServer, random: Random): PlayedLevels {
  const runs: SearchRun[] = [];
  for (
    let step = nextSearchRun(plan, settings, runs);
    step.kind === 'run' && runs.length < MAX_RUNS;
    step = nextSearchRun(plan, settings, runs)
  ) {
    const { plan: levelPlan, purpose, name, level, repeat } = step;
    const requests = simulate(levelPlan, getServer(), random);
    if (level === null) {
      runs.push({
        ...base(runs.length),
        purpose,
        name,
        level,
        repeat,
        reading: readProbe(buildRunResult(levelPlan, requests)),
        spentSeconds: PROBE_SECONDS,
        requests: requests.length,
      });
      continue;
    }
    const result = resultWith(levelPlan, level, requests);
    const reading: LevelReading = readLevel(result, level);
    const spentSeconds = result.durationSeconds ?? 0;
    runs.push({ ...base(runs.length), purpose, name, level, repeat, reading, spentSeconds, requests: requests.length });
  }
  return {
    conclusion: conclude(searchFacts(plan, settings, runs)),
    runs,
    levels: new Set(runs.flatMap(({ level }) => level ?? [])).size,
    seconds: runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0),
  };
}

function base(position: number) {
  return { position, state: 'value' as const, phase: null, reason: null, runId: null };
}

/** Template for the parts of a result that do not affect the outcome of a level. */
let template: RunResult | null = null;

/** Returns those parts of the result of one level's run that decide its outcome. All requests succeed. */
function resultWith(plan: Plan, level: number, requests: readonly SimulatedRequest[]): RunResult {
  const spans = plan.load.stages.map((stage) => ('seconds' in stage ? stage.seconds : 0) ?? 0);
  const warmUpSeconds = spans.length > 1 ? (spans[0] ?? 0) : 0;
  const endSeconds = spans.reduce((sum, seconds) => sum + seconds, 0);
  const counted = requests.filter(({ stage }) => stage === spans.length - 1);
  const mean = counted.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / Math.max(1, counted.length);
  template ??= buildRunResult(plan, requests);
  const stages = template.stages.map((stage) => {
    const good = stage.latencyByStatusClass['2xx'];
    if (stage.name !== LEVEL_STAGE || good === undefined) return stage;
    return {
      ...stage,
      level: { ...stage.level, from: level, to: level, highest: level },
      startedAtSecond: warmUpSeconds,
      endedAtSecond: endSeconds,
      requests: { ...stage.requests, sent: counted.length, ok: counted.length },
      journeys: { ...stage.journeys, started: counted.length },
      latencyByStatusClass: { '2xx': { ...good, mean } },
    };
  });
  return { ...template, plan, stages, windows: makeWindows(requests, Math.ceil(endSeconds)), durationSeconds: endSeconds };
}

function makeWindows(requests: readonly SimulatedRequest[], seconds: number): Point[] {
  const started = Array.from({ length: seconds }, () => 0);
  const times = Array.from({ length: seconds }, (): number[] => []);
  for (const { startMs, endMs } of requests) {
    const begun = Math.floor(startMs / 1_000);
    if (begun < seconds) started[begun] = (started[begun] ?? 0) + 1;
    times[Math.floor(endMs / 1_000)]?.push(endMs - startMs);
  }
  return times.map((ended, second) =>
    samplePoint(second, { started: started[second] ?? 0, completed: ended.length, ok: ended.length, p50: medianOf(ended) }),
  );
}

function medianOf(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}
