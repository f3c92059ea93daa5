import { describe, expect, it } from 'vitest';
import { probeAbout, wizardReducer, type WizardAction } from './reducer.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';
import { after, samplePlan, sampleProbe } from './testing/samples.ts';
import { EMPTY_STATE, entriesOf, tlsOf, type WizardState } from './types.ts';

const problem = { code: 'REFUSED', message: 'No answer.', hint: 'Start the server.' };
const address = (url: string, id = 1): WizardAction => ({ type: 'targetChanged', id, change: { url } });
const atCheck = after([
  { type: 'presetChosen', id: 'contest' },
  address('http://a.example/'),
  { type: 'answerChanged', question: 'participants', answer: 750 },
  { type: 'pageOpened', page: 'check' },
]);
const aboutOf = (state: WizardState): string => {
  const [target] = state.targets;
  if (!target) throw new Error('no target');
  return probeAbout(target, tlsOf(state));
};

describe('pages', () => {
  it.each<[string, WizardAction, string]>([
    ['another question', { type: 'presetChosen', id: 'other' }, 'question'],
    ['another address', address('http://b.example/'), 'target'],
    ['one more address', { type: 'targetAdded' }, 'target'],
    ['another judgement of certificates', { type: 'verifyingChanged', verifies: false }, 'target'],
    ['another answer', { type: 'answerChanged', question: 'participants', answer: 900 }, 'load'],
    ['edited limits', { type: 'objectivesEdited', objectives: [] }, 'load'],
    ['another choice about a cache', { type: 'cacheCountingChanged', counts: true }, 'load'],
  ])('%s makes the later pages to be gone through again', (_what, action, reached) => {
    expect(wizardReducer(atCheck, action).reached).toBe(reached);
  });

  it.each<[string, WizardAction]>([
    ['the same question', { type: 'presetChosen', id: 'contest' }],
    ['another machine', { type: 'placeChanged', name: 'web1', role: 'generator' }],
    ['another answer to a loss', { type: 'lossChanged', onLost: 'stop' }],
    ['an agreement', { type: 'agreementChanged', keys: ['host:a.example'], given: true }],
    ['opening an earlier page', { type: 'pageOpened', page: 'question' }],
  ])('%s changes nothing of it', (_what, action) => {
    expect(wizardReducer(atCheck, action).reached).toBe('check');
  });

  it('keeps what was entered when an earlier page changes', () => {
    const changed = after(
      [{ type: 'presetChosen', id: 'other' }, address('http://b.example/'), { type: 'presetChosen', id: 'contest' }],
      atCheck,
    );
    expect(entriesOf(changed).answers).toEqual({ participants: 750 });
    expect(changed.targets[0]?.url).toBe('http://b.example/');
  });

  it('keeps what is no number as it was typed', () => {
    const typed = wizardReducer(atCheck, { type: 'answerChanged', question: 'participants', answer: '7x' });
    expect(entriesOf(typed).answers['participants']).toBe('7x');
  });
});

describe('places', () => {
  it('are those of an earlier run, and what a loss means is as its plan has it', () => {
    const again = after(
      [
        { type: 'lossChanged', onLost: 'continue' },
        { type: 'planTaken', plan: samplePlan({ onLostGenerator: 'stop', monitors: [{ kind: 'machine', host: 'db' }] }) },
        { type: 'placesTaken', generators: ['web1', 'web2'] },
      ],
      atCheck,
    );
    expect(again).toMatchObject({ places: { here: null, web1: 'generator', web2: 'generator' }, onLost: null, reached: 'load' });
  });
});

