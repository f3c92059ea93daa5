import { type Application, loginFields, logIn, mayLogIn } from '../application.ts';

// Applications with tokens and ids for scripts, in JSON and in addresses.

const JWT_SCRIPT = `<script>
let state = {};
const ask = (method, path, value) => fetch(path, { method, headers: { ...(state.accessToken ? { Authorization: 'Bearer ' + state.accessToken } : {}), 'Content-Type': 'application/json' }, body: value && JSON.stringify(value) }).then((answer) => answer.json());
const field = (label) => [...document.querySelectorAll('label')].find((one) => one.textContent.trim() === label).querySelector('input').value;
async function logIn() { state = await ask('POST', '/api/login', { username: field('User name'), password: field('Password') }); await ask('GET', '/api/users/' + state.user.id + '/projects?limit=10'); }
async function create() { state.project = await ask('POST', '/api/projects', { name: 'Bridge', owner: state.user.id, size: 3 }); }
async function rename() { await ask('PATCH', '/api/projects/' + state.project.id, { name: 'Tunnel', version: state.project.version }); }
async function refresh() { Object.assign(state, await ask('POST', '/api/refresh', { refreshToken: state.refreshToken })); }
</script>`;

/** A single-page app with a JSON Web Token that is renewed. */
export const jwt: Application = {
  name: 'JSON Web Token',
  handle(request) {
    const { method, path, json, session, now, headers } = request;
    if (!path.startsWith('/api/'))
      return request.html(
        `${JWT_SCRIPT}<h1>Projects</h1>${loginFields()}<button onclick="logIn()">Log in</button><button onclick="create()">Create</button><button onclick="rename()">Rename</button><button onclick="refresh()">Refresh</button>`,
        'Projects',
      );
    const issueToken = (): string => {
      const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = now.note(
        `${encodeJson({ alg: 'HS256' })}.${encodeJson({ sub: session.user, jti: now.token(16) })}.${now.token(43, 'url')}`,
      );
      session.tokens.add(token);
      return token;
    };
    if (path === '/api/login') {
      if (!mayLogIn(json['username'], json['password'])) return request.sendJson({ error: 'wrong' }, 401);
      session.user = String(json['username']);
      const id = now.note(session.user === 'adalovelace' ? '23042' : '23077');
      session.data.set('id', id);
      const refreshToken = now.uuid();
      session.data.set('refresh', refreshToken);
      return request.sendJson({ accessToken: issueToken(), refreshToken, expiresIn: 3600, user: { id: Number(id), name: session.user } });
    }
    if (path === '/api/refresh') {
      if (json['refreshToken'] !== session.data.get('refresh')) return request.sendJson({}, 401);
      session.tokens.clear();
      return request.sendJson({ accessToken: issueToken() });
    }
    if (!session.tokens.has(String(headers.authorization ?? '').replace('Bearer ', ''))) return request.sendJson({}, 401);
    if (path.startsWith('/api/users/'))
      return path === `/api/users/${session.data.get('id')}/projects`
        ? request.sendJson({ items: [], total: 0 })
        : request.sendJson({}, 403);
    if (path === '/api/projects' && method === 'POST') {
      if (String(json['owner']) !== session.data.get('id')) return request.sendJson({}, 403);
      const [id, version] = [now.uuid(), now.token(12)];
      session.data.set(id, version);
      return request.sendJson({ id, version, name: 'Bridge' }, 201);
    }
    const version = session.data.get(path.replace('/api/projects/', ''));
    return version !== undefined && version === json['version'] ? request.sendJson({ name: 'Tunnel' }) : request.sendJson({}, 409);
  },
  journeys: {
    'log in': async (person) => logIn(person, '/'),
    'create and rename': async (person) => {
      await logIn(person, '/');
      await person.click('button', 'Create');
      await person.click('button', 'Rename');
    },
    'renew the token': async (person) => {
      await logIn(person, '/');
      await person.click('button', 'Refresh');
      await person.click('button', 'Create');
    },
  },
};

