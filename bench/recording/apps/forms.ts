import { type Application, loginFields, logIn, mayLogIn, type Request } from '../application.ts';

// Applications with tokens in forms, as frameworks create them.

/** Returns a token for a page, and records it in the session. */
function makeToken({ session, now }: Request, length = 64, kind: 'hex' | 'base64' | 'url' = 'url'): string {
  const token = now.token(length, kind);
  session.tokens.add(token);
  return token;
}

/** Django: each form has a masked token, and the cookie has another one. The session accepts both. */
export const django: Application = {
  name: 'Django forms',
  handle(request) {
    const { method, path, form, session, now } = request;
    const field = (): string => `<input type="hidden" name="csrfmiddlewaretoken" value="${makeToken(request)}">`;
    if (!request.cookies.has('csrftoken')) request.setCookie(`csrftoken=${now.token(32)}; Path=/`);
    if (method === 'POST' && !session.tokens.has(form.get('csrfmiddlewaretoken') ?? '')) return request.refuse();
    if (path === '/accounts/login/' && method === 'POST') {
      if (!mayLogIn(form.get('username'), form.get('password')))
        return request.html(`<form method="post">${field()}${loginFields()}<button>Log in</button></form>`, 'Log in');
      session.user = form.get('username');
      return request.redirect(form.get('next') ?? '/');
    }
    if (path === '/accounts/login/')
      return request.html(
        `<form method="post">${field()}<input type="hidden" name="next" value="/">${loginFields()}<button>Log in</button></form>`,
        'Log in',
      );
    if (session.user === null) return request.redirect(`/accounts/login/?next=${path}`);
    if (path === '/notes/new' && method === 'POST') {
      const id = now.number();
      session.data.set(id, form.get('text') ?? '');
      return request.redirect(`/notes/${id}/`);
    }
    const id = /^\/notes\/(\d+)\//.exec(path)?.[1];
    if (id !== undefined) {
      if (!session.data.has(id)) return request.refuse(404);
      if (method === 'POST') session.data.set(id, form.get('text') ?? '');
      return request.html(
        `<h1>Note ${id}</h1><form method="post" action="/notes/${id}/edit">${field()}<label>Text <input name="text" value="${session.data.get(id)}"></label><button>Save</button></form><form method="post" action="/notes/${id}/archive">${field()}<input type="hidden" name="note" value="${id}"><button>Archive</button></form><a href="/">Home</a>`,
        `Note ${id}`,
      );
    }
    if (path === '/notes/new')
      return request.html(`<form method="post">${field()}<label>Text <input name="text"></label><button>Add</button></form>`, 'New note');
    const rows = [...session.data].map(([key, text]) => `<li><a href="/notes/${key}/">${text}</a></li>`).join('');
    return request.html(
      `<h1>Welcome, ${session.user}</h1><ul>${rows}</ul><a href="/notes/new">New note</a><a href="/search?page=1">Search</a>`,
      'Home',
    );
  },
  journeys: {
    'log in and read': async (person) => {
      await logIn(person, '/accounts/login/');
      await person.click('link', 'Search');
    },
    'write a note and change it': async (person) => {
      await logIn(person, '/accounts/login/');
      await person.click('link', 'New note');
      await person.fill('Text', 'Buy 12 lanterns');
      await person.click('button', 'Add');
      await person.fill('Text', 'Buy 13 lanterns');
      await person.click('button', 'Save');
      await person.click('link', 'Home');
    },
    'write and archive': async (person) => {
      await logIn(person, '/accounts/login/');
      await person.click('link', 'New note');
      await person.fill('Text', 'Old');
      await person.click('button', 'Add');
      await person.click('button', 'Archive');
    },
  },
};

const RAILS_SCRIPT = `<script>
const token = () => document.querySelector('meta[name="csrf-token"]').content;
const ask = (method, path, value) => fetch(path, { method, headers: { 'X-CSRF-Token': token(), 'Content-Type': 'application/json', Accept: 'application/json' }, body: value && JSON.stringify(value) }).then((answer) => answer.status === 204 ? null : answer.json());
let last = 0;
async function add() { const made = await ask('POST', '/todos', { todo: { title: 'Milk' } }); last = made.id; document.querySelector('#list').innerHTML += '<li>' + made.title + '</li>'; }
async function done() { await ask('PATCH', '/todos/' + last, { todo: { done: true, id: last } }); }
async function removeIt() { await ask('DELETE', '/todos/' + last); }
</script>`;