describe('certificates', () => {
  const laxPlan = samplePlan({ tls: { verify: false, serverName: 'shop.test' } });

  it('are judged as the earlier plan says, until something else is chosen', () => {
    const taken = after([
      { type: 'verifyingChanged', verifies: true },
      { type: 'planTaken', plan: laxPlan },
    ]);
    expect(tlsOf(taken)).toEqual({ verify: false, serverName: 'shop.test' });
    expect(tlsOf(wizardReducer(taken, { type: 'verifyingChanged', verifies: true }))).toEqual({ verify: true, serverName: 'shop.test' });
  });

  it('are verified for a preset, whatever the plan before it said', () => {
    const chosen = after([
      { type: 'planTaken', plan: laxPlan },
      { type: 'presetChosen', id: 'contest' },
    ]);
    expect(tlsOf(chosen)).toEqual({ verify: true });
  });

  it('may be signed by an authority of one’s own, until another plan is taken', () => {
    const own = after([{ type: 'authorityChanged', authority: 'PEM' }], atCheck);
    expect(tlsOf(own)).toEqual({ verify: true, ca: 'PEM' });
    expect([own.reached, own.probes]).toEqual(['target', {}]);
    expect(tlsOf(wizardReducer(own, { type: 'authorityChanged', authority: '' }))).toEqual({ verify: true });
    expect(tlsOf(wizardReducer(own, { type: 'planTaken', plan: laxPlan }))).toEqual({ verify: false, serverName: 'shop.test' });
  });

  it('stay as they were chosen on the way back and forth', () => {
    const actions: WizardAction[] = [
      { type: 'verifyingChanged', verifies: false },
      { type: 'presetChosen', id: 'other' },
      address('https://b.example/'),
      { type: 'pageOpened', page: 'load' },
    ];
    expect(tlsOf(after(actions, atCheck)).verify).toBe(false);
  });
});

describe('a test request', () => {
  const asked = after([{ type: 'probeAsked', id: 1 }], atCheck);

  it('takes the answer it waits for', () => {
    const answered = wizardReducer(asked, { type: 'probeAnswered', id: 1, about: aboutOf(asked), result: sampleProbe() });
    expect(answered.probes[1]).toMatchObject({ status: 'answered', result: { status: 200 } });
  });

  it('does not take the answer to an earlier address', () => {
    const moved = after([address('http://b.example/'), { type: 'probeAsked', id: 1 }], asked);
    const late = wizardReducer(moved, { type: 'probeAnswered', id: 1, about: aboutOf(asked), result: sampleProbe() });
    expect(late.probes[1]).toEqual({ status: 'asking', about: aboutOf(moved) });
  });

  it('is forgotten when certificates are judged differently, and so is its late answer', () => {
    const changed = after(
      [
        { type: 'verifyingChanged', verifies: false },
        { type: 'probeAsked', id: 1 },
      ],
      asked,
    );
    const late = wizardReducer(changed, { type: 'probeAnswered', id: 1, about: aboutOf(asked), result: sampleProbe() });
    expect(late.probes[1]).toEqual({ status: 'asking', about: aboutOf(changed) });
  });

  it('never overwrites a settled outcome with a late one', () => {
    const about = aboutOf(asked);
    const settled = wizardReducer(asked, { type: 'probeAnswered', id: 1, about, result: sampleProbe() });
    expect(wizardReducer(settled, { type: 'probeFailed', id: 1, about, problem })).toBe(settled);
  });

  it('is forgotten when the address, a header or the cookie changes, and kept when nothing does', () => {
    const settled = wizardReducer(asked, { type: 'probeAnswered', id: 1, about: aboutOf(asked), result: sampleProbe() });
    expect(wizardReducer(settled, address('http://b.example/')).probes[1]).toBeUndefined();
    expect(
      wizardReducer(settled, { type: 'targetChanged', id: 1, change: { cookie: { secret: 'session:1', names: [], from: 'typed' } } })
        .probes[1],
    ).toBeUndefined();
    expect(wizardReducer(settled, address('http://a.example/')).probes[1]).toEqual(settled.probes[1]);
  });

  it('of a target that was removed is dropped', () => {
    const removed = after([{ type: 'targetAdded' }, { type: 'targetRemoved', id: 1 }], asked);
    expect(wizardReducer(removed, { type: 'probeAsked', id: 1 }).probes[1]?.status).not.toBe('answered');
    expect(removed.targets.map(({ id }) => id)).toEqual([2]);
  });
});

describe('a login', () => {
  const cookie = { secret: 'session:c1', names: ['contest_login', '_xsrf'], from: 'login' } as const;
  const answered: WizardAction = {
    type: 'loginAnswered',
    about: 'x',
    cookies: [{ id: 1, url: 'http://a.example/', cookie }],
    result: { cookieNames: [...cookie.names], explanation: 'ok' },
  };

  it('gives the target its cookie', () => {
    expect(after([{ type: 'loginAsked', about: 'x' }, answered], atCheck).targets[0]?.cookie).toEqual(cookie);
  });

  it('gives no cookie to a target whose address has changed since', () => {
    const moved = after([{ type: 'loginAsked', about: 'x' }, address('http://b.example/'), answered], atCheck);
    expect(moved.targets[0]?.cookie).toBeNull();
  });

  it('is not taken when it is not waited for', () => {
    expect(wizardReducer(atCheck, answered)).toBe(atCheck);
    expect(after([{ type: 'loginAsked', about: 'y' }, answered], atCheck).targets[0]?.cookie).toBeNull();
  });
});

