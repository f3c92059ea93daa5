import { describe, expect, it } from 'vitest';
import { planOfRecording, type RecordingOptions } from '../har/importHar.ts';
import { makeHar } from '../testing/documents.ts';

const MARK = '{{holdfast-password-1}}';
const FORM = 'application/x-www-form-urlencoded';
const ACCOUNT = { number: 1, userField: 'user', userName: 'adalovelace' };

interface RecordedRequestInput {
  readonly url: string;
  readonly at: number;
  /** Additional members that a recorder writes into a request. */
  readonly extra?: object;
  readonly [field: string]: unknown;
}

/** Imports a recording with its actions as a plan. */
function recorded(actions: readonly object[], entries: readonly RecordedRequestInput[], options: RecordingOptions = {}) {
  const { log }: { log: { entries: object[] } } = JSON.parse(makeHar(...entries.map(({ extra: _extra, ...entry }) => entry)));
  const har = { log: { ...log, _actions: actions, entries: log.entries.map((entry, index) => ({ ...entry, ...entries[index]?.extra })) } };
  const { result, walk, accounts } = planOfRecording(har, options);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  return { ...result.imported, walk, accounts };
}

const login = {
  url: 'http://a.example/login',
  at: 3_000,
  method: 'POST',
  resource: 'document',
  body: { mimeType: FORM, text: `user=adalovelace&password=${MARK}&role=student` },
  headers: { 'Content-Type': FORM },
  text: '<title>Home</title>',
};
const profile = { url: 'http://a.example/people/adalovelace', at: 6_000, resource: 'document', text: '<title>Ada</title>' };

describe('a user name within a value', () => {
  const own = { url: 'http://a.example/wiki?id=notes:adalovelace', at: 8_000, resource: 'document', text: '' };

  it('becomes a placeholder for the account of the virtual user', () => {
    const { plan } = recorded([], [login, own], { accounts: [ACCOUNT], accountsFile: 'accounts.csv' });
    expect(plan.journey[1]?.path).toBe('/wiki?id=notes:{{account.username}}');
  });

  it('becomes a placeholder within several words, too', () => {
    const search = { url: 'http://a.example/?q=Notes+of%20adalovelace&from=q%3Dadalovelace', at: 8_000, resource: 'document', text: '' };
    const { plan } = recorded([], [login, search], { accounts: [ACCOUNT], accountsFile: 'accounts.csv' });
    expect(plan.journey[1]?.path).toBe('/?q=Notes%20of%20{{account.username}}&from=q%3D{{account.username}}');
  });

  it('stays literal if it occurs before the login', () => {
    const before = { url: 'http://a.example/adalovelace/', at: 0, resource: 'document', text: '' };
    const { plan } = recorded([], [before, login, own], { accounts: [ACCOUNT], accountsFile: 'accounts.csv' });
    expect(plan.journey.map(({ path }) => path)).toEqual(['/adalovelace/', '/login', '/wiki?id=notes:adalovelace']);
  });
});

