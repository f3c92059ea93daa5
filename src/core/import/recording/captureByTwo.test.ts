import { describe, expect, it } from 'vitest';
import { captureByTwo } from './captureByTwo.ts';
import { passwordMark } from './passwordMark.ts';
import { planOfSteps, recordedStep } from './testing/site.ts';
import type { Exchange, Walk } from './walk.ts';
import { correlated, field, FORM, JSON_TYPE, stepOf } from './testing/twoSessions.ts';

describe('a value that changes from session to session', () => {
  const form = { method: 'POST', path: '/save', form: { csrf: 'aaaa1111bbbb', text: 'Hello 2024' } };
  const sent = { method: 'POST', url: '/save', headers: FORM, body: 'csrf=aaaa1111bbbb&text=Hello+2024' };

  it('is captured by the name of its field, whatever the order of its attributes', () => {
    const { plan, captured } = correlated({ first: field('aaaa1111bbbb'), second: field('cccc2222dddd'), step: form, sent });
    expect(stepOf(plan, 1)?.form).toEqual({ csrf: '{{csrf}}', text: 'Hello 2024' });
    const [capture] = stepOf(plan, 0)?.captures ?? [];
    expect(capture).toMatchObject({ from: 'body', as: 'csrf', html: true, which: 'first' });
    expect(captured).toEqual([{ name: 'csrf', from: 'page', kind: 'field', called: 'csrf', usedIn: 'next', usedAs: 'csrf' }]);
  });

  it('is not captured from a word in a link at the position where a later page shows the number of a new item', () => {
    const page = (more: string): Partial<Exchange> => ({ method: 'POST', text: `<a href="/notes/add/">Add</a>${more}` });
    const { captured } = correlated({
      first: page(''),
      second: page('<a href="/notes/17/change/">Lesson</a>'),
      step: { path: '/notes/add/' },
      sent: { url: '/notes/add/' },
    });
    expect(captured).toEqual([]);
  });

  it.each(['d1.example', 'baker.example'])('is captured as the domain of a mail address of the account: %s', (domain) => {
    const page = (of: string): Partial<Exchange> => ({
      text: `<a href="add?domain=${of}">Add</a>${['info', 'post', 'old'].map((name) => `<a href="edit?edit=${name}%40${of}">edit</a>`).join()}`,
    });
    const { plan } = correlated({
      first: page(domain),
      second: page('d2-miller.example'),
      step: { path: `/edit?edit=old%40${domain}` },
      sent: { url: `/edit?edit=old%40${domain}` },
    });
    expect(stepOf(plan, 1)?.path).toBe('/edit?edit=old%40{{edit}}');
  });

  it('is not captured as the domain of a mail address that is the same for everybody', () => {
    const page = { text: '<a href="/add?domain=school.example">Add</a><a href="mailto:info@school.example">Ask</a>' };
    const { captured } = correlated({
      first: page,
      second: page,
      step: { method: 'POST', path: '/save', form: { to: 'ada@school.example' } },
      sent: { method: 'POST', url: '/save', headers: FORM, body: 'to=ada%40school.example' },
    });
    expect(captured).toEqual([]);
  });

  it.each([
    ['the first option with a value', '<select name="_from"><option value="">-</option><option value="ID">Me</option></select>'],
    [
      'the preselected option',
      '<select name="_from"><option value="9ID">Old</option><option value=\'ID\' selected>Me &amp; you</option></select>',
    ],
    [
      'the option with the recorded label',
      '<select id="_from" name="_from" tabindex="1"><option value="1" selected>No</option><option value="ID">The hall</option></select>',
    ],
    ['the checked radio button', '<input type="radio" name="_from" value="0"><input type="radio" name="_from" value="ID" checked> Me'],
    [
      'the radio button with the recorded label',
      '<p><label><input type="radio" name="_from" value="0"> None</label><label><input name="_from" value="ID" type="radio"><b>The hall</b></label><label><input type="radio" name="_from" value="7"> More</label>',
    ],
    ['a hidden field', '<input type="hidden" name="_from" value="ID">'],
  ])('is captured as a short number from %s', (_, field) => {
    const page = (id: number): Partial<Exchange> => ({ text: `<form>${field.replaceAll('ID', String(id))}</form>` });
    const { plan, captured } = correlated({
      first: page(3),
      second: page(4),
      step: { method: 'POST', path: '/send', form: { _from: '3', _text: 'Hello' } },
      sent: { method: 'POST', url: '/send', headers: FORM, body: '_from=3&_text=Hello' },
    });
    expect(captured).toMatchObject([{ kind: 'field', called: '_from', from: 'page' }]);
    expect(stepOf(plan, 1)?.form).toEqual({ _from: '{{_from}}', _text: 'Hello' });
  });

  it.each([
    ['a call that names it', '_draft_saveid', (id: number) => `<script>parent.a.set_draft_id("${id}");</script>`],
    [
      'a call in JSON',
      '_uid',
      (id: number) => JSON.stringify({ exec: `this.count(3);\nthis.add_row(${id},{"subject":"x, \\"y\\""});\nthis.add_row(1,{});` }),
    ],
    ['a later argument', 'node_id', (id: number) => `<script>show_node('It\\'s (new)', {"a": [1, "b"]}, null, '${id}')</script>`],
  ])('is captured as a short number from %s', (_, name, page) => {
    const { plan, captured } = correlated({
      first: { text: page(4) },
      second: { text: page(5) },
      step: { method: 'POST', path: '/send', form: { [name]: '4' } },
      sent: { method: 'POST', url: '/send', headers: FORM, body: `${name}=4` },
    });
    expect(captured).toMatchObject([{ kind: 'script', from: 'page' }]);
    expect(stepOf(plan, 1)?.form).toEqual({ [name]: `{{${name}}}` });
  });

  it('is not captured from an older page if a walk did not reach the page that contains it', () => {
    const row = (id: number): string => `<script>add_draft_row(${id});</script>`;
    const list = (id: number) => recordedStep('list', [{ text: row(id) }]);
    const save = recordedStep('save', [{ method: 'POST', text: '<script>set_draft_id(3)</script>' }]);
    const again = recordedStep('again', [{ method: 'POST', headers: FORM, body: 'draft_id=3' }]);
    const steps = [{ name: 'list' }, { name: 'save', method: 'POST' }, { name: 'again', method: 'POST', form: { draft_id: '3' } }];
    const evidence = { recorded: [list(3), save, again], walks: [[list(7)]], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toEqual([]);
  });

  it.each([
    ['content[version]', 'content[version]', '3', true],
    ['lock_version', 'lock_version', '3', true],
    ['the api', 'api_version', '3', false],
    ['a level', 'level', '3', false],
    ['a program', 'version', '12.4.1', false],
  ])('is captured if it is the version of the edited item, even if no walk changed it: %s', (_, name, version, isCaptured) => {
    const page = { text: `<form><input type="hidden" name="${name}" value="${version}"></form>` };
    const { plan } = correlated({
      first: page,
      second: page,
      step: { method: 'POST', path: '/save', form: { [name]: version } },
      sent: { method: 'POST', url: '/save', headers: FORM, body: new URLSearchParams({ [name]: version }).toString() },
    });
    expect(Object.values(stepOf(plan, 1)?.form ?? {})[0]?.includes('{{')).toBe(isCaptured);
    const again = captureByTwo(plan, {
      recorded: [
        recordedStep('page', [page]),
        recordedStep('next', [{ method: 'POST', headers: FORM, body: new URLSearchParams({ [name]: version }).toString() }]),
      ],
      walks: [[recordedStep('page', [page])]],
      hasOtherAccount: true,
      secretFor: () => '',
    });
    expect(again.isChanged).toBe(false);
  });

  it('is not captured from a response beside the journey', () => {
    const toWalk = (token: string): Walk => [
      recordedStep('page', [{ text: `<input name="token" value="${token}">` }]),
      recordedStep('news', [{ text: JSON.stringify({ token }) }]),
      recordedStep('save', [{ method: 'POST', headers: FORM, body: `token=${token}` }]),
    ];
    const steps = [
      { name: 'page' },
      { name: 'news', background: { everySeconds: 5 } },
      { name: 'save', method: 'POST', form: { token: 'aaaa1111bbbb' } },
    ];
    const evidence = { recorded: toWalk('aaaa1111bbbb'), walks: [toWalk('cccc2222dddd')], hasOtherAccount: true, secretFor: () => '' };
    const load = { model: 'users', stages: [{ users: 1, seconds: 5 }] };
    expect(captureByTwo(planOfSteps(steps, { load }), evidence).captured).toMatchObject([{ from: 'page' }]);
  });

  it('does not count as constant because a list of other items contains the same number', () => {
    const toWalk = (id: number): Walk => [
      recordedStep('editor', [{ text: `<script>settings = {"post":{"id":${id},"nonce":"x"}}</script>` }]),
      recordedStep('people', [{ responseHeaders: JSON_TYPE, text: JSON.stringify([{ id: 2 }, { id: 5 }]) }]),
      recordedStep('save', [{ method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ id }) }]),
    ];
    const steps = [{ name: 'editor' }, { name: 'people' }, { name: 'save', method: 'POST', json: { id: 5 } }];
    const evidence = { recorded: toWalk(5), walks: [toWalk(30)], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toMatchObject([{ from: 'editor', usedAs: 'id' }]);
  });

  it('is captured from an address that a script writes with escaped slashes', () => {
    const page = (id: number): Partial<Exchange> => ({
      text: `<script>load({"href":"http:\\/\\/site.example\\/index.php?rest_route=\\/wp\\/v2\\/posts\\/${id}"}); id = 1;</script>`,
    });
    const address = (id: number): string => `/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F${id}&_locale=user`;
    const { plan } = correlated({
      first: page(5),
      second: page(30),
      step: { method: 'POST', path: address(5) },
      sent: { method: 'POST', url: address(5) },
    });
    expect(stepOf(plan, 1)?.path).toBe('/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F{{posts_id}}&_locale=user');
  });

  it('is not captured if it is the number of a link that all walks show, even if another link comes first', () => {
    const steps = [{ name: 'home' }, { name: 'read', path: '/?p=1' }];
    const toWalk = (...ids: number[]): Walk => [
      recordedStep('home', [{ text: ids.map((id) => `<a href="/?p=${id}">Post</a>`).join('') }]),
      recordedStep('read', [{ url: '/?p=1', text: 'done' }]),
    ];
    const evidence = { recorded: toWalk(1), walks: [toWalk(6, 1)], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toEqual([]);
    // A POST call that only reads data creates nothing.
    const asking = (walk: Walk): Walk => [
      recordedStep('ask', [{ method: 'POST', headers: FORM, body: 'zone=UTC&action=get-events', text: '{}' }]),
      ...walk,
    ];
    const asked = { recorded: asking(toWalk(1)), walks: [asking(toWalk(6, 1))], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps([{ name: 'ask', method: 'POST' }, ...steps]), asked).captured).toEqual([]);
    // The item that the journey created comes first in a list, before the item of an earlier walk.
    const making = [{ name: 'make', method: 'POST' }, ...steps];
    const makeConstant = (walk: Walk): Walk => [recordedStep('make', [{ method: 'POST', text: 'done' }]), ...walk];
    const again = {
      recorded: makeConstant(toWalk(1)),
      walks: [makeConstant(toWalk(6, 1))],
      hasOtherAccount: true,
      secretFor: () => '',
    };
    expect(captureByTwo(planOfSteps(making), again).captured).toMatchObject([{ from: 'home' }]);
  });

  it('is not captured from an unrelated call with the same number', () => {
    const page = (count: number): Partial<Exchange> => ({
      text: `<script>set_count("Inbox", ${count}); resize(${count}); add_message_row(${count});</script>`,
    });
    const { captured } = correlated({
      first: page(4),
      second: page(5),
      step: { method: 'POST', path: '/send', form: { level: '4', draft_id: '4' } },
      sent: { method: 'POST', url: '/send', headers: FORM, body: 'level=4&draft_id=4' },
    });
    expect(captured).toEqual([]);
  });

  it('is not captured from a layout attribute, such as a width', () => {
    const page = (width: number): Partial<Exchange> => ({
      text: `<input id="level" size="${width}" tabindex="${width}" maxlength="${width}" name="other"><progress id="level" max="${width}">`,
    });
    const { captured } = correlated({
      first: page(3),
      second: page(4),
      step: { method: 'POST', path: '/send', form: { level: '3' } },
      sent: { method: 'POST', url: '/send', headers: FORM, body: 'level=3' },
    });
    expect(captured).toEqual([]);
  });

  it('is captured as a short number from the address of a link, even if the page repeats the number elsewhere', () => {
    const page = (id: number): Partial<Exchange> => ({
      text: `${'<i title="1" width=1>1</i>'.repeat(20)}<a href="/notes/${id}/change/?from=1">Lesson</a>`,
    });
    const { plan, captured } = correlated({
      first: page(1),
      second: page(2),
      step: { path: '/notes/1/change/' },
      sent: { url: '/notes/1/change/' },
    });
    expect(captured).toMatchObject([{ kind: 'address', from: 'page' }]);
    expect(stepOf(plan, 1)?.path).toMatch(/^\/notes\/\{\{\w+\}\}\/change\/$/);
  });

  it.each([
    ['between other links of its kind', '<a href="/notes/add/">Add</a>', ''],
    ['after an image with many numbers', '', '<path d="M14,14"/>'.repeat(200)],
  ])('is captured as a short number from the address of a link %s', (_, link, picture) => {
    const page = (id: number): Partial<Exchange> => ({ text: `${picture}${link}<a href="/notes/${id}/edit/">Lesson</a>${link}` });
    const { plan } = correlated({ first: page(4), second: page(5), step: { path: '/notes/4/edit/' }, sent: { url: '/notes/4/edit/' } });
    expect(stepOf(plan, 1)?.path).toBe('/notes/{{notes_id}}/edit/');
  });

  it.each([
    ['/admin/account/', '/admin/help/'],
    ['/login?action=logout', '/login?action=rp'],
  ])('is not captured if it is a fixed word in the address %s, even if the last link of a page differs', (address, other) => {
    const toWalk = (last: string): Walk => [
      recordedStep('home', [{ text: `<a href="${address}">Ada</a>` }]),
      recordedStep('save', [{ method: 'POST', text: `<a href="${address}">Ada</a>${last}` }]),
      recordedStep('leave', [{ url: address, text: 'done' }]),
    ];
    const steps = [{ name: 'home' }, { name: 'save', method: 'POST' }, { name: 'leave', path: address }];
    const evidence = { recorded: toWalk(''), walks: [toWalk(`<a href="${other}">More</a>`)], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toEqual([]);
  });

  it('is not captured if it is a fixed word in a link after the login, even if other accounts see another link first', () => {
    const page = (first: string): string => `<a href="/admin/${first}/">First</a><a href="/admin/library/">Library</a>`;
    const toWalk = (first: string): Walk => [
      recordedStep('log in', [{ method: 'POST', headers: FORM, body: `user=ada&secret=${passwordMark(1)}`, text: page(first) }]),
      recordedStep('open', [{ url: '/admin/library/', text: 'done' }]),
    ];
    const steps = [
      { name: 'log in', method: 'POST' },
      { name: 'open', path: '/admin/library/' },
    ];
    const evidence = { recorded: toWalk('library'), walks: [toWalk('auth')], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toEqual([]);
  });

  it('is captured if it is the number of the logged-in account, even if the last walk used the recorded account', () => {
    const toWalk = (id: number): Walk => [
      recordedStep('log in', [
        {
          method: 'POST',
          headers: FORM,
          body: `user=ada&secret=${passwordMark(1)}`,
          responseHeaders: JSON_TYPE,
          text: JSON.stringify({ user: { id } }),
        },
      ]),
      recordedStep('open', [{ url: `/users/${id}/projects`, text: '[]' }]),
    ];
    const steps = [
      { name: 'log in', method: 'POST' },
      { name: 'open', path: '/users/23042/projects' },
    ];
    const evidence = { recorded: toWalk(23_042), walks: [toWalk(51_200), toWalk(23_042)], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).captured).toMatchObject([{ from: 'log in' }]);
  });

  it('is named by the location of its capture, even if another location has the same value', () => {
    const page = (id: number): Partial<Exchange> => ({
      text: `<input name="level" value="${id === 3 ? 3 : 1}"><input name="log_id" value="${id}">`,
    });
    const step = { method: 'POST', path: '/send', form: { log_id: '3' } };
    const sent = { method: 'POST', url: '/send', headers: FORM, body: 'log_id=3' };
    const { plan } = correlated({ first: page(3), second: page(4), step, sent });
    const [before, next] = plan.journey;
    const again = correlated(
      { first: page(3), second: page(4), step: { ...step, form: next?.form }, sent },
      { before: { captures: before?.captures } },
    );
    expect(again.captured).toMatchObject([{ called: 'log_id' }]);
  });

  it('is captured as a short number from a page, even if scripts send many requests after it', () => {
    const toWalk = (id: number): Walk => [
      recordedStep('page', [{ text: `<input type=hidden name="post_ID" value="${id}">` }]),
      ...Array.from({ length: 20 }, (_, index) => recordedStep(`script ${index}`, [{ text: '{"isReady":true}' }])),
      recordedStep('save', [{ method: 'POST', url: `/api/posts/${id}`, text: 'done' }]),
    ];
    const steps = toWalk(9).map(({ step, exchanges }) => ({
      name: step,
      method: exchanges[0]?.method,
      path: step === 'save' ? '/api/posts/9' : '/',
    }));
    const evidence = { recorded: toWalk(9), walks: [toWalk(12)], hasOtherAccount: true, secretFor: () => '' };
    expect(captureByTwo(planOfSteps(steps), evidence).plan.journey.at(-1)?.path).toBe('/api/posts/{{posts_id}}');
  });

  it('is not captured if every session has the same value', () => {
    const { plan, captured, isChanged } = correlated({ first: field('aaaa1111bbbb'), second: field('aaaa1111bbbb'), step: form, sent });
    expect(stepOf(plan, 1)?.form?.['csrf']).toBe('aaaa1111bbbb');
    expect([captured, isChanged]).toEqual([[], false]);
  });

  it('becomes constant if it was captured by its shape and every session has the same value', () => {
    const before = { captures: [{ from: 'between', as: 'csrf', after: 'value="', before: '"' }] };
    const { plan, constant } = correlated(
      { first: field('aaaa1111bbbb'), second: field('aaaa1111bbbb'), step: { ...form, form: { ...form.form, csrf: '{{csrf}}' } }, sent },
      { before },
    );
    // The field name suggests a secret, so the plan refers to the value instead of containing it.
    expect(stepOf(plan, 1)?.form?.['csrf']).toBe('{{csrf_2}}');
    expect(plan.variables).toEqual({ csrf_2: { kind: 'secret', secret: 'env:HOLDFAST_CSRF' } });
    expect(stepOf(plan, 0)?.captures).toBeUndefined();
    expect(constant).toEqual([{ step: 'next', called: 'csrf' }]);
  });

  it('gets a new capture if the capture found by its shape no longer matches', () => {
    const before = { captures: [{ from: 'between', as: 'csrf', after: 'aaaa', before: 'bbbb' }] };
    const wide = (token: string): Partial<Exchange> => ({ text: `<p>x</p>${field(token).text ?? ''}` });
    const { plan } = correlated(
      { first: wide('aaaa1111bbbb'), second: wide('cccc2222dddd'), step: { ...form, form: { ...form.form, csrf: '{{csrf}}' } }, sent },
      { before },
    );
    expect(stepOf(plan, 0)?.captures).toMatchObject([{ from: 'body', as: expect.stringContaining('csrf') }]);
  });

  it('stays captured if it belongs to an account and no second account was walked', () => {
    const user = { text: '{"user":{"id":23042}}', responseHeaders: JSON_TYPE };
    const orders = { path: '/users/{{users_id}}/orders' };
    const before = { captures: [{ from: 'json', as: 'users_id', path: '$.user.id' }] };
    const given = { first: user, second: user, step: orders, sent: { url: '/users/23042/orders' } };
    expect(stepOf(correlated(given, { before, hasOtherAccount: false }).plan, 1)?.path).toBe('/users/{{users_id}}/orders');
    expect(stepOf(correlated(given, { before }).plan, 1)?.path).toBe('/users/23042/orders');
  });

  it('is captured and sent in a WebSocket message', () => {
    const text = (token: string): string => `{"auth":{"token":"${token}"}}`;
    const { plan } = correlated({
      first: { text: '{"ticket":"aa11bb22cc33"}' },
      second: { text: '{"ticket":"dd44ee55ff66"}' },
      step: { path: '/live', stream: { kind: 'websocket', beside: true, send: { messages: [text('aa11bb22cc33')] } } },
      sent: { url: '/live', text: null, sentMessages: [text('aa11bb22cc33')] },
    });
    expect(stepOf(plan, 0)?.captures).toMatchObject([{ from: 'json', path: '$.ticket' }]);
    expect(stepOf(plan, 1)?.stream?.send?.messages).toEqual([text('{{ticket}}')]);
  });

  it('is read from the cookie if a cookie has the value', () => {
    const cookie = (value: string): Partial<Exchange> => ({ text: '', responseHeaders: [['Set-Cookie', `XSRF=${value}; Path=/`]] });
    const { plan } = correlated({
      first: cookie('aa11bb22'),
      second: cookie('cc33dd44'),
      step: { path: '/me', headers: { 'X-XSRF': 'aa11bb22' } },
      sent: { url: '/me', headers: [['X-XSRF', 'aa11bb22']] },
    });
    expect(stepOf(plan, 1)?.headers).toEqual({ 'X-XSRF': '{{cookie.XSRF}}' });
  });

  it('is sent without quotes if it is a number in JSON', () => {
    const { plan } = correlated({
      first: { text: '{"edit":{"newrevid":48151}}' },
      second: { text: '{"edit":{"newrevid":48160}}' },
      step: { method: 'POST', path: '/', json: { newrevid: 48_151, text: 'x' } },
      sent: { method: 'POST', headers: JSON_TYPE, body: '{"newrevid":48151,"text":"x"}' },
    });
    expect(stepOf(plan, 1)?.json).toEqual({ newrevid: '{{newrevid|raw}}', text: 'x' });
  });
});
