import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { findOverload } from '#core/result/overload.ts';
import type { RunResult } from '#core/result/schema.ts';
import { timeOf } from '#core/result/stageTimes.ts';
import { diagnose, findNotOfLoad } from './diagnosis/diagnose.ts';
import { Evidence, judge } from './verdict/judge.ts';
import { findHeadroomFindings, addHeadroom } from './capacity/capacity.ts';
import { buildFacts, type ResultInput, RunTally, type TalliedInput } from './measuredRun.ts';

export type { ResultInput } from './measuredRun.ts';

/** Tally of a run's windows, which are added in order of time. Memory use does not depend on the length of the run. */
export class ResultTally {
  readonly run: RunTally;
  readonly evidence: Evidence;

  constructor(plan: Plan, isJoined = false) {
    this.evidence = new Evidence(plan);
    this.run = new RunTally(plan, isJoined);
  }

  add(window: Window): void {
    this.evidence.add(window);
    this.run.add(window);
  }
}

/** Builds the result of windows: see {@link buildResultFrom}. */
export function buildResult({ windows, ...input }: ResultInput): RunResult {
  const tally = new ResultTally(input.plan);
  for (const window of windows) tally.add(window);
  return buildResultFrom(input, tally);
}

/** Builds the result of a run: figures, verdict and findings. For a run that still continues, the result is provisional. */
export function buildResultFrom(input: TalliedInput, { run, evidence }: ResultTally): RunResult {
  const { plan, head, generators, events } = input;
  const facts = buildFacts(input, run);
  evidence.addVisits(facts.visits);
  const found = diagnose(facts);
  const { criteria, verdict } = judge({
    plan,
    head,
    generators,
    events,
    evidence,
    starts: run.starts,
    stageTimes: facts.stages.map(timeOf),
    levels: facts.stages.map(({ level }) => level),
    overload: findOverload(facts),
    p95: { requests: facts.latency.errorAdjusted.p95, pages: facts.pages?.all.errorAdjusted.p95 ?? null },
    balances: facts.balances,
    bells: facts.bells,
    people: facts.people,
    places: facts.places,
    notOfLoad: findNotOfLoad(facts, found),
  });
  const findings = [...found, ...findHeadroomFindings(facts, criteria)];
  return { ...facts, criteria, verdict: addHeadroom(verdict, { ...facts, criteria, findings }), findings };
}