describe('a text declared as unique', () => {
  const made = (options: RecordingOptions) =>
    recorded(
      [],
      [
        login,
        {
          ...login,
          url: 'http://a.example/pages/adalovelace:lesson%2012?title=Lesson+12',
          at: 5_000,
          body: { mimeType: FORM, text: 'title=Lesson+12&slug=lesson&text=adalovelace+writes+Lesson+12.' },
        },
        {
          ...login,
          url: 'http://a.example/api/pages',
          at: 6_000,
          body: {
            mimeType: 'application/json',
            text: '{"title":"Lesson 12","owner":"adalovelace","parts":["before Lesson 12 {{after}}"]}',
          },
          headers: { 'Content-Type': 'application/json' },
        },
      ],
      { accounts: [ACCOUNT], accountsFile: 'accounts.csv', ...options },
    );

  it('is drawn again in each journey, wherever it was sent', () => {
    const { plan, notes } = made({ unique: ['Lesson 12', 'lesson 12'] });
    expect(plan.variables).toEqual({ unique: { kind: 'uuid', per: 'journey' }, unique_2: { kind: 'uuid', per: 'journey' } });
    expect(plan.journey[1]).toMatchObject({
      path: '/pages/{{account.username}}:{{unique_2}}?title={{unique}}',
      form: { title: '{{unique}}', slug: 'lesson', text: '{{account.username}} writes {{unique}}.' },
    });
    expect(plan.journey[2]?.json).toEqual({ title: '{{unique}}', owner: '{{account.username}}', parts: ['before {{unique}} \\{{after}}'] });
    expect(notes.filter(({ what }) => what.includes('unique')).map(({ what }) => what)).toEqual([
      '“Lesson 12” has to be unique.',
      '“lesson 12” has to be unique.',
    ]);
  });

  it.each([
    ['with a capital and _', 'probe page', 'title=probe+page', 'Probe_page'],
    ['with _', 'Probe page', 'title=Probe%20page', 'Probe_page'],
    ['with a capital', 'probe', 'title=probe', 'Probe'],
  ])('gets a capitalized prefix if the server spells it %s', (_, unique, body, spelled) => {
    const { plan } = recorded(
      [],
      [
        { ...login, url: 'http://a.example/save', body: { mimeType: FORM, text: body } },
        { url: `http://a.example/wiki/${spelled}?title=Talk:${spelled}&from=Main_Page`, at: 5_000, resource: 'document', text: '' },
      ],
      { unique: [unique] },
    );
    expect(plan.journey[0]?.form).toEqual({ title: 'Probe-{{unique}}' });
    expect(plan.journey[1]?.path).toBe('/wiki/Probe-{{unique}}?title=Talk:Probe-{{unique}}&from=Main_Page');
  });

  it('is sent as recorded if nobody declares it, and has no variable if no request sends it', () => {
    expect(made({}).plan.journey[1]?.form).toMatchObject({ title: 'Lesson 12' });
    expect(made({ unique: ['Never entered'] }).plan.variables).toBeUndefined();
  });
});

describe('step names', () => {
  const home = { url: 'http://a.example/', at: 0, resource: 'document', text: '<title>Contest</title>' };
  it('describe the action of the person', () => {
    const { plan } = recorded(
      [
        { kind: 'open', text: '', role: 'page', title: 'Contest' },
        { kind: 'click', text: 'Enter', role: 'button', title: 'Home' },
        { kind: 'click', text: 'sum', role: 'link', title: 'Task sum' },
        { kind: 'submit', text: 'Search', role: 'form', title: 'Results' },
        { kind: 'click', text: 'sum', role: 'link', title: 'Task sum' },
        { kind: 'mark', text: 'hand in a solution', role: 'page', title: '' },
      ],
      [
        { ...home, extra: { _action: 0 } },
        { ...login, extra: { _action: 1 } },
        { url: 'http://a.example/api/session/news', at: 3_100, resource: 'fetch', text: '{}', extra: { _action: 1 } },
        { url: 'http://a.example/tasks/sum', at: 8_000, resource: 'document', text: '', extra: { _action: 2 } },
        { url: 'http://a.example/search?q=sum', at: 9_000, resource: 'document', text: '', extra: { _action: 3 } },
        { url: 'http://a.example/tasks/sum', at: 10_000, resource: 'document', text: '', extra: { _action: 4 } },
        { url: 'http://a.example/tasks/sum/submit', at: 11_000, method: 'POST', resource: 'fetch', text: '', extra: { _action: 5 } },
      ],
      { accounts: [ACCOUNT] },
    );
    expect(plan.journey.map(({ name }) => name)).toEqual([
      'Open Contest',
      'Log in',
      'Log in: session/news',
      'Open sum',
      'Submit the form Search',
      'Open sum (2)',
      'Hand in a solution',
    ]);
  });

  it('have at most 60 characters and are unique', () => {
    const long = 'A heading that goes on and on and never says what it is about at all';
    const { plan } = recorded(
      [{ kind: 'open', text: '', role: 'page', title: long }],
      Array.from({ length: 4 }, (_, index) => ({
        ...home,
        at: index,
        url: `http://a.example/some/words/${'x'.repeat(index)}`,
        extra: { _action: 0 },
      })),
    );
    const names = plan.journey.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names.every((name) => name.length <= 60)).toBe(true);
  });

  it('describe the request if the recording has no action', () => {
    expect(recorded([], [home]).plan.journey[0]?.name).toBe('GET /');
    expect(recorded([{ kind: 'dance', text: 'x' }], [{ ...home, extra: { _action: 0 } }]).plan.journey[0]?.name).toBe('GET /');
  });
});

