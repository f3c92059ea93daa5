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

describe('the pages of the wizard', () => {
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
    const changedState = after(
      [{ type: 'presetChosen', id: 'other' }, address('http://b.example/'), { type: 'presetChosen', id: 'contest' }],
      AT_CHECK,
    );
    expect(listEntries(changedState).answers).toEqual({ participants: 750 });
    expect(changedState.targets[0]?.url).toBe('http://b.example/');
  });

  it('keep text that is not a number', () => {
    const typedState = wizardReducer(AT_CHECK, { type: 'answerChanged', question: 'participants', answer: '7x' });
    expect(listEntries(typedState).answers['participants']).toBe('7x');
  });
});

describe('the roles of machines', () => {
  it('are restored from an earlier run, and what happens when a generator is lost from its plan', () => {
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
    const takenState = after([
      { type: 'chosen', change: { verify: true } },
      { type: 'planTaken', plan: laxPlan },
    ]);
    expect(readTls(takenState)).toEqual({ verify: false, serverName: 'shop.test' });
    expect(readTls(wizardReducer(takenState, { type: 'chosen', change: { verify: true } }))).toEqual({
      verify: true,
      serverName: 'shop.test',
    });
  });

  it('are verified for a preset, whatever the previous plan set', () => {
    const chosenState = after([
      { type: 'planTaken', plan: laxPlan },
      { type: 'presetChosen', id: 'contest' },
    ]);
    expect(readTls(chosenState)).toEqual({ verify: true });
  });

  it('may be signed by a private authority until another plan is opened', () => {
    const ownState = after([{ type: 'chosen', change: { authority: 'PEM' } }], AT_CHECK);
    expect(readTls(ownState)).toEqual({ verify: true, ca: 'PEM' });
    expect([ownState.reached, ownState.probes]).toEqual(['target', {}]);
    expect(readTls(wizardReducer(ownState, { type: 'chosen', change: { authority: '' } }))).toEqual({ verify: true });
    expect(readTls(wizardReducer(ownState, { type: 'planTaken', plan: laxPlan }))).toEqual({ verify: false, serverName: 'shop.test' });
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

describe('a single request to a target', () => {
  const askedState = after([startProbe(AT_CHECK)], AT_CHECK);

  it('accepts the expected response', () => {
    const answeredState = wizardReducer(askedState, answer(describeTarget(askedState)));
    expect(answeredState.probes[1]).toMatchObject({ status: 'responded', result: { status: 200 } });
  });

  it('ignores the response from a previous address', () => {
    const elsewhere = wizardReducer(askedState, address('http://b.example/'));
    const movedState = wizardReducer(elsewhere, startProbe(elsewhere));
    const late = wizardReducer(movedState, answer(describeTarget(askedState)));
    expect(late.probes[1]).toEqual({ status: 'asking', about: describeTarget(movedState) });
  });

  it('is discarded when the certificate setting changes, and a late response to it is ignored', () => {
    const lax = wizardReducer(askedState, { type: 'chosen', change: { verify: false } });
    const changedState = wizardReducer(lax, startProbe(lax));
    const late = wizardReducer(changedState, answer(describeTarget(askedState)));
    expect(late.probes[1]).toEqual({ status: 'asking', about: describeTarget(changedState) });
  });

  it('ignores a late result after the final one', () => {
    const about = describeTarget(askedState);
    const settledState = wizardReducer(askedState, answer(about));
    expect(wizardReducer(settledState, { type: 'probeChanged', id: 1, probe: { status: 'failed', about, problem } })).toBe(settledState);
  });

  it('is discarded when the address, a header or the cookie changes, and otherwise kept', () => {
    const settledState = wizardReducer(askedState, answer(describeTarget(askedState)));
    expect(wizardReducer(settledState, address('http://b.example/')).probes[1]).toBeUndefined();
    expect(
      wizardReducer(settledState, { type: 'targetChanged', id: 1, change: { cookie: { secret: 'session:1', names: [], from: 'typed' } } })
        .probes[1],
    ).toBeUndefined();
    expect(wizardReducer(settledState, address('http://a.example/')).probes[1]).toEqual(settledState.probes[1]);
  });

  it('is discarded together with its target', () => {
    const removedState = after([{ type: 'targetAdded' }, { type: 'targetRemoved', id: 1 }], askedState);
    expect(wizardReducer(removedState, startProbe(askedState)).probes).toEqual({});
    expect(removedState.targets.map(({ id }) => id)).toEqual([2]);
  });
});

describe('a login', () => {
  const cookie = { secret: 'session:c1', names: ['contest_login', '_xsrf'], from: 'login' } as const;
  const answeredAction: WizardAction = {
    type: 'loginChanged',
    login: { status: 'responded', about: 'x', result: { cookieNames: [...cookie.names], explanation: 'ok' } },
    cookies: [{ id: 1, url: 'http://a.example/', cookie }],
  };
  const startLogin = (about: string): WizardAction => ({ type: 'loginChanged', login: { status: 'asking', about } });

  it('sets the cookie of the target', () => {
    expect(after([startLogin('x'), answeredAction], AT_CHECK).targets[0]?.cookie).toEqual(cookie);
  });

  it('sets no cookie if the address has changed in the meantime', () => {
    const movedState = after([startLogin('x'), address('http://b.example/'), answeredAction], AT_CHECK);
    expect(movedState.targets[0]?.cookie).toBeNull();
  });

  it('is ignored if it is not expected', () => {
    expect(wizardReducer(AT_CHECK, answeredAction)).toBe(AT_CHECK);
    expect(after([startLogin('y'), answeredAction], AT_CHECK).targets[0]?.cookie).toBeNull();
  });
});

describe('an earlier plan', () => {
  const plan = samplePlan({
    targets: [
      { url: 'http://a.example/', headers: { 'X-Key': { secret: 'env:KEY' }, Accept: 'text/html' }, cookie: { secret: 'session:old' } },
    ],
  });
  const takenState = after([{ type: 'planTaken', plan }]);

  it('sets the targets and opens the page Load', () => {
    expect(takenState.reached).toBe('load');
    expect(takenState.targets[0]).toMatchObject({
      url: 'http://a.example/',
      cookie: { secret: 'session:old', from: 'plan' },
      headers: [
        { name: 'X-Key', value: { kind: 'kept', secret: 'env:KEY' } },
        { name: 'Accept', value: { kind: 'clear', text: 'text/html' } },
      ],
    });
  });

  it('discards manual edits', () => {
    const editedState = after(
      [
        { type: 'loadEdited', load: rowsOf(FULL_LOADS[1]) },
        { type: 'planTaken', plan },
      ],
      takenState,
    );
    expect(listEntries(editedState).load).toBeNull();
  });
});

describe('a header in the wizard', () => {
  it('accepts a stored secret only while it waits for a secret', () => {
    const addedState = after([{ type: 'headerAdded', id: 1 }], AT_CHECK);
    const headerId = addedState.targets[0]?.headers[0]?.id ?? 0;
    const keptAction: WizardAction = { type: 'headerKept', id: 1, headerId, secret: 'session:h' };
    expect(wizardReducer(addedState, keptAction).targets[0]?.headers[0]?.value).toEqual({ kind: 'clear', text: '' });
    const waitingState = wizardReducer(addedState, {
      type: 'headerChanged',
      id: 1,
      headerId,
      change: { name: 'X-Key', value: { kind: 'toKeep' } },
    });
    expect(wizardReducer(waitingState, keptAction).targets[0]?.headers[0]?.value).toEqual({ kind: 'kept', secret: 'session:h' });
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

  it('fills in the values that it needs, and keeps the others', () => {
    expect(listEntries(practising).answers).toEqual({ participants: 750, scale: 5, password: 'file:/tmp/password' });
    expect(practising.reached).toBe('target');
  });

  it('removes its values when another server is entered, except for those that the user has edited', () => {
    const [first = NaN, second = NaN] = practising.targets.map(({ id }) => id);
    const changedState = after(
      [{ type: 'answerChanged', question: 'scale', answer: 2 }, address('http://real.example/', first)],
      practising,
    );
    expect(listEntries(changedState).answers['password']).toBe('file:/tmp/password');
    const aimedElsewhere = after([{ type: 'targetRemoved', id: second }], changedState);
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
