import { words } from '#ui/words/words.ts';
import { describe, expect, it } from 'vitest';
import { checkReadiness, loadReadiness, questionReadiness, READY, targetReadiness, whereReadiness, type CheckFacts } from './readiness.ts';
import { after } from './testing/samples.ts';
import { EMPTY_STATE } from './types.ts';

const stateWithUrls = (...urls: string[]) =>
  after(
    urls.flatMap((url, index) => [
      ...(index === 0 ? [] : [{ type: 'targetAdded' as const }]),
      { type: 'targetChanged' as const, id: index + 1, change: { url } },
    ]),
  );
const READY_FACTS: CheckFacts = {
  isWorking: false,
  hasPlan: true,
  issues: [],
  failed: false,
  missing: [],
  where: READY,
  isStarting: false,
  watchedPages: 0,
};
const error = { level: 'error', code: 'X', path: '', message: '', hint: '' } as const;

it('questionReadiness requires a question or an input', () => {
  const nothing = { isEmpty: true, isTaking: false, isPreset: false, pasted: { tooLarge: false } };
  expect(questionReadiness(EMPTY_STATE, nothing).status).toBe('notYet');
  expect(questionReadiness(after([{ type: 'presetChosen', id: 'a' }]), nothing).status).toBe('ready');
  expect(questionReadiness(EMPTY_STATE, { ...nothing, isEmpty: false }).status).toBe('ready');
  expect(questionReadiness(EMPTY_STATE, { ...nothing, isEmpty: false, isTaking: true }).status).toBe('pending');
  expect(questionReadiness(EMPTY_STATE, { ...nothing, isEmpty: false, isPreset: true }).status).toBe('notYet');
  expect(questionReadiness(EMPTY_STATE, { ...nothing, pasted: { tooLarge: true } }).status).toBe('notYet');
});

describe('targetReadiness', () => {
  it.each([[['']], [['ftp://x']], [['http://a.example/', '']], [['http://a.example/', 'a.example/']]])('is not ready with %j', (urls) => {
    expect(targetReadiness(stateWithUrls(...urls)).status).toBe('notYet');
  });
  it.each([[['a.example']], [['http://a.example/', 'http://b.example/']]])('is ready with %j', (urls) => {
    expect(targetReadiness(stateWithUrls(...urls)).status).toBe('ready');
  });
});

describe('loadReadiness', () => {
  it.each([
    [{ ...READY_FACTS, failed: true }, 'notYet'],
    [{ ...READY_FACTS, issues: [error] }, 'notYet'],
    [{ ...READY_FACTS, issues: [{ ...error, level: 'warning' as const }] }, 'ready'],
    [{ ...READY_FACTS, isWorking: true, hasPlan: false }, 'pending'],
    [{ ...READY_FACTS, hasPlan: false }, 'notYet'],
    [READY_FACTS, 'ready'],
  ])('returns for %j: %s', (facts, status) => {
    expect(loadReadiness(facts).status).toBe(status);
  });
});

describe('whereReadiness', () => {
  const here = { name: 'here', role: 'generator' } as const;
  const web1 = { name: 'web1', role: 'generator' } as const;
  const makeHosts = (count: number, role: 'generator' | 'hop') =>
    Array.from({ length: count }, (_, index) => ({ name: `host${index}`, role }));

  it.each([
    ['this computer alone, whatever the list of hosts', [here], null, 'ready'],
    ['a host in the list', [here, web1], ['web1'], 'ready'],
    ['a host while the list is still unknown', [here, web1], null, 'pending'],
    ['a host that is no longer in the list', [here, web1], ['web2'], 'notYet'],
    ['no machine that sends load', [{ ...here, role: 'target' as const }], [], 'notYet'],
    ['more generators than can share a load', makeHosts(17, 'generator'), makeHosts(17, 'generator').map(({ name }) => name), 'notYet'],
    ['more machines than can be monitored', [here, ...makeHosts(21, 'hop')], makeHosts(21, 'hop').map(({ name }) => name), 'notYet'],
  ])('returns the status for %s', (_what, roles, hosts, status) => {
    expect(whereReadiness({ roles, hosts }).status).toBe(status);
  });
});

describe('checkReadiness', () => {
  it('is not ready without valid machines', () => {
    const where = whereReadiness({ roles: [], hosts: [] });
    expect(checkReadiness({ ...READY_FACTS, where })).toEqual(where);
    expect(checkReadiness({ ...READY_FACTS, hasPlan: false, issues: [error], where })).toEqual(where);
  });

  it('requires consent for every public host by name, and for all other permissions', () => {
    const host = { kind: 'host' as const, name: 'b.example', reach: 'public' as const, uses: [] };
    const askedReadiness = checkReadiness({ ...READY_FACTS, missing: [host] });
    expect(askedReadiness).toEqual({ status: 'notYet', because: expect.stringContaining('b.example') as string });
    const file = { kind: 'file' as const, name: '/x', reach: null, uses: [] };
    expect(checkReadiness({ ...READY_FACTS, missing: [host, file] })).toEqual({ status: 'notYet', because: words.agreement.missing });
  });
  it('explains why the start takes long if pages are watched', () => {
    expect(checkReadiness({ ...READY_FACTS, isStarting: true })).toEqual({ status: 'pending', because: words.wizard.notYet.starting });
    expect(checkReadiness({ ...READY_FACTS, isStarting: true, watchedPages: 1 })).toEqual({
      status: 'pending',
      because: 'Opening the page in a browser, to see it without load …',
    });
  });
  it('is pending until the permissions are known', () => {
    expect(checkReadiness({ ...READY_FACTS, missing: null }).status).toBe('pending');
  });
});