/** Rails: a meta tag contains a token for scripts, and each form contains another one, with its attributes in another order. */
export const rails: Application = {
  name: 'Rails meta tag',
  handle(request) {
    const { method, path, form, session, now, headers } = request;
    const field = (): string =>
      `<input type="hidden" value="${makeToken(request, 86, 'base64')}" autocomplete="off" name="authenticity_token" />`;
    const given = form.get('authenticity_token') ?? headers['x-csrf-token'] ?? '';
    if (method !== 'GET' && !session.tokens.has(String(given))) return request.refuse(422);
    const meta = (): string =>
      `<meta name="csrf-param" content="authenticity_token" /><meta name="csrf-token" content="${makeToken(request, 86, 'base64')}" />`;
    if (path === '/session' && method === 'POST') {
      if (!mayLogIn(form.get('session[login]'), form.get('session[password]'))) return request.redirect('/session/new');
      session.user = form.get('session[login]');
      return request.redirect('/todos');
    }
    if (path === '/session/new')
      return request.html(
        `<form action="/locale" method="post">${field()}<button>Switch language</button></form><form action="/session" accept-charset="UTF-8" method="post">${field()}${loginFields('session[login]', 'session[password]')}<button>Log in</button></form>`,
        'Log in',
        200,
        meta(),
      );
    if (session.user === null) return request.redirect('/session/new');
    if (path === '/todos' && method === 'POST') {
      const id = now.number();
      session.data.set(id, '');
      return request.sendJson({ id: Number(id), title: 'Milk', done: false, url: `/todos/${id}` }, 201);
    }
    const id = /^\/todos\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) {
      if (!session.data.has(id)) return request.refuse(404);
      return request.sendJson({ id: Number(id), done: true });
    }
    if (path === '/profile' && method === 'POST') return request.redirect('/todos');
    return request.html(
      `${RAILS_SCRIPT}<h1>Todos</h1><ul id="list"></ul><button onclick="add()">Add todo</button><button onclick="done()">Done</button><button onclick="removeIt()">Remove</button><form action="/profile" method="post">${field()}<label>Colour <select name="colour"><option value="red">red</option><option value="blue" selected>blue</option></select></label><button>Save</button></form>`,
      'Todos',
      200,
      meta(),
    );
  },
  journeys: {
    'log in': async (person) => logIn(person, '/session/new'),
    'add and finish': async (person) => {
      await logIn(person, '/session/new');
      await person.click('button', 'Add todo');
      await person.click('button', 'Done');
      await person.click('button', 'Remove');
    },
    'two todos and settings': async (person) => {
      await logIn(person, '/session/new');
      await person.click('button', 'Add todo');
      await person.click('button', 'Add todo');
      await person.click('button', 'Done');
      await person.click('button', 'Save');
    },
  },
};

/** ASP.NET Web Forms: each click sends the state of the page back, and the state is compared with the session. */
export const aspnet: Application = {
  name: 'ASP.NET view state',
  handle(request) {
    const { method, path, form, session } = request;
    const state = (): string =>
      `<input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="${makeToken(request, 5_000, 'base64')}" /><input type="hidden" name="__VIEWSTATEGENERATOR" id="__VIEWSTATEGENERATOR" value="C2EE9ABB" /><input type="hidden" name="__EVENTVALIDATION" id="__EVENTVALIDATION" value="${makeToken(request, 300, 'base64')}" />`;
    const isForged =
      method === 'POST' && !(session.tokens.has(form.get('__VIEWSTATE') ?? '') && session.tokens.has(form.get('__EVENTVALIDATION') ?? ''));
    if (isForged) return request.html('<h1>Validation of viewstate MAC failed.</h1>', 'Server error', 500);
    if (path === '/Login.aspx' && method === 'POST') {
      if (!mayLogIn(form.get('ctl00$user'), form.get('ctl00$pass'))) return request.refuse();
      session.user = form.get('ctl00$user');
      return request.redirect('/Default.aspx');
    }
    if (path === '/Login.aspx')
      return request.html(
        `<form method="post" action="./Login.aspx">${state()}${loginFields('ctl00$user', 'ctl00$pass')}<input type="submit" name="ctl00$go" value="Log in"></form>`,
        'Log in',
      );
    if (session.user === null) return request.redirect('/Login.aspx');
    const count = Number(session.data.get('count') ?? 0) + (method === 'POST' ? 1 : 0);
    session.data.set('count', String(count));
    return request.html(
      `<h1>Page ${count}</h1><form method="post" action="./Default.aspx">${state()}<input type="hidden" name="__EVENTTARGET" value=""><label>Search <input name="ctl00$q" value=""></label><input type="submit" name="ctl00$find" value="Find"><input type="submit" name="ctl00$next" value="Next page"></form>`,
      'Default',
    );
  },
  journeys: {
    'log in': async (person) => logIn(person, '/Login.aspx'),
    search: async (person) => {
      await logIn(person, '/Login.aspx');
      await person.fill('Search', 'lantern');
      await person.click('button', 'Find');
    },
    'page through': async (person) => {
      await logIn(person, '/Login.aspx');
      for (let page = 0; page < 4; page += 1) await person.click('button', 'Next page');
    },
  },
};

