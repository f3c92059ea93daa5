import { describe, expect, it } from 'vitest';
import { probeKey, wizardReducer, type WizardAction } from './reducer.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';
import { after, samplePlan, sampleProbe } from './testing/samples.ts';
import { EMPTY_STATE, listEntries, readTls, type WizardState } from './types.ts';

const problem = { code: 'REFUSED', message: 'No answer.', hint: 'Start the server.' };
const address = (url: string, id = 1): WizardAction => ({ type: 'targetChanged', id, change: { url } });
const AT_CHECK = after([
  { type: 'presetChosen', id: 'contest' },
  address('http://a.example/'),
  { type: 'answerChanged', question: 'participants', answer: 750 },
  { type: 'pageOpened', page: 'check' },
]);
const startProbe = (state: WizardState): WizardAction => ({
  type: 'probeChanged',
  id: 1,
  probe: { status: 'asking', about: describeTarget(state) },
});
const answer = (about: string): WizardAction => ({
  type: 'probeChanged',
  id: 1,
  probe: { status: 'responded', about, result: sampleProbe() },
});
const describeTarget = (state: WizardState): string => {
  const [target] = state.targets;
  if (!target) throw new Error('no target');
  return probeKey(target, readTls(state));
};

describe('pages', () => {
  it.each<[string, WizardAction, string]>([
    ['another question', { type: 'presetChosen', id: 'other' }, 'question'],
    ['another address', address('http://b.example/'), 'target'],
    ['one more address', { type: 'targetAdded' }, 'target'],
    ['another judgement of certificates', { type: 'chosen', change: { verify: false } }, 'target'],
    ['another answer', { type: 'answerChanged', question: 'participants', answer: 900 }, 'load'],
    ['edited limits', { type: 'criteriaEdited', criteria: [] }, 'load'],
    ['another choice about a cache', { type: 'chosen', change: { countsCache: true } }, 'load'],
  ])('%s requires the later pages to be visited again', (_what, action, reached) => {
    expect(wizardReducer(AT_CHECK, action).reached).toBe(reached);
  });

  it.each<[string, WizardAction]>([
    ['the same question', { type: 'presetChosen', id: 'contest' }],
    ['another machine', { type: 'chosen', change: { places: { web1: 'generator' } } }],
    ['another answer to a loss', { type: 'chosen', change: { onLost: 'stop' } }],
    ['an agreement', { type: 'agreementChanged', keys: ['host:a.example'], given: true }],
    ['opening an earlier page', { type: 'pageOpened', page: 'question' }],
  ])('%s keeps the later pages visited', (_what, action) => {
    expect(wizardReducer(AT_CHECK, action).reached).toBe('check');
  });

  it('keep their entries when an earlier page changes', () => {
    const changed = after(
      [{ type: 'presetChosen', id: 'other' }, address('http://b.example/'), { type: 'presetChosen', id: 'contest' }],
      AT_CHECK,
    );
    expect(listEntries(changed).answers).toEqual({ participants: 750 });
    expect(changed.targets[0]?.url).toBe('http://b.example/');
  });

  it('keep text that is not a number', () => {
    const typed = wizardReducer(AT_CHECK, { type: 'answerChanged', question: 'participants', answer: '7x' });
    expect(listEntries(typed).answers['participants']).toBe('7x');
  });
});

describe('places', () => {
  it('are restored from an earlier run; the loss setting is that of its plan', () => {
    const again = after(
      [
        { type: 'chosen', change: { onLost: 'continue' } },
        { type: 'planTaken', plan: samplePlan({ onLostGenerator: 'stop', monitors: [{ kind: 'machine', host: 'db' }] }) },
        { type: 'placesTaken', generators: ['web1', 'web2'] },
      ],
      AT_CHECK,
    );
    expect(again).toMatchObject({ choices: { places: { here: null, web1: 'generator', web2: 'generator' } }, reached: 'load' });
    expect(again.choices.onLost).toBeUndefined();
  });
});

