import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { valueAtPath, listAt, textAt } from '../reading.ts';
import { readImported } from '../testing/imported.ts';

/** Returns a recording made with Chromium on the practice servers. The contents of style sheets, scripts and images are removed from it. */
const textOf = (name: string): string => readFileSync(new URL(`../testing/recordings/${name}.har`, import.meta.url), 'utf8');
const recording = (name: string) => readImported(textOf(name));

/** Returns the values of all cookies and logins in a recording, which must not get into the plan. */
function valuesToKeep(text: string): string[] {
  const document: unknown = JSON.parse(text);
  const found = listAt(document, 'log', 'entries').flatMap((entry) =>
    [valueAtPath(entry, 'request'), valueAtPath(entry, 'response')].flatMap((side) =>
      listAt(side, 'headers').flatMap((header) => {
        const [name = '', value = ''] = [textAt(header, 'name')?.toLowerCase(), textAt(header, 'value') ?? undefined];
        if (name === 'authorization') return [value, value.split(' ').at(-1) ?? ''];
        const cookies = name === 'cookie' ? value.split(';') : name === 'set-cookie' ? value.split('\n') : [];
        return cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1).split(';', 1)[0] ?? '');
      }),
    ),
  );
  return [...new Set(found.filter((value) => value.length > 3))];
}

/** Returns steps as `METHOD path`, with loaded resource kinds, redirects, expected statuses and streams. */
const stepsOf = (name: string): string[] =>
  recording(name).plan.journey.map(({ method, path, resources, redirects, expectStatus, stream }) =>
    [
      `${method} ${path.split('?', 1)[0] ?? ''}`,
      ...(redirects === undefined ? [] : ['follows']),
      ...(expectStatus === undefined ? [] : [`expects ${expectStatus.join()}`]),
      ...(stream === undefined ? [] : ['listens']),
      ...(resources === undefined ? [] : [`loads ${resources.kinds.join(' ')}`]),
    ].join(', '),
  );
const reportedBy = (name: string): string =>
  recording(name)
    .notes.map(({ location, what, instead }) => `${location}: ${what} ${instead}`)
    .join('\n');