/** Plone: forms and links have the same authenticator, pages have their own addresses, and attributes contain the pages' ids. */
export const plone: Application = {
  name: 'Plone authenticator',
  handle(request) {
    const { method, path, form, query, session, now } = request;
    const authenticator = (): string => makeToken(request, 40, 'hex');
    const field = (): string => `<input type="hidden" name="_authenticator" value="${authenticator()}"/>`;
    const givenText = form.get('_authenticator') ?? query.get('_authenticator') ?? '';
    const needs = method === 'POST' || path.endsWith('/delete') || path.endsWith('/publish');
    if (needs && !session.tokens.has(givenText)) return request.refuse();
    if (path === '/login' && method === 'POST') {
      if (!mayLogIn(form.get('__ac_name'), form.get('__ac_password')))
        return request.html(
          `<form method="post">${field()}${loginFields('__ac_name', '__ac_password')}<button>Log in</button></form>`,
          'Log in',
        );
      session.user = form.get('__ac_name');
      return request.redirect('/folder/folder_contents');
    }
    if (path === '/login')
      return request.html(
        `<form id="search" action="/@@search"><input name="text"></form><form method="post" id="login">${field()}<input type="hidden" name="form.submitted" value="1">${loginFields('__ac_name', '__ac_password')}<button>Log in</button></form>`,
        'Log in',
      );
    if (session.user === null) return request.redirect('/login?came_from=x');
    if (path === '/folder/++add++Document' && method === 'POST') {
      const name = `document-${now.number()}`;
      now.note(name);
      session.data.set(name, now.uuid());
      return request.redirect(`/folder/${name}/view`);
    }
    if (path === '/folder/++add++Document')
      return request.html(
        `<form method="post">${field()}<label>Title <input name="form.widgets.title"></label><button>Save</button></form>`,
        'Add page',
      );
    const [, name = '', action = ''] = /^\/folder\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
    if (name !== '') {
      const uid = session.data.get(name);
      if (uid === undefined) return request.refuse(404);
      if (action === 'delete') {
        session.data.delete(name);
        return request.redirect('/folder/folder_contents');
      }
      if (action === 'tag' && form.get('uid') !== uid) return request.refuse();
      return request.html(
        `<article data-uid="${uid}"><h1>${name}</h1></article><a href="/folder/${name}/publish?workflow_action=publish&amp;_authenticator=${authenticator()}">Publish</a><a href="/folder/${name}/delete?_authenticator=${authenticator()}">Delete</a><button onclick="fetch('/folder/${name}/tag', { method: 'POST', body: new URLSearchParams({ uid: document.querySelector('article').dataset.uid, tag: 'news', _authenticator: '${authenticator()}' }) })">Tag</button>`,
        name,
      );
    }
    return request.html(`<h1>Contents</h1><a href="/folder/++add++Document">Add page</a>`, 'Contents');
  },
  journeys: {
    'log in': async (person) => logIn(person, '/login'),
    'write and publish': async (person) => {
      await logIn(person, '/login');
      await person.click('link', 'Add page');
      await person.fill('Title', 'News of the day');
      await person.click('button', 'Save');
      await person.click('link', 'Publish');
    },
    'write, tag and delete': async (person) => {
      await logIn(person, '/login');
      await person.click('link', 'Add page');
      await person.fill('Title', 'Draft');
      await person.click('button', 'Save');
      await person.click('button', 'Tag');
      await person.click('link', 'Delete');
    },
  },
};
