import { describe, expect, it } from 'vitest';
import { readDraft, writeDraft } from './draft.ts';
import { fromCriterion } from './entries.ts';
import { withOneMore } from './switchLoad.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';
import { after, samplePlan, sampleProbe } from './testing/samples.ts';
import { EMPTY_STATE, readTls } from './types.ts';
import { probeKey } from './reducer.ts';

const full = after([
  { type: 'presetChosen', id: 'contest' },
  { type: 'targetChanged', id: 1, change: { url: 'http://a.example/', cookie: { secret: 'session:c1', names: ['sid'], from: 'login' } } },
  { type: 'headerAdded', id: 1 },
  { type: 'answerChanged', question: 'participants', answer: '7x' },
  { type: 'loadEdited', load: withOneMore(rowsOf(FULL_LOADS[3])) },
  { type: 'criteriaEdited', criteria: [fromCriterion({ kind: 'errors', maxShare: 0.01 }, 1)] },
  { type: 'chosen', change: { verify: false } },
  { type: 'chosen', change: { authority: 'PEM' } },
  { type: 'usernameChanged', username: 'user1' },
  { type: 'agreementChanged', keys: ['host:a.example'], given: true },
  { type: 'chosen', change: { places: { web1: 'generator', here: null }, onLost: 'stop', countsCache: true } },
  { type: 'pageOpened', page: 'check' },
]);

describe('a draft', () => {
  it('restores all entries', () => {
    expect(readDraft(writeDraft(full))).toEqual(full);
  });

  it('restores an earlier plan', () => {
    const takenState = after([{ type: 'planTaken', plan: samplePlan() }]);
    expect(readDraft(writeDraft(takenState))).toEqual(takenState);
  });

  it('restores user settings of a plan that have no field', () => {
    const users = { ...rowsOf({ model: 'users', stages: [{ users: 7, seconds: 5, startUpSeconds: 2, startUpCounts: true }] }) };
    expect(users.stages[0]?.kept).toEqual({ startUpCounts: true });
    const editedState = after([
      { type: 'presetChosen', id: 'contest' },
      { type: 'loadEdited', load: users },
    ]);
    expect(readDraft(writeDraft(editedState))).toEqual(editedState);
  });

  it('omits responses from the backend, which may be outdated', () => {
    const [target] = full.targets;
    if (!target) throw new Error('no target');
    const about = probeKey(target, readTls(full));
    const probed = after(
      [
        { type: 'probeChanged', id: 1, probe: { status: 'asking', about } },
        { type: 'probeChanged', id: 1, probe: { status: 'responded', about, result: sampleProbe() } },
      ],
      full,
    );
    expect(probed.probes[1]?.status).toBe('responded');
    expect(readDraft(writeDraft(probed)).probes).toEqual({});
  });

  it('contains no cookies or headers from an opened plan, only references', () => {
    const plan = samplePlan({ targets: [{ url: 'http://a.example/', cookie: 'sid=planted-secret' }] });
    expect(writeDraft(after([{ type: 'planTaken', plan }]))).not.toContain('planted-secret');
  });

  it('contains no plain-text secrets from a plan, an address or a header', () => {
    const plan = samplePlan({ journey: [{ name: 'log in', method: 'POST', json: { password: 'planted-secret' } }] });
    expect(writeDraft(after([{ type: 'planTaken', plan }]))).not.toContain('planted-secret');
    const [target] = full.targets;
    if (!target) throw new Error('no target');
    const header = { id: 90, name: 'X-Auth-Token', value: { kind: 'clear' as const, text: 'planted-secret' } };
    const targets = [{ ...target, url: 'http://a.example/?page=2&token=planted-secret', headers: [header] }];
    const kept = readDraft(writeDraft({ ...full, targets })).targets[0];
    expect(kept?.url).toBe('http://a.example/?page=2&token=');
    expect(kept?.headers).toEqual([{ ...header, value: { kind: 'toKeep' } }]);
  });

  it('can be read if it has no choices', () => {
    const older = writeDraft(EMPTY_STATE).replace('"choices":{},', '');
    expect(older).not.toContain('choices');
    expect(readDraft(older)).toEqual(EMPTY_STATE);
  });

  it.each([null, '', 'x', '{}', '{"version":1}', writeDraft(full).replace('"reached":"check"', '"reached":"moon"')])(
    'is empty if the stored text is %j',
    (text) => {
      expect(readDraft(text)).toEqual(EMPTY_STATE);
    },
  );
});
