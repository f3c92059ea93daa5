import { checkPlan } from '#core/review/check.ts';
import { describePlan } from '#core/review/describe.ts';
import { describe, expect, it } from 'vitest';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import { editedPlan, type Edits, requestPlan, startInput } from './makePlan.ts';
import { samplePlan } from './testing/samples.ts';
import { USUAL_THINK_TIME } from './loadEntry.ts';
import { withModel } from './switchLoad.ts';
import { rowsOf } from './testing/loads.ts';

const NO_EDITS: Edits = { load: null, criteria: null, presetTitle: null };
const users = rowsOf({ model: 'users', stages: [{ users: 7, seconds: 5 }] });
const PLAN_WITH_CLAIM = samplePlan({ name: 'Will it hold for 60 participants?', story: '60 participants ask.', claim: '60 participants' });

describe('editedPlan', () => {
  it('returns the same plan if there are no edits', () => {
    expect(editedPlan(PLAN_WITH_CLAIM, NO_EDITS)).toEqual({ plan: PLAN_WITH_CLAIM, issues: [] });
  });

  it('replaces the load with that of another model', () => {
    const { plan } = editedPlan(samplePlan(), { ...NO_EDITS, load: users });
    expect(plan?.load).toMatchObject({ model: 'users', stages: [{ users: 7, seconds: 5 }] });
    expect(plan?.name).toBe('Sample');
  });

  it('omits think times for arrivals with a single step, and keeps them for users', () => {
    const load = { ...withModel(users, 'arrivals'), thinkTime: USUAL_THINK_TIME };
    const one = samplePlan();
    expect(one.journey).toHaveLength(1);
    expect(editedPlan(one, { ...NO_EDITS, load }).plan?.load).not.toHaveProperty('thinkTime');
    const two = samplePlan({ journey: [...one.journey, { ...one.journey[0], name: 'next', path: 'next' }] });
    expect(editedPlan(two, { ...NO_EDITS, load }).plan?.load).toMatchObject({ thinkTime: { kind: 'uniform' } });
    expect(editedPlan(one, { ...NO_EDITS, load: withModel(load, 'users') }).plan?.load).toMatchObject({ thinkTime: { kind: 'uniform' } });
  });

  it("removes the preset's name, story and claim after an edit of the load", () => {
    const fromPreset = editedPlan(PLAN_WITH_CLAIM, { ...NO_EDITS, load: users, presetTitle: 'Will it hold?' }).plan;
    expect(fromPreset).toMatchObject({ name: 'Will it hold? (custom load)', story: '', claim: '' });
    const fromRun = editedPlan(PLAN_WITH_CLAIM, { ...NO_EDITS, load: users }).plan;
    expect(fromRun).toMatchObject({ name: 'Will it hold for 60 participants? (custom load)', claim: '' });
  });

  it('reports invalid numbers by path', () => {
    const [stage] = users.stages;
    if (!stage) throw new Error('no stage');
    const load = { ...users, stages: [{ ...stage, numbers: { ...stage.numbers, users: 0, seconds: -1 } }] };
    const { plan, issues } = editedPlan(samplePlan(), { ...NO_EDITS, load });
    expect(plan).toBeNull();
    expect(issues.map(({ path }) => path)).toEqual(['load.stages[0].users', 'load.stages[0].seconds']);
  });

  it('returns no plan and no issues while a number is missing', () => {
    const criteria = [{ id: 1, step: '', stage: '', of: 'requests' as const, kind: 'errors' as const, numbers: { maxShare: '' } }];
    expect(editedPlan(samplePlan(), { ...NO_EDITS, criteria })).toEqual({ plan: null, issues: [] });
  });
});

const issue = { level: 'warning', code: 'FEW', path: 'criteria[0]', message: 'Too few.', hint: '' } as const;

const ask = { kind: 'host' as const, name: 'a.example', reach: 'public' as const, uses: [] };

function backend() {
  const askedNames: string[] = [];
  const answers: Partial<{ [N in CallName]: CallOutput<N> }> = {
    'presets.build': { plan: samplePlan(), series: null, issues: [issue], derived: [], explanation: 'so' },
    'plans.asks': { asks: [ask], open: [ask] },
  };
  const call = <N extends CallName>(name: N, _input: CallInput<N>): Promise<CallOutput<N>> => {
    askedNames.push(name);
    const answer = answers[name];
    return answer === undefined ? Promise.reject(new Error(name)) : Promise.resolve(answer);
  };
  return { asked: askedNames, call };
}

const targets = [{ url: 'http://b.example/', headers: {} }];
const edits = { load: null, criteria: null, presetTitle: null };
const choices = {};
const ownLoad = rowsOf({ model: 'connections', stages: [{ connections: 7, seconds: 5 }] });
const preset = { kind: 'preset', id: 'a', answers: {} } as const;

