import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { type TestServer } from '#workers/testing/servers.ts';
import { closeServers, login, serve, site, variables, walk } from './testing/loginSite.ts';

afterEach(closeServers);

describe('a journey with a login', () => {
  it('runs for every user with its own cookies, tokens and links; redirects count as requests', async () => {
    const seen: string[] = [];
    const server = await site(seen);
    const driven = await walk(server, { journey: login });
    expect(driven.cell.errors).toEqual({});
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.steps.map(({ outcomes }) => outcomes)).toEqual([{ ok: 20 }, { ok: 20 }, { ok: 20 }, { ok: 20 }]);
    expect(driven.steps.map(({ statuses }) => statuses)).toEqual([200, 302, 200, 200].map((status) => new Map([[status, 20]])));
    expect(driven.journeys).toMatchObject({ started: 20, finished: 20, abandoned: 0 });
    expect(seen.filter((line) => line.startsWith('GET /tasks/b%20c?x=1&y=2 user'))).toHaveLength(20);
    // Each journey starts without a login.
    expect(seen.filter((line) => line === 'GET / -')).toHaveLength(20);
  });

  it('counts wrong credentials, a missing token or an expired login as failed', async () => {
    const server = await site();
    const wrong = await walk(server, { journey: login }, { password: 'wrong' });
    expect(wrong.steps[3]?.errors).toEqual({ 'LEADS_TO_LOGIN /?login_error@check': wrong.journeys.started });
    expect(wrong.steps[3]?.outcomes.ok).toBeUndefined();
    expect(wrong.journeys).toMatchObject({ started: 20, finished: 0, abandoned: 20 });

    const [home, post, task] = login;
    const tokenless = { ...post, name: 'login', form: { username: 'user1', password: '{{password}}' } };
    const missing = await walk(server, { journey: [home ?? { name: '' }, tokenless, task ?? { name: '' }] });
    expect(missing.steps[1]?.statuses).toEqual(new Map([[403, 20]]));
    expect(missing.journeys).toMatchObject({ finished: 0, abandoned: 20 });

    const stranger = [{ name: 'tasks', path: '/tasks', redirects: { follow: true as const } }];
    const out = await walk(server, { journey: stranger });
    expect(out.cell.outcomes).toEqual({ ok: 60, wrongBody: 60 });
    expect(out.cell.errors).toEqual({ 'LEADS_TO_LOGIN /?next@check': 60 });
    expect(out.journeys).toMatchObject({ finished: 0, abandoned: 60 });
  });

  it('does not mistake a redirect for a login by its address alone', async () => {
    const places = ['/list?from=20', '/page?target=_blank', '/sessions/42', '/program/session/7', '/flights?from=VIE&to=BER'];
    places.push('/catalog?return=no', '/short?url=abc', '/cas/7440-57-5', '/wiki/Auth_(film)', '/items?next=eyJpZCI6MjB9');
    const server = await serve((request, response) => {
      const place = /^\/x\/(\d+)$/.exec(request.url ?? '')?.[1];
      if (place === undefined) response.end('<p>The password is not asked for here: type="password"</p>');
      else response.writeHead(302, { Location: places[Number(place)] ?? '' }).end();
    });
    const followed = places.map((place, at) => ({ name: place, path: `/x/${at}`, redirects: { follow: true as const } }));
    const driven = await walk(server, { journey: followed });
    expect([driven.cell.outcomes, driven.cell.errors]).toEqual([{ ok: 120 }, {}]);
    // The plan expects the redirect, so its destination does not matter.
    const journey = places.map((place, at) => ({ name: place, method: 'POST' as const, path: `/x/${at}`, expectStatus: [302] }));
    expect((await walk(server, { journey, cookies: 'journey' })).cell.outcomes).toEqual({ ok: 60 });
    const to = places.map((place, at) => ({ name: place, path: `/x/${at}`, redirects: { follow: true as const, to: [place] } }));
    expect((await walk(server, { journey: to })).cell.outcomes).toEqual({ ok: 120 });
  });

  it.each([
    ['a password field', '/accounts/login/?next=/tasks', 200, '<form><input type=password name=p></form>', 'LEADS_TO_LOGIN'],
    ['two password fields, as in a registration', '/auth/register', 200, '<form><input type=password><input type=password></form>', null],
    ['a password field in a comment', '/session/7', 200, '<!-- <input type="password"> -->', null],
    ['a password field at an address without a login word', '/home', 200, '<form><input type=password name=p></form>', null],
  ])('checks the page after a redirect that looks like a login: %s', async (_what, place, status, page, code) => {
    const server = await serve((request, response) => {
      if (request.url === '/tasks') response.writeHead(302, { Location: place }).end();
      else response.writeHead(status, { 'Content-Type': 'text/html' }).end(page);
    });
    const driven = await walk(server, { journey: [{ name: 'tasks', path: '/tasks', redirects: { follow: true } }] });
    expect(Object.keys(driven.cell.errors).map((error) => error.split(' ')[0])).toEqual(code === null ? [] : [code]);
  });

  it('does not follow a redirect to an empty address', async () => {
    const server = await serve((_request, response) => void response.writeHead(302, { Location: '' }).end());
    const { cell } = await walk(server, { journey: [{ name: 'page', path: '/x', redirects: { follow: true } }] });
    expect([cell.outcomes, cell.errors, server.requests]).toEqual([{ httpError: cell.started }, {}, cell.started]);
  });

  it('recognizes a login if the same page responded with 401 before', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/tasks?json') response.writeHead(401).end();
      else if (request.url === '/tasks') response.writeHead(302, { Location: '/login' }).end();
      else response.end('<script src="login.js"></script>');
    });
    const tasks = { path: '/tasks', redirects: { follow: true as const } };
    const known = await walk(server, {
      journey: [
        { name: 'rows', path: '/tasks?json' },
        { name: 'tasks', ...tasks },
      ],
      cookies: 'journey',
    });
    expect(known.steps[1]?.errors).toEqual({ 'LEADS_TO_LOGIN /login@check': 30 });
    expect((await walk(server, { journey: [{ name: 'tasks', ...tasks }], cookies: 'journey' })).cell.outcomes).toEqual({ ok: 120 });
  });

  it('fails if a response is not a redirect or leads to an unexpected address', async () => {
    const [moved, back, refused] = ['?tab=notes', '/edit', null];
    const replied = new Map<string | null, number>();
    let saved = 0;
    const server = await serve((request, response) => {
      if (request.method !== 'POST') return void response.end('<h1>Issue</h1>');
      const reply = [moved, back, refused][(saved += 1) % 3] ?? null;
      replied.set(reply, (replied.get(reply) ?? 0) + 1);
      if (reply === null) response.end('<h1>Edit</h1> Somebody else has changed it');
      else response.writeHead(302, { Location: `/issues/${saved}${reply}` }).end();
    });
    const redirects = { follow: true as const, to: ['/issues/*?tab={{tab}}'] };
    const plan = { variables: { tab: { kind: 'item' as const, of: ['notes'], per: 'user' as const } }, cookies: 'journey' as const };
    const driven = await walk(server, { ...plan, journey: [{ name: 'save', method: 'POST', path: '/issues/42', redirects }] });
    expect(driven.steps[0]?.outcomes.ok).toBe(replied.get(moved));
    expect(driven.steps[0]?.errors).toEqual({
      'LEADS_ELSEWHERE /issues/*/edit@check': replied.get(back),
      'NOT_REDIRECTED /issues/*?tab={{tab}}@check': replied.get(refused),
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);

    // An expected login redirect is successful; a missing further redirect is a failure.
    const leaving = await serve((request, response) =>
      request.url === '/logout' ? void response.writeHead(302, { Location: '/login' }).end() : void response.end('Log in'),
    );
    const leave = [{ name: 'leave', path: '/logout', redirects: { follow: true as const, to: ['/login'] } }];
    expect((await walk(leaving, { journey: leave })).cell.outcomes).toEqual({ ok: 120 });
    const short = [{ name: 'leave', path: '/logout', redirects: { follow: true as const, to: ['/login', '/home'] } }];
    expect((await walk(leaving, { journey: short })).steps[1]?.errors).toMatchObject({ 'NOT_REDIRECTED /home@check': 60 });
  });

  it('ends when the login fails, by status or by any check', async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url === '/refused') response.writeHead(401).end('Wrong password');
      else response.end('<p class="error">Wrong password</p><form><input type="password"></form>');
    });
    const form = { user: 'user1', password: '{{password}}' };
    const later = { name: 'order', method: 'POST' as const, path: '/order', form: { lamp: '1' } };
    const checks = [{ kind: 'contains' as const, text: 'Hello' }];
    for (const own of [
      { path: '/refused', form },
      { path: '/form', form, checks },
      { path: '/form', json: { account: form }, checks },
    ]) {
      const driven = await walk(server, { journey: [{ name: 'login', method: 'POST', ...own }, later] });
      expect(driven.steps.map(({ started }) => started)).toEqual([30, 0]);
      expect(driven.journeys).toMatchObject({ started: 30, finished: 0, abandoned: 30 });
    }
    expect(seen).not.toContain('POST /order');
    // If each request contains the password, no request logs in for the others.
    const each = [
      { ...later, name: 'read', path: '/refused', form },
      { ...later, name: 'upload', path: '/upload', form },
    ];
    expect((await walk(server, { journey: each })).steps.map(({ started }) => started)).toEqual([30, 30]);
  });

  it('sends a form with the fields of its page and a new random choice each time', async () => {
    const sent: string[] = [];
    const server = await serve((request, response, body) => {
      if (request.method === 'POST') sent.push(body);
      const choices = ['a', 'b', 'c'].map((value) => `<input type="radio" name="q${sent.length}_choice" value="${value}">`);
      response.end(
        `<form><input type="hidden" name="attempt" value="${sent.length}">${choices.join('')}<textarea name="why"></textarea></form>`,
      );
    });
    const journey = [
      { name: 'question', captures: [{ from: 'form' as const, as: 'fields', field: 'q*_choice', text: 'by {{person}}' }] },
      {
        name: 'answer',
        method: 'POST' as const,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: '{{fields|raw}}&next=Go+on',
      },
    ];
    const plan = { variables: { person: { kind: 'item' as const, of: ['A & B'], per: 'user' as const } }, journey };
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 60 }, plan });
    expect(driven.cell.outcomes).toEqual({ ok: 60 });
    expect(sent.map((body) => body.replace(/=[abc]&/, '=?&'))).toEqual(
      sent.map((_, index) => `attempt=${index}&q${index}_choice=?&why=by+A+%26+B&next=Go+on`),
    );
    expect(new Set(sent.map((body) => /_choice=(.)/.exec(body)?.[1]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('fills in form field names that contain an id of the page', async () => {
    const sent: string[] = [];
    const server = await serve((request, response, body) => {
      if (request.method === 'POST') sent.push(body);
      response.end('<input name="q7002:1_choice">');
    });
    const journey = [
      { name: 'question', captures: [{ from: 'body' as const, as: 'usage', pattern: 'name="q(\\d+):1_choice"' }] },
      { name: 'answer', method: 'POST' as const, form: { 'q{{usage}}:1_choice': '2', '\\{{usage}}': 'as it is' } },
    ];
    const driven = await walk(server, { journey });
    expect(driven.cell.outcomes).toEqual({ ok: 60 });
    expect(new Set(sent)).toEqual(new Set(['q7002%3A1_choice=2&%7B%7Busage%7D%7D=as+it+is']));
  });

  it('sends no request that needs a missing cookie, and reports the reason', async () => {
    const server = await serve((_, response) => response.end('no cookies here'));
    const driven = await walk(server, { journey: login });
    expect(driven.steps[1]?.errors).toEqual({ 'NO_VALUE {{cookie._xsrf}}@build': driven.journeys.started });
    expect(driven.steps[1]?.outcomes).toEqual({ notMade: driven.journeys.started });
    expect(server.requests).toBe(driven.steps[0]?.started);
    expect(driven.journeys.finished).toBe(0);
  });

  it('logs in once for users who keep their cookies', async () => {
    const seen: string[] = [];
    const server = await site(seen);
    const journey = login.map((step, index) => (index < 2 ? { ...step, once: true } : { ...step, path: '/tasks', checks: [] }));
    const driven = await walk(server, { journey, variables: { ...variables, number: { kind: 'integer', from: 1, to: 9, per: 'user' } } });
    expect(driven.cell.errors).toEqual({});
    expect(driven.steps.map(({ started }) => started)).toEqual([4, 4, 20, 4]);
    expect(seen.filter((line) => line.startsWith('GET /tasks user'))).toHaveLength(20);
  });
});

describe('a required step', () => {
  it('ends the journey when it fails, unlike other steps', async () => {
    const server = await serve((request, response) => response.writeHead(request.url === '/no' ? 403 : 200).end('x'));
    const next = { name: 'next', path: '/yes' };
    const refused = await walk(server, { journey: [{ name: 'log in', path: '/no', required: true }, next], cookies: 'journey' });
    expect(refused.steps.map(({ started }) => started)).toEqual([30, 0]);
    expect(refused.journeys).toMatchObject({ started: 30, finished: 0, abandoned: 30 });
    const other = await walk(server, { journey: [{ name: 'page', path: '/no' }, next], cookies: 'journey' });
    expect(other.steps.map(({ started }) => started)).toEqual([30, 30]);
  });
});

describe('a capture', () => {
  const page = '<a class="t" href="/a">A</a><a class="t" href="/b?c=1&amp;d=2">B</a> Random seed: 42; {"no": "json"}';

  it('that finds nothing fails the request and ends the journey', async () => {
    const server = await serve((_, response) => response.end(page));
    const captures = [{ from: 'between' as const, as: 'seed', after: 'Template id: ', before: ';' }];
    const driven = await walk(server, {
      journey: [
        { name: 'page', captures },
        { name: 'next', path: '/{{seed}}' },
      ],
    });
    expect(driven.steps[0]?.outcomes).toEqual({ wrongBody: 30 });
    expect(driven.steps[0]?.errors).toEqual({ 'NOTHING_CAPTURED “seed”@check': 30 });
    expect(driven.steps[1]?.started).toBe(0);
    expect(driven.journeys).toMatchObject({ started: 30, finished: 0, abandoned: 30 });
  });

  it('takes values from bodies, JSON, headers and cookies, and escapes them where they are used', async () => {
    const seen: { url: string; body: string; header: string | undefined }[] = [];
    const server = await serve((request, response, body) => {
      if (request.url === '/page') {
        response.setHeader('X-Place', 'room; id="a b/ü"');
        response.setHeader('Set-Cookie', 'token=x=1; Path=/');
        response.end(page);
      } else if (request.url === '/json') response.end('{"list":[{"id":1},{"id":2}],"text":"say \\"hi\\"\\r\\nEvil: 1"}');
      else {
        seen.push({ url: request.url ?? '', body, header: request.headers['x-text']?.toString() });
        response.end();
      }
    });
    const journey: PlanInput['journey'] = [
      {
        name: 'page',
        path: '/page',
        captures: [
          { from: 'body', as: 'last', pattern: 'class="t" href="([^"]*)"', which: 'last', html: true },
          { from: 'between', as: 'seed', after: 'Random seed: ', before: ';' },
          { from: 'header', as: 'place', name: 'X-Place', pattern: 'id="([^"]*)"' },
          { from: 'cookie', as: 'token', name: 'token' },
        ],
      },
      {
        name: 'json',
        path: '/json',
        captures: [
          { from: 'json', as: 'id', path: '$.list[1].id' },
          { from: 'json', as: 'text', path: '$.text' },
        ],
      },
      {
        name: 'post',
        method: 'POST',
        path: '/p/{{place}}',
        query: { 'a b': '{{text}}', c: 'x y' },
        headers: { 'X-Text': '{{text}}' },
        json: { id: '{{id|raw}}', text: '{{text}}', nested: ['{{seed}}', 1, null] },
      },
      { name: 'link', path: '{{last}}' },
    ];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 4 }, plan: { journey } });
    expect(driven.cell.errors).toEqual({});
    const [post, link] = seen;
    expect(link?.url).toBe('/b?c=1&d=2');
    // Node reads headers as Latin-1.
    expect(post?.header).toBe('say "hi"%0D%0AEvil: 1');
    expect(JSON.parse(post?.body ?? '')).toEqual({ id: 2, text: 'say "hi"\r\nEvil: 1', nested: ['42', 1, null] });
    const url = new URL(post?.url ?? '', server.url);
    expect(decodeURIComponent(url.pathname)).toContain('/p/a b/');
    expect(url.pathname.split('/')).toHaveLength(3);
    expect([...url.searchParams]).toEqual([
      ['a b', 'say "hi"\r\nEvil: 1'],
      ['c', 'x y'],
    ]);
  });

  it('cannot lead to another server', async () => {
    const server = await serve((_, response) => response.end('href="http://127.0.0.2:9/"'));
    const journey = [
      { name: 'page', captures: [{ from: 'body' as const, as: 'link', pattern: 'href="([^"]*)"' }] },
      { name: 'next', path: '{{link}}' },
    ];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey } });
    expect(driven.steps[1]?.errors).toEqual({ 'STEP_LEAVES_TARGET@build': 1 });
    expect(driven.journeys).toMatchObject({ finished: 0, abandoned: 1 });
  });
});