describe('an account of a recording', () => {
  it('becomes a user name and a password that the plan does not contain', () => {
    const { plan, accounts } = recorded([], [login, profile], { accounts: [ACCOUNT] });
    expect(plan.journey[0]?.form).toEqual({ user: '{{username}}', password: '{{password}}', role: 'student' });
    expect(plan.journey[1]?.path).toBe('/people/{{username}}');
    expect(plan.variables).toEqual({
      username: { kind: 'item', of: ['adalovelace'], per: 'user' },
      password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' },
    });
    expect(accounts).toEqual([{ number: 1, user: 'username', password: 'password', asksPassword: true, basic: null }]);
    expect(JSON.stringify(plan)).not.toContain('holdfast-password');
  });

  it('becomes a row of a file, if there is one', () => {
    const { plan } = recorded([], [login, profile], { accounts: [ACCOUNT], accountsFile: 'people.csv' });
    expect(plan.journey[0]?.form).toMatchObject({ user: '{{account.username}}', password: '{{account.password}}' });
    expect(plan.feeds?.['account']).toMatchObject({ file: 'people.csv', order: 'sequential' });
    expect(plan.variables).toBeUndefined();
  });

  it('is sent with every request if it uses HTTP Basic, and the 401 challenge is not a step', () => {
    const entry = (at: number, headers: Record<string, string>) => ({
      url: 'http://a.example/',
      at,
      resource: 'document',
      text: 'x',
      headers,
    });
    const { plan, accounts } = recorded(
      [],
      [
        { ...entry(0, {}), status: 401, response: { 'WWW-Authenticate': 'Basic realm="x"' } },
        entry(10, { Authorization: `Basic ${MARK}` }),
        { ...entry(20, {}), url: 'http://a.example/list' },
      ],
      { accounts: [{ ...ACCOUNT, userField: '' }] },
    );
    expect(plan.journey.map(({ path, headers }) => [path, headers])).toEqual([
      ['/', { Authorization: 'Basic {{login}}' }],
      ['/list', { Authorization: 'Basic {{login}}' }],
    ]);
    expect(plan.variables).toEqual({ login: { kind: 'secret', secret: 'env:HOLDFAST_LOGIN' } });
    expect(accounts[0]?.basic).toBe('login');
  });

  it('has a secret password that a user sets for the run, if the recording comes from a file', () => {
    const { plan } = recorded([], [login]);
    expect(plan.journey[0]?.form).toEqual({ user: 'adalovelace', password: '{{password}}', role: 'student' });
    expect(plan.variables).toEqual({ password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } });
  });

  it('has a note about a secret after a recording, and a note about an environment variable for a file', () => {
    const findNote = (accounts: (typeof ACCOUNT)[]) =>
      recorded([], [login], { accounts }).notes.find(({ what }) => /logged in|a login/.test(what));
    expect(findNote([ACCOUNT])?.kind).toBe('secret');
    expect(findNote([])).toMatchObject({ kind: 'changed', instead: 'Set HOLDFAST_PASSWORD in the environment that Holdfast starts in.' });
  });

  it('is recognized only in its own field if its user name is short', () => {
    const search = { url: 'http://a.example/search?q=ada', at: 9_000, resource: 'document', text: '' };
    const short = { ...login, body: { mimeType: FORM, text: `user=ada&password=${MARK}` } };
    const { plan } = recorded([], [short, search], { accounts: [{ ...ACCOUNT, userName: 'ada' }] });
    expect(plan.journey.map(({ path, form }) => form?.['user'] ?? path)).toEqual(['{{username}}', '/search?q=ada']);
  });
});

