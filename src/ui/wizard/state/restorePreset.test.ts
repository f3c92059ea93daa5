import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import { type Plan, targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan } from '#core/presets/build.ts';
import { parsePreset } from '#core/presets/parse.ts';
import type { Preset } from '#core/presets/schema.ts';
import { withChoices } from './choices.ts';
import { restorePreset } from './makePlan.ts';
import { wizardReducer } from './reducer.ts';
import { EMPTY_STATE, listEntries } from './types.ts';

const SOURCE = `
holdfastPreset: 1
id: page
title: How fast is it?
story: Asks.
takesMinutes: 1
questions:
  - { id: connections, kind: number, label: How many connections?, default: 10, min: 1, max: 100 }
  - { id: minutes, kind: number, label: How long?, default: 1, min: 0.1, max: 10, whole: false }
plan:
  holdfast: 1
  name: '{connections} connections'
  journey: [{ name: page }]
  load: { model: connections, stages: [{ connections: =connections, seconds: =minutes * 60 }] }
  criteria: [{ kind: errors, maxShare: 0.01 }]
`;

function readPreset(): Preset {
  const { preset, issues } = parsePreset(SOURCE);
  if (preset === null) throw new Error(JSON.stringify(issues));
  return preset;
}

const preset = readPreset();

const targets = [{ url: 'http://127.0.0.1:1/', headers: {} }];
const getPlan = (answers: Record<string, number>): Plan => {
  const { plan } = buildPlan(preset, answers, targets);
  if (plan === null) throw new Error('no plan');
  return plan;
};

const BUILD_INPUT = z.object({
  answers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  targets: z.array(targetSchema),
});

/** Simulates the backend's calls about presets. */
async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const { answers, targets: at } = BUILD_INPUT.partial().parse(input);
  const answer: unknown = name === 'presets.list' ? [preset] : buildPlan(preset, answers ?? {}, at ?? []);
  return Promise.resolve(answer as CallOutput<N>);
}

describe('restorePreset', () => {
  it('keeps the share of resumed TLS sessions', async () => {
    const plan = getPlan({ connections: 60, minutes: 0.5 });
    const askedPreset = await restorePreset(call, { ...plan, tls: { ...plan.tls, resume: 0.07 } });
    expect(askedPreset?.choices).toEqual({ resumePercent: 7 });
    if (askedPreset === null) return;
    const state = wizardReducer(EMPTY_STATE, { type: 'presetTaken', preset: askedPreset, targets, foreign: [] });
    expect(withChoices(plan, state.choices).tls).toEqual({ verify: true, resume: 0.07 });
  });

  it('restores the values of the questions', async () => {
    const askedPreset = await restorePreset(call, getPlan({ connections: 60, minutes: 0.5 }));
    expect(askedPreset).toEqual({
      id: 'page',
      entries: { answers: { connections: 60, minutes: 0.5 }, load: null, criteria: null },
      choices: {},
    });
    if (askedPreset === null) return;
    const state = wizardReducer(EMPTY_STATE, { type: 'presetTaken', preset: askedPreset, targets, foreign: [] });
    expect(state).toMatchObject({ source: { kind: 'preset', id: 'page' }, reached: 'load', targets: [{ url: targets[0]?.url }] });
    expect(listEntries(state)).toEqual({ answers: { connections: 60, minutes: 0.5 }, load: null, criteria: null });
  });

  it('keeps manual edits and other choices', async () => {
    const plan = getPlan({ connections: 60 });
    const load: Plan['load'] = { model: 'connections', stages: [{ connections: 7, seconds: 5, counted: true }] };
    const editedPlan: Plan = { ...plan, name: 'own', load, tls: { verify: false }, monitors: [machineMonitor('db')] };
    const askedPreset = await restorePreset(call, editedPlan);
    expect(askedPreset).toMatchObject({ entries: { criteria: null }, choices: { verify: false, places: { db: 'target' } } });
    if (askedPreset === null) return;
    const state = wizardReducer(EMPTY_STATE, { type: 'presetTaken', preset: askedPreset, targets, foreign: [] });
    expect(listEntries(state).load).toMatchObject({ model: 'connections', stages: [{ numbers: { connections: 7, seconds: 5 } }] });
  });

  it('returns null if the questions now lead to another plan or to none', async () => {
    const plan = getPlan({ connections: 60 });
    expect(await restorePreset(call, { ...plan, timeoutSeconds: 7 })).toBeNull();
    expect(await restorePreset(call, { ...plan, name: 'own' })).toBeNull();
    expect(await restorePreset(call, { ...plan, preset: 'gone' })).toBeNull();
    const { answers: _answers, ...older } = plan;
    expect(await restorePreset(call, older)).toBeNull();
    expect(await restorePreset(call, { ...plan, answers: { connections: 60, other: 1 } })).toBeNull();
  });
});

function machineMonitor(host: string): NonNullable<Plan['monitors']>[number] {
  return { kind: 'machine', host, processes: [], containers: 'cgroup' };
}
