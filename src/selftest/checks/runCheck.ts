import { problemOf } from '#core/base/errors.ts';
import type { EngineName } from '#core/review/engineFor.ts';
import type { SelfTestCheck, SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { SICK_CAUSES } from '#core/measurement/window.ts';
import { behindStealGate } from '#engine/stealGate.ts';
import type { Measured, MeasureParts } from '../measure.ts';
import { throwIfStopped } from '../measure.ts';
import type { ServerProcess } from '../serverProcess.ts';

export interface CheckParts extends MeasureParts {
  readonly server: ServerProcess;
  readonly quick: boolean;
}

export interface Comparison {
  readonly measured: Measured;
  readonly facts: readonly SelfTestFact[];
}

export interface Checked extends Pick<SelfTestCheck, 'id' | 'title' | 'story'> {
  readonly engine: EngineName;
  /** Measures, and puts what the engine says beside what the server knows. */
  compare(parts: CheckParts): Promise<Comparison>;
}

/**
 * Makes one check. Times may be measured again when the hypervisor took the processor away; a wrong count is never excused. A
 * check that could not be made has failed, and says why. Throws `CANCELLED` when the self-test was stopped.
 */
export async function runCheck({ id, title, story, engine, compare }: Checked, parts: CheckParts): Promise<SelfTestCheck> {
  const what = { id, title, story, engine };
  try {
    const { result, ...gate } = await behindStealGate(
      () => compare(parts),
      ({ facts }) => facts.some(isWrongTime) && !facts.some(isWrongCount),
    );
    const { measured, facts } = result;
    const { engineVersion, end, windows } = measured;
    const passed = end.reason === 'completed' && facts.every((fact) => fact.passed);
    const sick = SICK_CAUSES.filter((cause) => windows.some((window) => window.sick.includes(cause)));
    return { ...what, engineVersion, facts: [...facts], passed, ...gate, sick, problem: end.problem?.message ?? null };
  } catch (thrown) {
    throwIfStopped(parts.signal);
    const nothing = { facts: [], passed: false, repeats: 0, steal: null, processorUse: null, sick: [] };
    return { ...what, engineVersion: '', ...nothing, problem: problemOf(thrown).message };
  }
}

function isWrongTime({ kind, passed }: SelfTestFact): boolean {
  return kind === 'time' && !passed;
}

function isWrongCount({ kind, passed }: SelfTestFact): boolean {
  return kind === 'count' && !passed;
}