it.each([
  ['recorded', [3, 0]],
  ['none', [0, 0]],
  [1.5, [1.5, 0]],
] as const)('planOfRecording: the option “pauses” sets the think times: %s', (pauses, seconds) => {
  const { plan } = recorded([], [login, profile], { pauses });
  expect(plan.journey.map(({ thinkTime }) => (thinkTime?.kind === 'fixed' ? thinkTime.seconds : 0))).toEqual(seconds);
});

describe('a recorded stream', () => {
  const home = { url: 'http://a.example/', at: 0, resource: 'document', text: '<title>Scores</title>' };
  const socket = (stated: readonly (readonly [number, string])[]) => ({
    url: 'ws://a.example/live',
    at: 100,
    status: 101,
    resource: 'websocket',
    headers: { 'Sec-WebSocket-Protocol': 'scores, x', 'Sec-WebSocket-Key': 'x' },
    extra: {
      _webSocketMessages: [
        ...stated.map(([time, data]) => ({ type: 'send', opcode: 1, time, data })),
        { type: 'receive', opcode: 1, time: 9, data: 'no' },
      ],
    },
  });

  it('stays open beside the journey, without think time', () => {
    const events = { url: 'http://a.example/events', at: 100, resource: 'eventsource', type: 'text/event-stream' };
    const { plan } = recorded([], [home, events, { ...profile, at: 4_000 }]);
    expect(plan.journey.map(({ stream, thinkTime }) => [stream, thinkTime !== undefined])).toEqual([
      [undefined, true],
      [{ kind: 'events', beside: true }, false],
      [undefined, false],
    ]);
  });

  it('sends the recorded messages if it is a WebSocket', () => {
    const { plan } = recorded(
      [],
      [
        home,
        socket([
          [1, '{"join":"{{room}}"}'],
          [2, 'hello'],
        ]),
      ],
    );
    expect(plan.journey[1]).toMatchObject({
      path: '/live',
      headers: {},
      stream: { kind: 'websocket', beside: true, protocols: ['scores', 'x'], send: { messages: ['{"join":"\\{{room}}"}', 'hello'] } },
    });
  });

  it('repeats a message at its recorded interval', () => {
    const { plan } = recorded(
      [],
      [
        home,
        socket([
          [1, 'ping'],
          [6, 'ping'],
          [11, 'ping'],
        ]),
      ],
    );
    expect(plan.journey[1]?.stream?.send).toEqual({ messages: ['ping'], everySeconds: 5 });
  });
});

it('planOfRecording: replaces uploaded files with generated files of the same size, and keeps the other fields', () => {
  const type = 'multipart/form-data; boundary=x';
  const params = [
    { name: 'note', value: 'mine' },
    { name: 'solution', fileName: 'a.cpp', contentType: 'text/plain', comment: '1234 bytes' },
  ];
  const upload = {
    url: 'http://a.example/submit',
    at: 0,
    method: 'POST',
    resource: 'document',
    headers: { 'Content-Type': type },
    body: { mimeType: type, params },
  };
  expect(recorded([], [upload]).plan.journey[0]?.multipart).toEqual([
    { name: 'note', value: 'mine' },
    { name: 'solution', bytes: 1_234, fileName: 'a.cpp', type: 'text/plain' },
  ]);
});

