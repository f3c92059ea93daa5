import { type Application, loginFields, logIn, mayLogIn } from '../application.ts';

// Content management systems whose scripts and pages contain tokens.

/** WordPress: nonces are in a script on the page, in links and in forms, and the heartbeat sends one of them. */
export const wordpress: Application = {
  name: 'WordPress nonces',
  handle(request) {
    const { method, path, form, query, session, now, headers } = request;
    const nonce = (use: string): string => {
      const nonce = session.data.get(`nonce ${use}`) ?? now.token(10);
      session.data.set(`nonce ${use}`, nonce);
      return nonce;
    };
    if (path === '/wp-login.php' && method === 'POST') {
      if (!mayLogIn(form.get('log'), form.get('pwd'))) return request.html('<form></form>', 'Log In');
      session.user = form.get('log');
      return request.redirect(form.get('redirect_to') ?? '/wp-admin/');
    }
    if (path === '/wp-login.php')
      return request.html(
        `<form method="post" name="loginform">${loginFields('log', 'pwd')}<input name="rememberme" type="checkbox" value="forever"><input type="submit" name="wp-submit" value="Log in"><input type="hidden" name="redirect_to" value="/wp-admin/"><input type="hidden" name="testcookie" value="1"></form>`,
        'Log In',
      );
    if (session.user === null) return request.redirect('/wp-login.php');
    if (path === '/wp-admin/admin-ajax.php') {
      if (form.get('_nonce') !== nonce('heartbeat')) return request.sendJson({ nonces_expired: true }, 403);
      return request.sendJson({ server_time: 1, wp_auth_check: true });
    }
    if (path === '/wp-json/wp/v2/posts' && method === 'POST') {
      if (headers['x-wp-nonce'] !== nonce('rest')) return request.sendJson({ code: 'rest_cookie_invalid_nonce' }, 403);
      const id = now.number();
      session.data.set(`post ${id}`, '');
      return request.sendJson({ id: Number(id), status: 'draft', link: `/?p=${id}` }, 201);
    }
    const made = /^\/wp-json\/wp\/v2\/posts\/(\d+)$/.exec(path)?.[1];
    if (made !== undefined) {
      if (headers['x-wp-nonce'] !== nonce('rest') || !session.data.has(`post ${made}`)) return request.sendJson({}, 403);
      return request.sendJson({ id: Number(made), status: 'publish' });
    }
    if (path === '/wp-admin/post.php') {
      const use = query.get('action') === 'trash' ? 'trash-post_7' : 'view';
      if (query.get('_wpnonce') !== nonce(use)) return request.refuse();
      return request.redirect('/wp-admin/');
    }
    if (path === '/wp-admin/options.php') {
      if (form.get('_wpnonce') !== nonce('options')) return request.refuse();
      return request.redirect('/wp-admin/');
    }
    return request.html(
      `<script>var wpApiSettings = {"root":"/wp-json/","nonce":"${nonce('rest')}","versionString":"wp/v2/"};</script>
<script id="heartbeat-js-extra">var heartbeatSettings = {"nonce":"${nonce('heartbeat')}","suspension":"disable"};
const beat = () => fetch('/wp-admin/admin-ajax.php', { method: 'POST', body: new URLSearchParams({ action: 'heartbeat', _nonce: heartbeatSettings.nonce, interval: '60', screen_id: 'dashboard' }) });
let post = 0;
const send = (path, value) => fetch(path, { method: 'POST', headers: { 'X-WP-Nonce': wpApiSettings.nonce, 'Content-Type': 'application/json' }, body: JSON.stringify(value) }).then((answer) => answer.json());
async function draft() { post = (await send('/wp-json/wp/v2/posts', { title: 'Hello', content: 'World' })).id; }
async function publish() { await send('/wp-json/wp/v2/posts/' + post, { id: post, status: 'publish' }); }
</script>
<a href="/wp-admin/post.php?post=7&amp;action=view&amp;_wpnonce=${nonce('view')}">View</a> <a href="/wp-admin/post.php?post=7&#038;action=trash&#038;_wpnonce=${nonce('trash-post_7')}">Trash</a>
<button onclick="beat()">Beat</button><button onclick="draft()">Save draft</button><button onclick="publish()">Publish</button>
<form method="post" action="/wp-admin/options.php"><input type="hidden" id="_wpnonce" name="_wpnonce" value="${nonce('options')}"/><input type="hidden" name="_wp_http_referer" value="/wp-admin/"><label>Title <input name="blogname" value="My site"></label><button>Save</button></form>`,
      'Dashboard',
    );
  },
  journeys: {
    'heartbeat and settings': async (person) => {
      await logIn(person, '/wp-login.php');
      await person.click('button', 'Beat');
      await person.fill('Title', 'Lanterns');
      await person.click('button', 'Save');
    },
    'draft and publish': async (person) => {
      await logIn(person, '/wp-login.php');
      await person.click('button', 'Save draft');
      await person.click('button', 'Publish');
    },
    trash: async (person) => {
      await logIn(person, '/wp-login.php');
      await person.click('link', 'Trash');
    },
  },
};

