import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { playK6 } from '../testing/k6StandIn.ts';
import { brief, made } from '../testing/madeScript.ts';

describe('k6 steps', () => {
  const login: PlanInput['journey'] = [
    { name: 'form', path: '/login' },
    {
      name: 'log in',
      method: 'POST',
      path: '/login',
      form: { user: 'u{{number}}', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' },
      redirects: { follow: true },
      checks: [{ kind: 'contains', text: 'Hello u{{number}}' }],
      captures: [{ from: 'body', as: 'task', pattern: 'href="/tasks/([^"]+)"' }],
    },
    { name: 'task', path: '/tasks/{{task}}/text', query: { of: '{{task}} & more' }, headers: { 'X-Task': '{{task}}' } },
  ];
  const variables: PlanInput['variables'] = { number: { kind: 'number', from: 5 }, password: { kind: 'secret', secret: 'ask:Password' } };

  it('look up cookies by address for any spelling of the placeholder', () => {
    const scriptFor = (form: Record<string, string>): string =>
      made({ journey: [{ name: 'save', method: 'POST', form }], load: brief }).script;
    expect(scriptFor({ token: '{{ cookie._xsrf }}' })).toBe(scriptFor({ token: '{{cookie._xsrf}}' }));
  });

  it('find the fields of a login form, and end the journey if a required step fails', () => {
    const { script } = made({
      journey: [
        {
          name: 'form',
          path: '/login',
          captures: (['action', 'username', 'password', 'others'] as const).map((part) => ({ from: 'loginForm', as: part, part })),
        },
        {
          name: 'log in',
          method: 'POST',
          path: '{{action}}',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: '{{username}}=ada&{{password}}=x&{{others|raw}}',
          required: true,
          checks: [{ kind: 'page' }],
        },
        { name: 'page', path: '/page' },
      ],
      load: brief,
    });
    const form = `<form method="post" action="in?a=1&amp;b=2"><input type=hidden name=csrf value='x"y'><input name="user">
      <input type="password" name="pass"><button name="go" value="1">Log in</button></form>`;
    const play = (after: string) =>
      playK6(script, { onlyOne: true, server: ({ method }) => ({ body: method === 'POST' ? after : `<html>${form}</html>` }) });
    const right = play('<html>Welcome</html>');
    expect(right.errors).toEqual([]);
    expect(right.requests[1]).toMatchObject({ url: 'http://127.0.0.1:8080/in?a=1&b=2', body: 'user=ada&pass=x&csrf=x%22y&go=1' });
    expect(right.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(play(`<html>${form}</html>`).requests).toHaveLength(2);
  });

  it('send cookies, captured values and secrets from the environment, and follow redirects', () => {
    const { script, environment, secrets } = made({ journey: login, variables, load: brief });
    const { requests, errors, failedChecks, added } = playK6(script, {
      environment: { HOLDFAST_PASSWORD: 'hush' },
      server: ({ method, url, tags }) => {
        if (tags['name'] === 'form') return { cookies: ['_xsrf=x1'] };
        if (method === 'POST') return { status: 302, headers: { Location: 'home?a=1' }, cookies: ['sid=7'] };
        return url.includes('home') ? { body: 'Hello u5 <a href="/tasks/a b">' } : {};
      },
    });
    expect({ errors, failedChecks }).toEqual({ errors: [], failedChecks: [] });
    expect(requests.map(({ method, url, tags }) => [method, url, tags['holdfast_step']])).toEqual([
      ['GET', 'http://127.0.0.1:8080/login', '0'],
      ['POST', 'http://127.0.0.1:8080/login', '1'],
      ['GET', 'http://127.0.0.1:8080/home?a=1', '3'],
      ['GET', 'http://127.0.0.1:8080/tasks/a%20b/text?of=a%20b%20%26%20more', '2'],
    ]);
    expect(requests[1]?.body).toEqual({ user: 'u5', password: 'hush', _xsrf: 'x1' });
    expect(requests[3]).toMatchObject({ headers: { 'X-Task': 'a b' }, cookies: { sid: '7', _xsrf: 'x1' } });
    expect(added.get('failed_requests')?.map(({ value }) => value)).toEqual([0, 0, 0, 0]);
    expect(environment).toEqual(['HOLDFAST_PASSWORD']);
    expect(secrets).toEqual([{ name: 'HOLDFAST_PASSWORD', reference: 'ask:Password' }]);
    expect(script).not.toContain('hush');
    expect(() => playK6(script)).toThrow('Set these environment variables: HOLDFAST_PASSWORD');
  });

  it('end the journey if the login fails', () => {
    const [form = { name: '' }, post] = login;
    const journey: PlanInput['journey'] = [form, { ...post, name: 'log in', captures: [] }, { name: 'order', path: '/order' }];
    const { requests } = playK6(made({ journey, variables, load: brief }).script, {
      environment: { HOLDFAST_PASSWORD: 'hush' },
      server: ({ tags }) => (tags['name'] === 'form' ? { cookies: ['_xsrf=x1'] } : { body: 'Wrong password' }),
    });
    expect(requests.map(({ tags }) => tags['name'])).toEqual(['form', 'log in']);
  });

  it.each([
    ['nothing to capture', { body: 'Hello u5' }, 'log in: finds “task”'],
    ['the wrong text', { body: 'href="/tasks/a"' }, 'log in: contains “Hello u{{number}}”'],
    ['a redirect to another server', { status: 302, headers: { Location: 'http://evil.example/' } }, 'log in: is not sent astray'],
    ['a redirect to a login page', { status: 302, headers: { Location: '/?next=%2F' } }, null],
    ['a circular redirect', { status: 307, headers: { Location: '/login' } }, 'log in: is not sent astray'],
  ])('end the journey if a response has %s', (_what, response, failing) => {
    const { script } = made({ journey: login, variables, load: brief });
    const { requests, failedChecks, added } = playK6(script, {
      environment: { HOLDFAST_PASSWORD: 'x' },
      server: ({ method }) => (method === 'POST' ? response : { cookies: ['_xsrf=1'], body: '' }),
    });
    expect(requests.some(({ tags }) => tags['name'] === 'task')).toBe(false);
    if (failing !== null) expect(failedChecks).toContain(failing);
    expect(added.get('failed_requests')?.at(-1)?.value).toBe(1);
  });

  it('check the body', () => {
    const checks = [
      { kind: 'contains', text: 'good' },
      { kind: 'contains', text: 'bad', not: true },
      { kind: 'matches', pattern: '^\\{/?', flags: 'i' },
      { kind: 'json', path: '$.list[1]["a b"]', equals: 2 },
      { kind: 'json', path: '$.missing', not: true },
      { kind: 'json', path: '$.list' },
      { kind: 'size', minBytes: 5, maxBytes: 60 },
    ] as const;
    const { script } = made({ journey: [{ name: 'p', checks: [...checks], expectStatus: [200, 203] }], load: brief });
    const findFailed = (body: string, status = 203): readonly string[] => playK6(script, { server: () => ({ body, status }) }).failedChecks;
    expect(findFailed('{"good":1,"list":[0,{"a b":2}]}')).toEqual([]);
    expect(findFailed('{"good":"bad","missing":1,"list":[]}').length).toBe(3);
    expect(findFailed('good')).toHaveLength(5);
    expect(findFailed('{"good":1,"list":[0,{"a b":2}]}', 204)).toEqual(['p: status 200 or 203']);
  });

  it('poll until the expected content appears or the attempts are used up', () => {
    const journey: PlanInput['journey'] = [
      { name: 'wait', poll: { until: [{ kind: 'contains', text: 'done' }], firstSeconds: 1, factor: 2, mostSeconds: 10 } },
      { name: 'after', path: 'after' },
    ];
    const { script } = made({ journey, load: brief });
    const responded = playK6(script, { latencySeconds: 0, server: ({ atSecond }) => ({ body: atSecond >= 3 ? 'done' : '' }) });
    expect(responded.requests.map(({ atSecond }) => atSecond)).toEqual([0.5, 1.5, 3.5, 3.5]);
    const inVain = playK6(script, { latencySeconds: 0 });
    expect(inVain.requests.map(({ atSecond }) => atSecond)).toEqual([0.5, 1.5, 3.5, 7.5]);
    expect(inVain.failedChecks).toEqual(['wait: comes within 10 s']);
  });

  it('fetch page resources once per user', () => {
    const html =
      '<link rel="stylesheet" href="a.css"><script src="/b.js"><img src="http://cdn.example/c.png"><img src="d.png"><img src="data:x">';
    const journey: PlanInput['journey'] = [
      { name: 'one', path: 'x/one', resources: { kinds: ['css', 'script', 'image'] } },
      { name: 'two', path: 'x/two', resources: { kinds: ['css', 'script', 'image'] } },
    ];
    const criteria: PlanInput['criteria'] = [{ kind: 'apdex', of: 'pages', thresholdMs: 500, min: 0.85 }];
    const { script } = made({ journey, load: brief, criteria });
    const { requests, added } = playK6(script, { server: ({ url }) => (url.endsWith('.js') ? { status: 404 } : { body: html }) });
    expect(requests.map(({ url, tags }) => [url.replace('http://127.0.0.1:8080/', ''), tags['holdfast_step']])).toEqual([
      ['shop/x/one', '0'],
      ['shop/x/a.css', '2'],
      ['b.js', '3'],
      ['shop/x/d.png', '4'],
      ['shop/x/two', '1'],
      // Failed resources are requested again.
      ['b.js', '6'],
    ]);
    expect(added.get('incomplete_pages')?.map(({ value }) => value)).toEqual([1, 1]);
    expect(added.get('page_apdex_500')?.map(({ value }) => value)).toEqual([0, 0]);
  });

  it('note that resources of style sheets are left out, if pages are fetched', () => {
    const notes = (kinds: ('css' | 'image')[]): string =>
      made({ journey: [{ name: 'one', path: 'x', resources: { kinds } }], load: brief }).notes.join(' ');
    expect(notes(['css', 'image'])).toContain('What style sheets ask for is left out: fonts, background pictures and imported sheets.');
    expect(notes(['image'])).not.toContain('style sheets');
  });

  it('follow redirects of resources, but not to another server, and send no page query as Referer', () => {
    const journey: PlanInput['journey'] = [{ name: 'one', path: 'x/one?token=secret', resources: { kinds: ['image'] } }];
    const { script } = made({ journey, load: brief });
    const moved = (location: string) => ({ status: 302, headers: { Location: location } });
    const { requests } = playK6(script, {
      server({ url }) {
        if (url.endsWith('/a.png')) return moved('http://cdn.example/a.png');
        if (url.endsWith('/b.png')) return moved('b2.png');
        return { body: '<img src="a.png"><img src="b.png">' };
      },
    });
    expect(requests.map(({ url }) => url.replace('http://127.0.0.1:8080/shop/x/', ''))).toEqual([
      'one?token=secret',
      'a.png',
      'b.png',
      'b2.png',
    ]);
    expect(requests.slice(1).map(({ headers }) => headers['Referer'])).toEqual(Array(3).fill('http://127.0.0.1:8080/shop/x/one'));
  });

  it('send files, generated files and files of a folder', () => {
    const journey: PlanInput['journey'] = [
      {
        name: 'up',
        method: 'POST',
        multipart: [
          { name: 'note', value: 'n' },
          { name: 'a', file: '/tmp/right.cpp', type: 'text/plain' },
          { name: 'b', folder: '/tmp/many' },
          { name: 'c', bytes: 10, type: 'image/jpeg', fileName: 'c.jpg' },
          { name: 'd', bytes: 300, type: 'text/x-c++src', fileName: 'd.cpp' },
        ],
      },
      { name: 'fields', method: 'POST', multipart: [{ name: 'x', value: '1' }] },
    ];
    const uploads = { '/tmp/right.cpp': 'YQ==', '/tmp/many/1.txt': 'Yg==', '/tmp/many/2.txt': 'Yw==' };
    const { script, files } = made({ journey, load: brief }, { uploads });
    expect(files.map(({ path, content, encoding }) => `${path} ${content} ${encoding}`)).toEqual([
      'uploads/1-right.cpp YQ== base64',
      'uploads/2-1.txt Yg== base64',
      'uploads/3-2.txt Yw== base64',
    ]);
    const { requests, errors } = playK6(script, { files: Object.fromEntries(files.map(({ path, content }) => [path, content])) });
    expect(errors).toEqual([]);
    expect(requests[0]?.body).toMatchObject({
      note: 'n',
      a: { data: 'YQ==', fileName: 'right.cpp', type: 'text/plain' },
      b: { fileName: expect.stringMatching(/^[12]\.txt$/) as unknown },
      c: { fileName: 'c.jpg', type: 'image/jpeg' },
      d: { data: expect.stringMatching(/^[\da-z]{300}$/) as unknown, fileName: 'd.cpp' },
    });
    expect(requests[1]?.headers['Content-Type']).toBe('multipart/form-data; boundary=holdfast-boundary-7d91c05e420');
    expect(requests[1]?.body).toContain('name="x"\r\n\r\n1\r\n');
    expect(() => made({ journey, load: brief })).toThrow('The files of the folder /tmp/many are unknown');
  });

  it('capture items that an earlier capture does not contain', () => {
    const rows = { from: 'body' as const, pattern: 'row="([^"]+)"' };
    const { script } = made({
      journey: [
        { name: 'before', captures: [{ ...rows, as: 'earlier', which: 'all', mayBeEmpty: true }] },
        { name: 'after', captures: [{ ...rows, as: 'own', unlike: 'earlier' }] },
      ],
      load: brief,
    });
    expect(script).toContain('.filter((text) => ![].concat(values.earlier).includes(text))[0]');
  });

  it('write field types in forms without files, and note them in forms with files', () => {
    const typed = { name: 'meta', value: '{}', type: 'application/json' };
    const { script, notes } = made({
      journey: [{ name: 'a', method: 'POST', multipart: [typed, { name: 'x', value: '1' }] }],
      load: brief,
    });
    expect(playK6(script).requests[0]?.body).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{}\r\n');
    expect(playK6(script).requests[0]?.body).toContain('name="x"\r\n\r\n1\r\n');
    expect(notes.join()).not.toContain('without its type');
    const reported = made({ journey: [{ name: 'a', method: 'POST', multipart: [typed, { name: 'f', bytes: 10 }] }], load: brief });
    expect(reported.notes.join()).toContain('k6 sends the field meta without its type');
    expect(playK6(reported.script).requests[0]?.body).toMatchObject({ meta: '{}' });
  });

  it('take the parts of a form from its page', () => {
    const journey: PlanInput['journey'] = [
      {
        name: 'form',
        path: 'tasks/a/form',
        captures: [
          { from: 'body', as: 'field', pattern: '<input type="file" name="([^"]+)"', which: 'all' },
          { from: 'body', as: 'cpp', pattern: '<option value="([^"]+)"', html: true, otherwise: '' },
          { from: 'body', as: 'list', pattern: 'href="([^"]+)"', address: true },
          { from: 'body', as: 'links', pattern: 'href="([^"]+)"', which: 'all', address: true },
        ],
      },
      {
        name: 'up',
        method: 'POST',
        path: 'up',
        multipart: [
          { name: 'token', value: 't' },
          { name: '{{field}}', each: 'field', folder: '/tmp/many' },
          { name: 'language', valueByEnding: { cpp: '{{cpp}}', py: 'Python' } },
          { name: 'comment', value: '{{cpp}}', optional: true },
        ],
      },
      { name: 'list', path: '{{list}}' },
      { name: 'home', path: '{{target.withoutSlash}}' },
      { name: 'why', path: 'news', measured: false, explains: { step: 'up', pattern: 'error' } },
    ];
    const { script, files, notes } = made({ journey, load: brief }, { uploads: { '/tmp/many/1.cpp': 'Yg==' } });
    const sentFor = (form: string) => {
      const { requests, errors, failedChecks } = playK6(script, {
        files: Object.fromEntries(files.map(({ path, content }) => [path, content])),
        server: ({ url }) => (url.endsWith('/form') ? { body: form } : {}),
      });
      expect({ errors, failedChecks }).toEqual({ errors: [], failedChecks: [] });
      return requests;
    };
    const file = { data: 'Yg==', fileName: '1.cpp', type: 'application/octet-stream' };
    const inputs =
      '<input type="file" name="a.%l"><input type="file" name="b.%l"><a href="http://else.example/"><a href="../list?x=1#end"><a href="http://else.example/">';
    const full = sentFor(`${inputs}<option value="C++17 &amp; more">`);
    expect(full[1]?.body).toEqual({ token: 't', 'a.%l': file, 'b.%l': file, language: 'C++17 & more', comment: 'C++17 & more' });
    expect(full.map(({ url }) => url.replace('http://127.0.0.1:8080', ''))).toEqual([
      '/shop/tasks/a/form',
      '/shop/up',
      '/shop/tasks/list?x=1',
      '/shop',
    ]);
    // Without a chosen option, both fields are left out, as in browsers.
    expect(sentFor(inputs)[1]?.body).toEqual({ token: 't', 'a.%l': file, 'b.%l': file });
    expect(notes).toContain('“why” is left out: the script does not ask why “up” failed.');
    expect(notes.join()).not.toMatch(/side calls/i);
  });

  it('use the start page of each of several targets', () => {
    const targets = [{ url: 'http://127.0.0.1:8080/a/' }, { url: 'http://127.0.0.1:8081/' }];
    const journey: PlanInput['journey'] = [
      { name: 'home', path: '{{target.withoutSlash}}', headers: { 'X-Place': '{{target.withoutSlash}}' } },
    ];
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 2, seconds: 1 }] };
    const { requests } = playK6(made({ targets, journey, load }).script);
    expect(requests.map(({ url, headers }) => `${url} ${headers['X-Place']}`)).toEqual([
      'http://127.0.0.1:8080/a /a',
      'http://127.0.0.1:8081/ /',
    ]);
  });
});