describe('certificates', () => {
  const laxPlan = samplePlan({ tls: { verify: false, serverName: 'shop.test' } });

  it('are verified as in the earlier plan by default', () => {
    const taken = after([
      { type: 'chosen', change: { verify: true } },
      { type: 'planTaken', plan: laxPlan },
    ]);
    expect(readTls(taken)).toEqual({ verify: false, serverName: 'shop.test' });
    expect(readTls(wizardReducer(taken, { type: 'chosen', change: { verify: true } }))).toEqual({ verify: true, serverName: 'shop.test' });
  });

  it('are verified for a preset, regardless of the previous plan', () => {
    const chosen = after([
      { type: 'planTaken', plan: laxPlan },
      { type: 'presetChosen', id: 'contest' },
    ]);
    expect(readTls(chosen)).toEqual({ verify: true });
  });

  it('may be signed by a private authority until another plan is opened', () => {
    const own = after([{ type: 'chosen', change: { authority: 'PEM' } }], AT_CHECK);
    expect(readTls(own)).toEqual({ verify: true, ca: 'PEM' });
    expect([own.reached, own.probes]).toEqual(['target', {}]);
    expect(readTls(wizardReducer(own, { type: 'chosen', change: { authority: '' } }))).toEqual({ verify: true });
    expect(readTls(wizardReducer(own, { type: 'planTaken', plan: laxPlan }))).toEqual({ verify: false, serverName: 'shop.test' });
  });

  it('keep their setting when pages change', () => {
    const actions: WizardAction[] = [
      { type: 'chosen', change: { verify: false } },
      { type: 'presetChosen', id: 'other' },
      address('https://b.example/'),
      { type: 'pageOpened', page: 'load' },
    ];
    expect(readTls(after(actions, AT_CHECK)).verify).toBe(false);
  });
});

describe('a test request', () => {
  const asked = after([startProbe(AT_CHECK)], AT_CHECK);

  it('accepts the expected response', () => {
    const answered = wizardReducer(asked, answer(describeTarget(asked)));
    expect(answered.probes[1]).toMatchObject({ status: 'responded', result: { status: 200 } });
  });

  it('ignores the response of an earlier address', () => {
    const elsewhere = wizardReducer(asked, address('http://b.example/'));
    const moved = wizardReducer(elsewhere, startProbe(elsewhere));
    const late = wizardReducer(moved, answer(describeTarget(asked)));
    expect(late.probes[1]).toEqual({ status: 'asking', about: describeTarget(moved) });
  });

  it('is discarded with its late response when the certificate setting changes', () => {
    const lax = wizardReducer(asked, { type: 'chosen', change: { verify: false } });
    const changed = wizardReducer(lax, startProbe(lax));
    const late = wizardReducer(changed, answer(describeTarget(asked)));
    expect(late.probes[1]).toEqual({ status: 'asking', about: describeTarget(changed) });
  });

  it('ignores a late result after a settled one', () => {
    const about = describeTarget(asked);
    const settled = wizardReducer(asked, answer(about));
    expect(wizardReducer(settled, { type: 'probeChanged', id: 1, probe: { status: 'failed', about, problem } })).toBe(settled);
  });

  it('is discarded when the address, a header or the cookie changes, and kept without a change', () => {
    const settled = wizardReducer(asked, answer(describeTarget(asked)));
    expect(wizardReducer(settled, address('http://b.example/')).probes[1]).toBeUndefined();
    expect(
      wizardReducer(settled, { type: 'targetChanged', id: 1, change: { cookie: { secret: 'session:1', names: [], from: 'typed' } } })
        .probes[1],
    ).toBeUndefined();
    expect(wizardReducer(settled, address('http://a.example/')).probes[1]).toEqual(settled.probes[1]);
  });

  it('is discarded with its target', () => {
    const removed = after([{ type: 'targetAdded' }, { type: 'targetRemoved', id: 1 }], asked);
    expect(wizardReducer(removed, startProbe(asked)).probes).toEqual({});
    expect(removed.targets.map(({ id }) => id)).toEqual([2]);
  });
});

describe('a login', () => {
  const cookie = { secret: 'session:c1', names: ['contest_login', '_xsrf'], from: 'login' } as const;
  const answered: WizardAction = {
    type: 'loginChanged',
    login: { status: 'responded', about: 'x', result: { cookieNames: [...cookie.names], explanation: 'ok' } },
    cookies: [{ id: 1, url: 'http://a.example/', cookie }],
  };
  const startLogin = (about: string): WizardAction => ({ type: 'loginChanged', login: { status: 'asking', about } });

  it('sets the cookie of the target', () => {
    expect(after([startLogin('x'), answered], AT_CHECK).targets[0]?.cookie).toEqual(cookie);
  });

  it('sets no cookie if the address has changed', () => {
    const moved = after([startLogin('x'), address('http://b.example/'), answered], AT_CHECK);
    expect(moved.targets[0]?.cookie).toBeNull();
  });

  it('is ignored if it is not expected', () => {
    expect(wizardReducer(AT_CHECK, answered)).toBe(AT_CHECK);
    expect(after([startLogin('y'), answered], AT_CHECK).targets[0]?.cookie).toBeNull();
  });
});