describe('an earlier plan', () => {
  const plan = samplePlan({
    targets: [
      { url: 'http://a.example/', headers: { 'X-Key': { secret: 'env:KEY' }, Accept: 'text/html' }, cookie: { secret: 'session:old' } },
    ],
  });
  const taken = after([{ type: 'planTaken', plan }]);

  it('brings its targets and opens the page Load', () => {
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

  it('starts without hand edits', () => {
    const edited = after(
      [
        { type: 'loadEdited', load: rowsOf(FULL_LOADS[1]) },
        { type: 'planTaken', plan },
      ],
      taken,
    );
    expect(entriesOf(edited).load).toBeNull();
  });
});

describe('headers', () => {
  it('take a kept secret only while they wait for it', () => {
    const added = after([{ type: 'headerAdded', id: 1 }], atCheck);
    const headerId = added.targets[0]?.headers[0]?.id ?? 0;
    const kept: WizardAction = { type: 'headerKept', id: 1, headerId, secret: 'session:h' };
    expect(wizardReducer(added, kept).targets[0]?.headers[0]?.value).toEqual({ kind: 'clear', text: '' });
    const waiting = wizardReducer(added, { type: 'headerChanged', id: 1, headerId, change: { name: 'X-Key', value: { kind: 'toKeep' } } });
    expect(wizardReducer(waiting, kept).targets[0]?.headers[0]?.value).toEqual({ kind: 'kept', secret: 'session:h' });
  });
});

it('gives a stage that is added an id of its own', () => {
  const added = after(
    [
      { type: 'presetChosen', id: 'a' },
      { type: 'stageAdded', load: { ...rowsOf(FULL_LOADS[1]), stages: [] } },
    ],
    atCheck,
  );
  const again = wizardReducer(added, { type: 'stageAdded', load: entriesOf(added).load ?? rowsOf(FULL_LOADS[1]) });
  const ids = entriesOf(again).load?.stages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

it('gives every row an id of its own', () => {
  const state = after([{ type: 'targetAdded' }, { type: 'headerAdded', id: 1 }, { type: 'headerAdded', id: 2 }, { type: 'targetAdded' }]);
  const ids = state.targets.flatMap(({ id, headers }) => [id, ...headers.map((header) => header.id)]);
  expect(new Set(ids).size).toBe(ids.length);
});

it('starts over from nothing', () => {
  expect(wizardReducer(atCheck, { type: 'startedOver' })).toEqual(EMPTY_STATE);
});

describe('a practice server', () => {
  const urls = ['http://127.0.0.1:1/', 'http://127.0.0.1:2/'];
  const filled: WizardAction = {
    type: 'targetsFilled',
    targets: urls.map((url) => ({ url, headers: {} })),
    username: 'anna',
    answers: { scale: 5, password: 'file:/tmp/password' },
  };
  const practising = after([filled], atCheck);

  it('fills in the answers that it calls for and leaves the others', () => {
    expect(entriesOf(practising).answers).toEqual({ participants: 750, scale: 5, password: 'file:/tmp/password' });
    expect(practising.reached).toBe('target');
  });

  it('leaves nothing of itself behind when another server is aimed at, but what was changed by hand', () => {
    const [first = NaN, second = NaN] = practising.targets.map(({ id }) => id);
    const changed = after([{ type: 'answerChanged', question: 'scale', answer: 2 }, address('http://real.example/', first)], practising);
    expect(entriesOf(changed).answers['password']).toBe('file:/tmp/password');
    const aimedElsewhere = after([{ type: 'targetRemoved', id: second }], changed);
    expect(entriesOf(aimedElsewhere).answers).toEqual({ participants: 750, scale: 2 });
    expect(aimedElsewhere.practice).toBeNull();
  });

  it('has answered the question that was chosen, also after another was looked at', () => {
    const back = after([{ type: 'presetChosen', id: 'other' }, address('http://real.example/', practising.targets[0]?.id)], practising);
    const gone = after(
      [
        { type: 'targetRemoved', id: practising.targets[1]?.id ?? NaN },
        { type: 'presetChosen', id: 'contest' },
      ],
      back,
    );
    expect(entriesOf(gone).answers).toEqual({ participants: 750 });
  });
});