describe('requestPlan', () => {
  it('describes and checks the plan from the backend, and reports each issue once', async () => {
    const { asked, call } = backend();
    const newPlan = await requestPlan(call, { from: preset, targets, choices, edits });
    expect(newPlan).toMatchObject({ explanation: 'so', asks: [ask], open: [ask] });
    expect(newPlan.description).toEqual(describePlan(samplePlan()));
    expect(newPlan.issues).toEqual([issue, ...checkPlan(samplePlan())]);
    expect(asked).toEqual(['presets.build', 'plans.asks']);
  });

  it('omits an empty list of load generators from the input of a start', () => {
    // The backend would refuse an empty list of generators, and then the page that offers the choice could not be shown.
    expect(startInput(samplePlan(), null, { places: { here: null } })).toEqual({ plan: samplePlan() });
    expect(startInput(samplePlan(), null, { places: { here: null, web1: 'generator' } })).toMatchObject({ on: ['web1'] });
  });

  it('describes the plan again after edits by hand', async () => {
    const { call } = backend();
    const newPlan = await requestPlan(call, { from: preset, targets, choices, edits: { ...edits, load: ownLoad, criteria: [] } });
    expect(newPlan.plan?.load.stages).toEqual([{ connections: 7, seconds: 5, counted: true }]);
    expect(newPlan.plan?.criteria).toEqual([]);
    expect(newPlan.base).toEqual(samplePlan());
    expect(newPlan.description?.sentences.join(' ')).toContain('7 connections');
  });

  it('replaces the targets of an earlier plan with the entered ones', async () => {
    const { asked, call } = backend();
    const newPlan = await requestPlan(call, { from: { kind: 'plan', plan: samplePlan() }, targets, choices, edits });
    expect(newPlan.plan?.targets).toEqual(targets);
    expect(asked).toEqual(['plans.asks']);
    expect(newPlan.description?.sentences[0]).toBe('The load is sent to b.example.');
  });

  it('adds monitors for the chosen machines', async () => {
    const { call } = backend();
    const newPlan = await requestPlan(call, { from: preset, targets, edits, choices: { places: { web1: 'target' }, onLost: 'stop' } });
    expect(newPlan.plan).toMatchObject({ monitors: [{ kind: 'machine', host: 'web1' }], onLostGenerator: 'stop' });
  });

  it('keeps the engine and connection settings of an earlier plan', async () => {
    const { call } = backend();
    const sent = {
      engine: 'native',
      connections: { reuse: 'journey' },
      tls: { verify: true, serverName: 'shop.test' },
      timeoutSeconds: 7,
    } as const;
    const from = { kind: 'plan', plan: samplePlan(sent) } as const;
    const newPlan = await requestPlan(call, { from, targets, choices, edits });
    expect(newPlan.plan).toMatchObject(sent);
    const unverified = await requestPlan(call, { from, targets, choices: { verify: false }, edits });
    expect(unverified.plan).toMatchObject({ ...sent, tls: { verify: false, serverName: 'shop.test' } });
  });

  it('uses the chosen share of resumed TLS sessions, which by default is that of the earlier plan', async () => {
    const { call } = backend();
    const tls = { verify: true, resume: 0.4 };
    const from = { kind: 'plan', plan: samplePlan({ tls }) } as const;
    const common = { from, targets, choices, edits };
    expect((await requestPlan(call, common)).plan?.tls).toEqual(tls);
    expect((await requestPlan(call, { ...common, choices: { resumePercent: 12.5 } })).plan?.tls).toEqual({ verify: true, resume: 0.125 });
    expect((await requestPlan(call, { ...common, choices: { resumePercent: 0 } })).plan?.tls).toEqual({ verify: true, resume: 0 });
  });

  it('uses the chosen setting for cached responses, which by default is that of the earlier plan', async () => {
    const { call } = backend();
    const from = { kind: 'plan', plan: samplePlan({ countsCache: true }) } as const;
    const common = { targets, choices, edits };
    expect((await requestPlan(call, { from, ...common, choices: {} })).plan?.countsCache).toBe(true);
    expect((await requestPlan(call, { from, ...common, choices: { countsCache: false } })).plan?.countsCache).toBe(false);
    const chosenPlan = await requestPlan(call, { from: preset, ...common, choices: { countsCache: true } });
    expect(chosenPlan.plan?.countsCache).toBe(true);
    expect(chosenPlan.description?.sentences.join(' ')).toMatch(/cache/);
    expect((await requestPlan(call, { from: preset, ...common })).plan).not.toHaveProperty('countsCache');
  });

  it('disables certificate verification for a preset if that is chosen', async () => {
    const { call } = backend();
    const newPlan = await requestPlan(call, { from: preset, targets, choices: { verify: false }, edits });
    expect(newPlan.plan?.tls.verify).toBe(false);
  });

  it('trusts the given authority, or again only the public ones', async () => {
    const { call } = backend();
    const newPlan = await requestPlan(call, { from: preset, targets, choices: { authority: 'PEM' }, edits });
    expect(newPlan.plan?.tls).toEqual({ verify: true, ca: 'PEM' });
    const from = { kind: 'plan', plan: samplePlan({ tls: { verify: true, ca: 'PEM' } }) } as const;
    const without = await requestPlan(call, { from, targets, choices: { authority: '' }, edits });
    expect(without.plan?.tls).toEqual({ verify: true });
  });

  it('does not call the backend for an incomplete plan', async () => {
    const { asked, call } = backend();
    const stages = ownLoad.stages.map((stage) => ({ ...stage, numbers: { ...stage.numbers, connections: 'x' } }));
    const newPlan = await requestPlan(call, {
      from: { kind: 'plan', plan: samplePlan() },
      targets,
      choices,
      edits: { ...edits, load: { ...ownLoad, stages } },
    });
    expect(newPlan.plan).toBeNull();
    expect(asked).toEqual([]);
  });
});
