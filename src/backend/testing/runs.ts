import { markStorable } from '#core/plan/hideSecrets.ts';
import type { RunHead } from '#core/result/schema.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';
import type { NewRun } from '../store/runTable.ts';
import { planFor } from './plans.ts';

const START = Date.UTC(2026, 0, 1, 12);

export function headFor(id: string, changes: Partial<RunHead> = {}): RunHead {
  return {
    id,
    name: `Run ${id}`,
    note: '',
    preset: null,
    startedAt: new Date(START).toISOString(),
    endedAt: null,
    state: 'running',
    endedBecause: null,
    holdfastVersion: '0.0.0-test',
    ...changes,
  };
}

/** Returns a run of this process that is just starting. */
export function newRun(id: string, changes: Partial<NewRun> = {}): NewRun {
  const target = 'http://127.0.0.1:1/';
  return { head: headFor(id), target, plan: markStorable(planFor(target)), owner: readOwnIdentity(), nowMs: Date.now(), ...changes };
}