const WIKI_SCRIPT = `<script>
const api = (fields, method = 'POST') => fetch('/api.php' + (method === 'GET' ? '?' + new URLSearchParams(fields) : ''), { method, body: method === 'GET' ? undefined : new URLSearchParams(fields) }).then((answer) => answer.json());
const field = (label) => [...document.querySelectorAll('label')].find((one) => one.textContent.trim() === label).querySelector('input').value;
async function logIn() { const found = await api({ action: 'query', meta: 'tokens', type: 'login', format: 'json' }, 'GET'); await api({ action: 'login', lgname: field('User name'), lgpassword: field('Password'), lgtoken: found.query.tokens.logintoken, format: 'json' }); }
let revision = 0;
async function edit() { const found = await api({ action: 'query', meta: 'tokens', format: 'json' }, 'GET'); const made = await api({ action: 'edit', title: 'Sandbox', text: 'Lanterns of 1920', token: found.query.tokens.csrftoken, ...(revision === 0 ? {} : { baserevid: revision }), format: 'json' }); revision = made.edit.newrevid; }
async function watch() { const found = await api({ action: 'query', meta: 'tokens', type: 'watch', format: 'json' }, 'GET'); await api({ action: 'watch', titles: 'Sandbox', token: found.query.tokens.watchtoken, format: 'json' }); }
</script>`;

/** MediaWiki: tokens end with “+\” and are requested as JSON before each change. */
export const mediawiki: Application = {
  name: 'MediaWiki tokens',
  handle(request) {
    const { method, path, form, query, session, now } = request;
    if (path !== '/api.php')
      return request.html(
        `${WIKI_SCRIPT}<h1>Main page</h1>${loginFields('lgname', 'lgpassword')}<button onclick="logIn()">Log in</button><button onclick="edit()">Edit</button><button onclick="watch()">Watch</button>`,
        'Main page',
      );
    if (method === 'GET') {
      const kind = query.get('type') ?? 'csrf';
      const token = now.note(`${now.token(40)}+\\`);
      session.tokens.add(`${kind} ${token}`);
      return request.sendJson({ batchcomplete: '', query: { tokens: { [`${kind}token`]: token } } });
    }
    const action = form.get('action');
    if (action === 'login') {
      if (!session.tokens.has(`login ${form.get('lgtoken')}`) || !mayLogIn(form.get('lgname'), form.get('lgpassword')))
        return request.sendJson({ login: { result: 'Failed' } }, 403);
      session.user = form.get('lgname');
      return request.sendJson({ login: { result: 'Success', lgusername: session.user } });
    }
    const kind = action === 'edit' ? 'csrf' : 'watch';
    if (session.user === null || !session.tokens.has(`${kind} ${form.get('token')}`))
      return request.sendJson({ error: { code: 'badtoken' } }, 403);
    if (kind === 'watch') return request.sendJson({ watch: [{ title: 'Sandbox', watched: true }] });
    const base = form.get('baserevid');
    if (base !== null && base !== session.data.get('revision')) return request.sendJson({ error: { code: 'editconflict' } }, 409);
    const revision = now.number();
    session.data.set('revision', revision);
    return request.sendJson({ edit: { result: 'Success', title: 'Sandbox', newrevid: Number(revision) } });
  },
  journeys: {
    'log in': async (person) => logIn(person, '/'),
    'edit twice': async (person) => {
      await logIn(person, '/');
      await person.click('button', 'Edit');
      await person.click('button', 'Edit');
    },
    watch: async (person) => {
      await logIn(person, '/');
      await person.click('button', 'Watch');
    },
  },
};
