import { diagnose } from '../diagnosis/diagnose.ts';
import type { Window } from '../stats/window.ts';
import { Evidence, judge } from '../verdict/judge.ts';
import { headroom } from './headroom.ts';
import type { RunResult } from './result.ts';
import { runFacts, type ResultInput } from './runFacts.ts';

export type { ResultInput } from './runFacts.ts';
export type { EngineEndFacts } from './spans.ts';

/**
 * The result of a run: figures, verdict and findings, from what is stored of it. Windows are read once and not kept, so a run
 * of a day takes no more memory than one of a minute. A run that is still going gets the result of what it did so far.
 */
export function buildResult(input: ResultInput): RunResult {
  const { plan, head, end, generators } = input;
  const evidence = new Evidence(plan);
  const facts = runFacts({ ...input, windows: passing(input.windows, evidence) });
  const { objectives, verdict } = judge({ plan, head, end, generators, evidence, balances: facts.balances });
  return { ...facts, objectives, verdict, findings: [...diagnose(facts), ...headroom(facts, objectives)] };
}

function* passing(windows: Iterable<Window>, evidence: Evidence): Iterable<Window> {
  for (const window of windows) {
    evidence.add(window);
    yield window;
  }
}
