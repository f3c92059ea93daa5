import { problemOf } from '#core/errors.ts';
import type { EngineName } from '#core/plan/engineFor.ts';
import type { SelfTestCheck, SelfTestFact } from '#core/selfTest/report.ts';
import { behindStealGate } from '#engine/stealGate.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import { measure, selfTestPlan, throwIfStopped, type Measured, type MeasureParts } from '../measure.ts';
import type { ServerProcess } from '../serverProcess.ts';
import type { Truth } from '../server/truth.ts';
import { countFacts } from './counts.ts';
import { tailFacts, timeFacts } from './times.ts';

export interface CheckParts extends MeasureParts {
  readonly server: ServerProcess;
  readonly quick: boolean;
}

interface Comparison {
  readonly measured: Measured;
  readonly facts: readonly SelfTestFact[];
}

/**
 * Measures a behaviour with an engine and compares the two sides. Times may be measured again when the hypervisor took the
 * processor away; a wrong count is never excused. A check that could not be made has failed, and says why.
 */
export async function runCheck(behaviour: Behaviour, engine: EngineName, parts: CheckParts): Promise<SelfTestCheck> {
  const { id, title, story } = behaviour;
  try {
    const { result, ...gate } = await behindStealGate(
      () => compare(behaviour, engine, parts),
      ({ facts }) => facts.some(isWrongTime) && !facts.some(isWrongCount),
    );
    const { measured, facts } = result;
    const problem = measured.end.problem?.message ?? null;
    const passed = measured.end.reason === 'completed' && facts.every((fact) => fact.passed);
    return { id, title, story, engine, engineVersion: measured.engineVersion, facts: [...facts], passed, ...gate, problem };
  } catch (thrown) {
    throwIfStopped(parts.signal);
    const { message } = problemOf(thrown);
    const gate = { repeats: 0, steal: null, processorUse: null };
    return { id, title, story, engine, engineVersion: '', facts: [], passed: false, ...gate, problem: message };
  }
}

async function compare(behaviour: Behaviour, engine: EngineName, parts: CheckParts): Promise<Comparison> {
  const { load, tail } = behaviour;
  const open = await parts.server.open(behaviour.id);
  const measured = await measure(
    selfTestPlan(open.url, {
      engine,
      timeoutSeconds: load.timeoutSeconds,
      // More than one thread wherever it is not the machine's limits that are asked for: merging is part of what is tested.
      threads: 2,
      load: { model: 'connections', stages: [{ connections: load.connections, seconds: parts.quick ? load.quickSeconds : load.seconds }] },
    }),
    parts,
  );
  const truth: Truth = await open.close();
  return {
    measured,
    facts: [...countFacts(measured, truth), ...timeFacts(measured, truth), ...(tail ? tailFacts(measured, truth, tail) : [])],
  };
}

function isWrongTime({ kind, passed }: SelfTestFact): boolean {
  return kind === 'time' && !passed;
}

function isWrongCount({ kind, passed }: SelfTestFact): boolean {
  return kind === 'count' && !passed;
}