it('planOfRecording: sends an empty file field, as browsers do', () => {
  const type = 'multipart/form-data; boundary=x';
  const upload = { url: 'http://a.example/submit', at: 0, method: 'POST', resource: 'document', headers: { 'Content-Type': type } };
  const empty = { name: 'photo', bytes: 0, fileName: '', type: 'application/octet-stream' };
  const text =
    '--x\r\nContent-Disposition: form-data; name="photo"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n';
  const params = [{ name: 'photo', fileName: '', contentType: 'application/octet-stream' }];
  for (const body of [
    { mimeType: type, text },
    { mimeType: type, params },
  ]) {
    const { plan, notes } = recorded([], [{ ...upload, body }]);
    expect(plan.journey[0]?.multipart).toEqual([empty]);
    expect(notes.filter(({ what }) => what.includes('photo'))).toEqual([]);
  }
});

it('planOfRecording: loads the files of a page after a form, with or without a redirect', () => {
  const home = { url: 'http://a.example/', at: 0, resource: 'document', text: '<title>Form</title>' };
  const css = (at: number) => ({ url: 'http://a.example/a.css', at, resource: 'stylesheet', type: 'text/css', text: '' });
  const script = { url: 'http://a.example/a.js', at: 3_200, resource: 'script', type: 'text/javascript', text: '' };
  const kinds = (...entries: RecordedRequestInput[]): unknown =>
    recorded([], [home, css(100), ...entries]).plan.journey.map(({ resources }) => resources?.kinds);
  expect(kinds(login, script)).toEqual([['css'], ['script']]);
  const next = { url: 'http://a.example/home', at: 3_100, resource: 'document', text: '<title>Home</title>' };
  expect(kinds({ ...login, status: 302, response: { Location: '/home' } }, next, script)).toEqual([['css'], ['script']]);
  expect(kinds({ ...login, resource: 'fetch', type: 'application/json', text: '{}' }, script)).toEqual([['css', 'script'], undefined]);
});

it('planOfRecording: returns the recorded exchanges by step name, with redirects in order', () => {
  const { walk } = recorded(
    [],
    [
      { ...login, status: 302, response: { Location: '/home' } },
      { url: 'http://a.example/home', at: 3_100, resource: 'document', text: '<title>Home</title>' },
      profile,
    ],
  );
  expect(walk.map(({ step, exchanges }) => [step, ...exchanges.map(({ url, status }) => `${status} ${url}`)])).toEqual([
    ['POST /login', '302 http://a.example/login', '200 http://a.example/home'],
    ['GET /people/adalovelace', '200 http://a.example/people/adalovelace'],
  ]);
});

it('planOfRecording: requires a recorded redirect, with wildcards for numbers, tokens and user names', () => {
  const sentOnTo = (location: string): unknown => {
    const moved = { ...login, status: 302, response: { Location: location } };
    const page = { url: `http://a.example${location}`, at: 3_100, resource: 'document', text: '<title>Home</title>' };
    return recorded([], [moved, page], { accounts: [ACCOUNT] }).plan.journey[0]?.redirects;
  };
  expect(sentOnTo('/issues/42?tab=notes&key=8d31ab90ffce')).toMatchObject({ to: ['/issues/*?tab=notes&key=*'], mayEndAtLogin: false });
  expect(sentOnTo('/people/adalovelace')).toMatchObject({ to: ['/people/*'] });
  expect(sentOnTo('/signed/in')).toMatchObject({ to: ['/signed/in'] });
  expect(sentOnTo('/a*?x')).toMatchObject({ to: ['/a%2A?x'] });
});

it('planOfRecording: assigns a redirect to its step, even if the old page sends a request in between', () => {
  const moved = { ...login, status: 302, response: { Location: '/home#next' } };
  const script = { url: 'http://a.example/late.js', at: 3_020, resource: 'script', type: 'text/javascript', text: '' };
  const home = { url: 'http://a.example/home', at: 3_060, resource: 'document', text: '<title>Home</title>' };
  expect(recorded([], [moved, script, home]).walk.map(({ exchanges }) => exchanges.length)).toEqual([2]);
  // If the request of the old page comes after the redirect response, the person may have opened the same page.
  expect(recorded([], [moved, { ...script, at: 3_055 }, home]).walk.map(({ exchanges }) => exchanges.length)).toEqual([1, 1]);
});
