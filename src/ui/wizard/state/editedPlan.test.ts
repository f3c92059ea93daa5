import { describe, expect, it } from 'vitest';
import { editedPlan, type Edits } from './editedPlan.ts';
import { samplePlan } from './testing/samples.ts';
import { USUAL_THINK_TIME, withModel } from './switchLoad.ts';
import { rowsOf } from './testing/loads.ts';

const none: Edits = { load: null, objectives: null, presetTitle: null };
const users = rowsOf({ model: 'users', stages: [{ users: 7, seconds: 5 }] });
const claiming = samplePlan({ name: 'Will it hold for 60 participants?', story: '60 participants ask.', claim: '60 participants' });

describe('editedPlan', () => {
  it('leaves a plan as it is when nothing was edited', () => {
    expect(editedPlan(claiming, none)).toEqual({ plan: claiming, issues: [] });
  });

  it('takes the load of another model', () => {
    const { plan } = editedPlan(samplePlan(), { ...none, load: users });
    expect(plan?.load).toMatchObject({ model: 'users', stages: [{ users: 7, seconds: 5 }] });
    expect(plan?.name).toBe('Sample');
  });

  it('leaves out pauses that arrivals of a single step cannot take, and keeps them for users', () => {
    const load = { ...withModel(users, 'arrivals'), thinkTime: USUAL_THINK_TIME };
    const one = samplePlan();
    expect(one.journey).toHaveLength(1);
    expect(editedPlan(one, { ...none, load }).plan?.load).not.toHaveProperty('thinkTime');
    const two = samplePlan({ journey: [...one.journey, { ...one.journey[0], name: 'next', path: 'next' }] });
    expect(editedPlan(two, { ...none, load }).plan?.load).toMatchObject({ thinkTime: { kind: 'uniform' } });
    expect(editedPlan(one, { ...none, load: withModel(load, 'users') }).plan?.load).toMatchObject({ thinkTime: { kind: 'uniform' } });
  });

  it('speaks no more of people whom the load no longer stands for', () => {
    const fromPreset = editedPlan(claiming, { ...none, load: users, presetTitle: 'Will it hold?' }).plan;
    expect(fromPreset).toMatchObject({ name: 'Will it hold? (own load)', story: '', claim: '' });
    const fromRun = editedPlan(claiming, { ...none, load: users }).plan;
    expect(fromRun).toMatchObject({ name: 'Will it hold for 60 participants? (own load)', claim: '' });
  });

  it('says by path what a number cannot be', () => {
    const [stage] = users.stages;
    if (!stage) throw new Error('no stage');
    const load = { ...users, stages: [{ ...stage, numbers: { ...stage.numbers, users: 0, seconds: -1 } }] };
    const { plan, issues } = editedPlan(samplePlan(), { ...none, load });
    expect(plan).toBeNull();
    expect(issues.map(({ path }) => path)).toEqual(['load.stages[0].users', 'load.stages[0].seconds']);
  });

  it('is none, and says nothing, while a number is missing', () => {
    const objectives = [{ id: 1, step: '', stage: '', ofPages: false, kind: 'errors' as const, maxPercent: '' }];
    expect(editedPlan(samplePlan(), { ...none, objectives })).toEqual({ plan: null, issues: [] });
  });
});