describe('importHar with recordings from Chromium', () => {
  it('makes a login that each user performs', () => {
    const { plan, secrets } = recording('contest-login');
    expect(plan.journey.map(({ name }) => name)).toEqual(['GET /', 'POST /login', 'GET /tasks/coprobber/description']);
    expect(plan.journey[1]).toMatchObject({
      form: { _xsrf: '{{cookie._xsrf}}', next: '', username: 'contestant1', password: '{{password}}' },
      redirects: { follow: true },
    });
    expect(plan.journey[0]?.resources?.kinds).toEqual(['css', 'script']);
    expect(plan.journey[1]?.thinkTime).toBeDefined();
    expect(plan.cookies).toBe('journey');
    expect([...secrets]).toEqual([['HOLDFAST_PASSWORD', 'anchor-11']]);
    expect(plan.targets[0]?.headers).toMatchObject({ 'Accept-Language': 'en-US,en;q=0.9' });
  });

  it('notes that browsers do not record uploaded files', () => {
    const { plan, notes } = recording('contest-submit');
    expect(plan.journey.at(-1)).toMatchObject({ method: 'POST', path: '/tasks/coprobber/submit' });
    expect(JSON.stringify(plan)).not.toContain('boundary');
    expect(notes.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('does not contain the request body (multipart/form-data)'),
    );
  });

  it('keeps a failed login as a normal journey', () => {
    expect(recording('contest-wrong-login').plan.journey.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /', 'POST /login']);
  });

  it('groups the resources of pages and leaves out other servers', () => {
    const { plan, notes } = recording('school');
    expect(plan.journey).toHaveLength(2);
    expect(plan.journey[0]?.resources?.kinds).toEqual(['css', 'script', 'image']);
    expect(plan.journey[1]?.resources).toBeDefined();
    expect(plan.journey.every(({ captures }) => captures === undefined)).toBe(true);
    expect(notes.map(({ what }) => what)).toContainEqual(expect.stringContaining('1 request is for 127.0.0.1:19751'));
  });

  it('makes plans without recorded cookies, tokens and passwords from all of at least fifteen recordings', () => {
    const names = readdirSync(new URL('../testing/recordings/', import.meta.url)).map((file) => file.replace(/\.har$/, ''));
    expect(names.length).toBeGreaterThanOrEqual(15);
    const kept = names.flatMap((name) => {
      const { written, secrets } = recording(name);
      const values = valuesToKeep(textOf(name));
      for (const value of [...values, ...secrets.values()])
        if (value.length > 3) expect(JSON.stringify(written), name).not.toContain(value);
      return values;
    });
    expect(kept.length).toBeGreaterThan(40);
  });

  it.each([
    [
      'contest-question',
      [
        'GET /, loads css script',
        'POST /login, follows, loads css script',
        'GET /communication, loads css script',
        'POST /question, follows, loads css script',
        'POST /logout, follows, loads css script',
      ],
    ],
    [
      'contest-submit-poll',
      [
        'GET /, loads css script',
        'POST /login, follows, loads css script',
        'GET /tasks/coprobber/submissions, loads css script',
        'POST /tasks/coprobber/submit, follows',
        ...Array.from({ length: 5 }, () => 'GET /tasks/coprobber/submissions/1'),
      ],
    ],
    [
      'contest-refused',
      [
        'GET /, loads css script',
        'POST /login, follows, loads css script',
        'GET /tasks/bridges/description, expects 404, loads css script',
        'POST /question, expects 403',
      ],
    ],
    ['contest-two-shards', ['GET /, loads css script', 'POST /login, follows, loads css script']],
    [
      'school-practice',
      [
        'GET /login, loads css script image',
        'POST /login_form, loads css script image',
        'GET /@@practice/select_chapter/5',
        'POST /@@practice/submit_response',
        'POST /@@practice/submit_response',
      ],
    ],
    [
      'shop-visit',
      ['GET /, loads css script image font', 'GET /, loads css script image font', 'GET /old, follows, loads css script font'],
    ],
    ['shop-worker', ['GET /account, loads css script font', 'GET /, loads css script image font', 'GET /offline, loads css script font']],
    [
      'shop-failures',
      [
        'GET /account, loads css script font',
        'GET /news, listens',
        'GET /broken, expects 500',
        'GET /busy, expects 503',
        'GET /nowhere.png, expects 404',
      ],
    ],
    [
      'node-errors',
      [
        'GET /node/ping',
        'GET /node/timeout',
        'GET /nowhere, expects 404',
        'GET /node/ping',
        'GET /gunicorn/ping',
        'GET /node_replicated/ping',
        'HEAD /node/ping',
        'OPTIONS /node/ping',
      ],
    ],
  ])('makes steps with the resources of each page: %s', (name, steps) => {
    expect(stepsOf(name)).toEqual(steps);
  });

  it('notes other servers, refused requests and requests without an end', () => {
    expect(reportedBy('contest-two-shards')).toContain('4 requests are for 127.0.0.1:19711, another server of the same site.');
    expect(recording('contest-two-shards').plan.journey[0]?.resources?.otherHosts).toEqual(['127.0.0.1:19711']);
    expect(reportedBy('contest-refused')).toContain('log.entries[12]: /tasks/harbour/statements/en has no response');
    expect(reportedBy('node-errors')).toContain('/node/timeout has no response');
    expect(reportedBy('shop-visit')).toContain(
      '4 requests are for localhost:19791, which belongs to someone else. Test only your own servers.',
    );
    expect(reportedBy('shop-failures')).toContain('/news is an event stream.');
    expect(reportedBy('shop-failures')).toContain('1 request is for 127.0.0.1:19791, another server of the same site.');
    expect(reportedBy('tools-shop-revisit')).toContain('The response had the status 304.');
    expect(reportedBy('school-practice')).toContain('1 request is for 127.0.0.1:19751');
  });

  it('leaves out requests of a service worker', () => {
    expect(reportedBy('shop-worker')).toContain('13 requests were made by a service worker.');
  });

  it('continues repeated news requests from the last received timestamp', () => {
    const { plan } = recording('contest-notifications');
    const [first, , second, third] = plan.journey.slice(2);
    expect([first?.path, second?.path, third?.path]).toEqual([
      '/notifications?last_notification=0',
      '/notifications?last_notification=0',
      '/notifications?last_notification={{last_notification}}',
    ]);
    expect(second?.captures).toMatchObject([{ from: 'json', path: '$[0].timestamp' }]);
    expect(plan.journey[3]?.headers).toMatchObject({ 'X-XSRFToken': '{{cookie._xsrf}}' });
  });

  it('passes on the token and the ids of an API', () => {
    const { plan, secrets } = recording('shop-account');
    expect(stepsOf('shop-account').slice(1)).toEqual([
      'POST /api/login, expects 401',
      'POST /api/login',
      'GET /api/orders',
      'POST /api/orders',
      'GET /api/orders/{{orders_id}}',
      'PATCH /api/orders/{{orders_id}}',
      'DELETE /api/orders/{{orders_id}}',
    ]);
    expect(plan.journey[2]?.captures).toMatchObject([{ from: 'json', as: 'token', path: '$.token' }]);
    expect(plan.journey[3]?.headers).toMatchObject({ Authorization: 'Bearer {{token}}' });
    expect(plan.journey[6]?.json).toEqual({ state: 'paid', order: '{{orders_id|raw}}' });
    expect([...secrets.values()]).toEqual(['correct hose', 'correct horse']);
  });

  it('sends the token of a phone app in forms, files and addresses', () => {
    const { plan } = recording('tools-survey-phone');
    expect(plan.journey[2]?.form).toMatchObject({ auth_token: '{{cookie.auth_token}}' });
    expect(plan.journey[3]?.multipart).toMatchObject([
      { name: 'auth_token', value: '{{cookie.auth_token}}' },
      { name: 'client' },
      { name: 'campaign_urn' },
      { name: 'campaign_creation_timestamp' },
      { name: 'surveys' },
      { fileName: 'photo.jpg', type: 'image/jpeg' },
    ]);
    expect(plan.journey[4]?.path).toContain('?auth_token={{cookie.auth_token}}&');
    expect(reportedBy('survey-phone')).toContain('does not contain the request body (multipart/form-data)');
    expect(stepsOf('survey-cookie').slice(-2)).toEqual(['GET /app/user/whoami', 'GET /app/config/read']);
  });

  it('captures a form token from its page if the recording has no cookies, and notes their absence', () => {
    const { plan } = recording('tools-contest-sanitized');
    expect(plan.journey[0]?.captures).toMatchObject([{ from: 'between', as: '_xsrf', after: ' value="', before: '"' }]);
    expect(plan.journey[1]?.form).toMatchObject({ _xsrf: '{{_xsrf}}', next: '/tasks/lanterns/description' });
    expect(plan.cookies).toBe('journey');
    expect(reportedBy('tools-contest-sanitized')).toContain('The recording contains no cookies and no logins');
    expect(reportedBy('tools-contest')).not.toContain('contains no cookies');
    expect(recording('tools-contest').plan.journey[1]?.form).toMatchObject({ _xsrf: '{{cookie._xsrf}}' });
    expect(recording('tools-shop-account-sanitized').plan.journey[3]?.headers).not.toHaveProperty('Authorization');
  });

  it('loads the files of pages that were in the browser cache', () => {
    expect(stepsOf('school-cached')).toHaveLength(4);
    expect(recording('school-cached').plan.journey.every(({ resources }) => resources?.kinds.join(' ') === 'css script image')).toBe(true);
  });
});