describe('an earlier plan', () => {
  const plan = samplePlan({
    targets: [
      { url: 'http://a.example/', headers: { 'X-Key': { secret: 'env:KEY' }, Accept: 'text/html' }, cookie: { secret: 'session:old' } },
    ],
  });
  const taken = after([{ type: 'planTaken', plan }]);

  it('sets the targets and opens the page Load', () => {
    expect(taken.reached).toBe('load');
    expect(taken.targets[0]).toMatchObject({
      url: 'http://a.example/',
      cookie: { secret: 'session:old', from: 'plan' },
      headers: [
        { name: 'X-Key', value: { kind: 'kept', secret: 'env:KEY' } },
        { name: 'Accept', value: { kind: 'clear', text: 'text/html' } },
      ],
    });
  });

  it('discards edits by hand', () => {
    const edited = after(
      [
        { type: 'loadEdited', load: rowsOf(FULL_LOADS[1]) },
        { type: 'planTaken', plan },
      ],
      taken,
    );
    expect(listEntries(edited).load).toBeNull();
  });
});

describe('headers', () => {
  it('accept a stored secret only while they wait for it', () => {
    const added = after([{ type: 'headerAdded', id: 1 }], AT_CHECK);
    const headerId = added.targets[0]?.headers[0]?.id ?? 0;
    const kept: WizardAction = { type: 'headerKept', id: 1, headerId, secret: 'session:h' };
    expect(wizardReducer(added, kept).targets[0]?.headers[0]?.value).toEqual({ kind: 'clear', text: '' });
    const waiting = wizardReducer(added, { type: 'headerChanged', id: 1, headerId, change: { name: 'X-Key', value: { kind: 'toKeep' } } });
    expect(wizardReducer(waiting, kept).targets[0]?.headers[0]?.value).toEqual({ kind: 'kept', secret: 'session:h' });
  });
});

it('wizardReducer: gives targets and the headers of a target unique ids', () => {
  const state = after([
    { type: 'targetAdded' },
    { type: 'headerAdded', id: 1 },
    { type: 'headerAdded', id: 1 },
    { type: 'headerAdded', id: 2 },
    { type: 'targetAdded' },
  ]);
  for (const rows of [state.targets, ...state.targets.map(({ headers }) => headers)])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

it('wizardReducer: returns the empty state after starting over', () => {
  expect(wizardReducer(AT_CHECK, { type: 'startedOver' })).toEqual(EMPTY_STATE);
});

describe('a practice server', () => {
  const urls = ['http://127.0.0.1:1/', 'http://127.0.0.1:2/'];
  const filled: WizardAction = {
    type: 'targetsFilled',
    targets: urls.map((url) => ({ url, headers: {} })),
    username: 'anna',
    answers: { scale: 5, password: 'file:/tmp/password' },
  };
  const practising = after([filled], AT_CHECK);

  it('fills in the values that it needs and keeps the others', () => {
    expect(listEntries(practising).answers).toEqual({ participants: 750, scale: 5, password: 'file:/tmp/password' });
    expect(practising.reached).toBe('target');
  });

  it('removes its values when another server is entered, except edited ones', () => {
    const [first = NaN, second = NaN] = practising.targets.map(({ id }) => id);
    const changed = after([{ type: 'answerChanged', question: 'scale', answer: 2 }, address('http://real.example/', first)], practising);
    expect(listEntries(changed).answers['password']).toBe('file:/tmp/password');
    const aimedElsewhere = after([{ type: 'targetRemoved', id: second }], changed);
    expect(listEntries(aimedElsewhere).answers).toEqual({ participants: 750, scale: 2 });
    expect(aimedElsewhere.practice).toBeNull();
  });

  it('keeps its values for the chosen question after another question was opened', () => {
    const back = after([{ type: 'presetChosen', id: 'other' }, address('http://real.example/', practising.targets[0]?.id)], practising);
    const gone = after(
      [
        { type: 'targetRemoved', id: practising.targets[1]?.id ?? NaN },
        { type: 'presetChosen', id: 'contest' },
      ],
      back,
    );
    expect(listEntries(gone).answers).toEqual({ participants: 750 });
  });
});
