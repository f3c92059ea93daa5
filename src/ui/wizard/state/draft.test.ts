import { describe, expect, it } from 'vitest';
import { readDraft, writeDraft } from './draft.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';
import { after, samplePlan, sampleProbe } from './testing/samples.ts';
import { EMPTY_STATE, tlsOf } from './types.ts';
import { probeAbout } from './reducer.ts';

const full = after([
  { type: 'presetChosen', id: 'contest' },
  { type: 'targetChanged', id: 1, change: { url: 'http://a.example/', cookie: { secret: 'session:c1', names: ['sid'], from: 'login' } } },
  { type: 'headerAdded', id: 1 },
  { type: 'answerChanged', question: 'participants', answer: '7x' },
  { type: 'stageAdded', load: rowsOf(FULL_LOADS[3]) },
  { type: 'criterionAdded', criteria: [], criterion: { kind: 'errors', maxShare: 0.01 } },
  { type: 'verifyingChanged', verifies: false },
  { type: 'authorityChanged', authority: 'PEM' },
  { type: 'usernameChanged', username: 'user1' },
  { type: 'agreementChanged', keys: ['host:a.example'], given: true },
  { type: 'placeChanged', name: 'web1', role: 'generator' },
  { type: 'placeChanged', name: 'here', role: null },
  { type: 'lossChanged', onLost: 'stop' },
  { type: 'cacheCountingChanged', counts: true },
  { type: 'pageOpened', page: 'check' },
]);

describe('draft', () => {
  it('restores all entries', () => {
    expect(readDraft(writeDraft(full))).toEqual(full);
  });

  it('restores an earlier plan', () => {
    const taken = after([{ type: 'planTaken', plan: samplePlan() }]);
    expect(readDraft(writeDraft(taken))).toEqual(taken);
  });

  it('restores user settings of a plan that have no field', () => {
    const users = { ...rowsOf({ model: 'users', stages: [{ users: 7, seconds: 5, startUpSeconds: 2, startUpCounts: true }] }) };
    expect(users.stages[0]?.kept).toEqual({ startUpCounts: true });
    const edited = after([
      { type: 'presetChosen', id: 'contest' },
      { type: 'loadEdited', load: users },
    ]);
    expect(readDraft(writeDraft(edited))).toEqual(edited);
  });

  it('omits responses of the backend, which may be outdated', () => {
    const [target] = full.targets;
    if (!target) throw new Error('no target');
    const probed = after(
      [
        { type: 'probeAsked', id: 1 },
        { type: 'probeAnswered', id: 1, about: probeAbout(target, tlsOf(full)), result: sampleProbe() },
      ],
      full,
    );
    expect(probed.probes[1]?.status).toBe('answered');
    expect(readDraft(writeDraft(probed)).probes).toEqual({});
  });

  it('contains no cookies or headers of an opened plan, only references', () => {
    const plan = samplePlan({ targets: [{ url: 'http://a.example/', cookie: 'sid=planted-secret' }] });
    expect(writeDraft(after([{ type: 'planTaken', plan }]))).not.toContain('planted-secret');
  });

  it('contains no plain-text secrets of a plan, address or header', () => {
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

  it('reads a draft of an older version without a choice of machines', () => {
    const older = writeDraft(EMPTY_STATE).replace('"places":{},"onLost":null,', '');
    expect(older).not.toContain('places');
    expect(readDraft(older)).toEqual(EMPTY_STATE);
  });

  it('reads a draft of an older version without the cache setting', () => {
    const older = writeDraft(EMPTY_STATE).replace('"countsCache":null,', '');
    expect(older).not.toContain('Cache');
    expect(readDraft(older)).toEqual(EMPTY_STATE);
  });

  it('reads a draft of an older version without certificate settings', () => {
    const older = writeDraft(EMPTY_STATE).replace('"verifiesCertificates":null,"authority":null,', '');
    expect(older).not.toContain('ertificates');
    expect(readDraft(older)).toEqual(EMPTY_STATE);
  });

  it.each([null, '', 'x', '{}', '{"version":1}', writeDraft(full).replace('"reached":"check"', '"reached":"moon"')])(
    'reads %j as nothing',
    (text) => {
      expect(readDraft(text)).toEqual(EMPTY_STATE);
    },
  );
});