/** OAuth: a state and a code occur only in redirect addresses, and a token is sent in exchange for the code. */
export const oauth: Application = {
  name: 'OAuth state',
  handle(request) {
    const { method, path, form, json, query, session, now, headers } = request;
    if (path === '/start') {
      const state = now.token(24, 'url');
      session.data.set('state', state);
      return request.redirect(`/authorize?client_id=shop&response_type=code&state=${state}&redirect_uri=%2Fcallback`);
    }
    if (path === '/authorize')
      return request.html(
        `<form method="post" action="/decide">${loginFields()}<input type="hidden" name="state"><input type="hidden" name="client_id" value="shop"><button>Log in</button></form><script>document.querySelector('[name=state]').value = new URLSearchParams(location.search).get('state');</script>`,
        'Authorize',
      );
    if (path === '/decide' && method === 'POST') {
      if (form.get('state') !== session.data.get('state') || !mayLogIn(form.get('username'), form.get('password'))) return request.refuse();
      session.user = form.get('username');
      const code = now.token(28, 'url');
      session.data.set('code', code);
      return request.redirect(`/callback?code=${code}&state=${form.get('state')}`);
    }
    if (path === '/callback') {
      if (query.get('code') !== session.data.get('code')) return request.refuse();
      return request.html(
        `<h1>Welcome back</h1><script>
const given = new URLSearchParams(location.search);
let token = '';
async function exchange() { token = (await (await fetch('/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', code: given.get('code'), client_id: 'shop' }) })).json()).access_token; }
const me = () => fetch('/me', { headers: { Authorization: 'Bearer ' + token } });
const order = () => fetch('/orders', { method: 'POST', headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' }, body: JSON.stringify({ article: 'lantern', count: 2 }) });
</script><button onclick="exchange()">Continue</button><button onclick="me()">Profile</button><button onclick="order()">Order</button>`,
        'Welcome',
      );
    }
    if (path === '/token') {
      if (form.get('code') !== session.data.get('code')) return request.sendJson({ error: 'invalid_grant' }, 400);
      const token = now.token(40, 'url');
      session.tokens.add(token);
      return request.sendJson({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
    }
    if (!session.tokens.has(String(headers.authorization ?? '').replace('Bearer ', ''))) return request.sendJson({}, 401);
    return request.sendJson({ name: session.user, got: json });
  },
  journeys: {
    'log in': async (person) => logIn(person, '/start'),
    'look at the profile': async (person) => {
      await logIn(person, '/start');
      await person.click('button', 'Continue');
      await person.click('button', 'Profile');
    },
    order: async (person) => {
      await logIn(person, '/start');
      await person.click('button', 'Continue');
      await person.click('button', 'Order');
    },
  },
};

/** One-time ids in paths (a wizard, a confirmation, a polled job), and a token from a cookie. */
export const oneTime: Application = {
  name: 'One-time ids',
  handle(request) {
    const { method, path, form, session, now, headers } = request;
    if (path === '/') {
      if (!request.cookies.has('XSRF-TOKEN')) request.setCookie(`XSRF-TOKEN=${now.token(40)}; Path=/`);
      return request.html('<h1>Forms</h1><a href="/begin">Begin</a><a href="/page/2">More</a>', 'Forms');
    }
    if (path === '/page/2') return request.html('<a href="/">Back</a>', 'More forms');
    if (path === '/begin') {
      const id = now.uuid();
      session.data.set('wizard', id);
      return request.redirect(`/w/${id}/1`, 303);
    }
    const [, id = '', part = ''] = /^\/w\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
    if (id !== '') {
      if (session.data.get('wizard') !== id) return request.refuse(404);
      if (part === '1')
        return request.html(
          `<form method="post" action="/w/${id}/2"><label>Name <input name="name"></label><button>Next</button></form>`,
          'Part 1',
        );
      if (part === '2' && method === 'POST') {
        const [key, job] = [now.token(16), now.token(20)];
        session.data.set('key', key).set('job', job);
        return request.html(
          `<h1>Check, ${form.get('name')}</h1><a href='/confirm/${key}'>Confirm</a><div id="job" data-job="${job}"></div><button onclick="fetch('/jobs/' + document.querySelector('#job').dataset.job + '/status', { headers: { 'X-XSRF-TOKEN': document.cookie.replace(/^.*XSRF-TOKEN=([^;]*).*$/, '$1') } })">Status</button>`,
          'Part 2',
        );
      }
    }
    if (path === `/confirm/${session.data.get('key')}`) return request.html('<h1>Done</h1>', 'Done');
    const isJob = path === `/jobs/${session.data.get('job')}/status` && headers['x-xsrf-token'] === request.cookies.get('XSRF-TOKEN');
    return isJob ? request.sendJson({ state: 'running' }) : request.refuse(404);
  },
  journeys: {
    read: async (person) => {
      await person.open('/');
      await person.click('link', 'More');
    },
    confirm: async (person) => {
      await person.open('/');
      await person.click('link', 'Begin');
      await person.fill('Name', 'Grace');
      await person.click('button', 'Next');
      await person.click('link', 'Confirm');
    },
    'ask after a job': async (person) => {
      await person.open('/');
      await person.click('link', 'Begin');
      await person.fill('Name', 'Grace');
      await person.click('button', 'Next');
      await person.click('button', 'Status');
      await person.click('link', 'Confirm');
    },
  },
};

/** HTTP Basic in front of a page that has a token in a script. */
export const basic: Application = {
  name: 'Basic and script',
  handle(request) {
    const { method, path, session, now, headers, json } = request;
    const [name = '', password = ''] = Buffer.from(String(headers.authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    if (!mayLogIn(name, password)) return request.sendJson({}, 401, { 'WWW-Authenticate': 'Basic realm="x"' });
    if (method === 'POST')
      return session.tokens.has(String(json['token'])) ? request.sendJson({ id: Number(now.number()) }) : request.refuse();
    const token = now.token(32);
    session.tokens.add(token);
    return request.html(
      `<h1>Board</h1><script>window.config = { 'requestToken': '${token}', version: '12.4.1' };
const vote = () => fetch('/vote', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token: window.config.requestToken, choice: 'b', version: window.config.version }) });</script><button onclick="vote()">Vote</button><a href="/list">List</a>`,
      path === '/list' ? 'List' : 'Board',
    );
  },
  journeys: {
    read: async (person) => {
      await person.open('/');
      await person.click('link', 'List');
    },
    vote: async (person) => {
      await person.open('/');
      await person.click('button', 'Vote');
    },
    'vote on the list': async (person) => {
      await person.open('/');
      await person.click('link', 'List');
      await person.click('button', 'Vote');
    },
  },
};