describe('redirects', () => {
  const journey = [{ name: 'page', path: '/start', redirects: { follow: true as const, most: 3 } }];
  const redirecting = (to: (path: string) => string): Promise<TestServer> =>
    serve((request, response) => response.writeHead(302, { Location: to(request.url ?? '') }).end());

  it('that loop, do not end or leave the server are failures', async () => {
    const circle = await walk(await redirecting((path) => (path === '/a' ? '/b' : '/a')), { journey });
    expect(Object.keys(circle.cell.errors)).toEqual(['REDIRECT_LOOP /a@check']);
    const endless = await walk(await redirecting((path) => `${path}x`), { journey });
    expect(Object.keys(endless.cell.errors)).toEqual(['TOO_MANY_REDIRECTS 3@check']);
    expect(endless.steps.map(({ started }) => started)).toEqual([60, 180]);
    const away = await walk(await redirecting(() => 'http://other.example.org/'), { journey });
    expect(Object.keys(away.cell.errors)).toEqual(['LEAVES_TARGET other.example.org@check']);
    for (const { journeys } of [circle, endless, away]) expect(journeys).toMatchObject({ started: 60, finished: 0, abandoned: 60 });
  });

  it('keep method and body if the status requires it', async () => {
    const seen: string[] = [];
    const server = await serve((request, response, body) => {
      seen.push(`${request.method} ${request.url} ${body}`);
      if (request.url === '/start') response.writeHead(307, { Location: '/again' }).end();
      else if (request.url === '/again') response.writeHead(303, { Location: '/end' }).end();
      else response.end();
    });
    const posting = [{ ...journey[0], name: 'post', method: 'POST' as const, form: { a: '1 2' } }];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan: { journey: posting } });
    expect(driven.cell.outcomes).toEqual({ ok: 3 });
    expect(seen).toEqual(['POST /start a=1+2', 'POST /again a=1+2', 'GET /end ']);
  });
});
