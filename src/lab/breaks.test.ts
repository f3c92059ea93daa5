import express from 'express';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Break, Breaks, STEP_HEADER, stepHeaderValue } from './breaks.ts';
import { listen } from './listen.ts';

const LIST = { result: 'success', metadata: { count: 2, items: ['a', 'b'] }, data: [{ id: 1 }, { id: 2 }] };
const PAGE = '<html><ul><li><a href="/1">one</a></li></ul><table><tr><th>Name</th></tr><tr data-id="1"><td>one</td></tr></table></html>';

async function serverWith(broken: Break | null) {
  const breaks = new Breaks(broken === null ? null : JSON.stringify(broken));
  const complete: boolean[] = [];
  const app = express();
  app.use((request, response, next) => {
    response.once('finish', () => complete.push(request.complete));
    next();
  });
  app.use(breaks.handler);
  app.get('/list', (_request, response) => void response.json(LIST));
  app.get('/by-key', (_request, response) => void response.json({ one: { name: 'One' }, two: { name: 'Two' } }));
  app.get('/page', (_request, response) => void response.send(PAGE));
  app.get('/account/:name', (request, response) => {
    response.send(breaks.isOtherAccount(request, request.params.name) ? 'refused' : 'welcome');
  });
  const { url, close } = await listen(app, null);
  onTestFinished(close);
  const ask = async (path: string, step = 'list'): Promise<{ status: number; body: string; location: string | null }> => {
    const response = await fetch(new URL(path, url), { headers: { [STEP_HEADER]: stepHeaderValue(step) }, redirect: 'manual' });
    return { status: response.status, body: await response.text(), location: response.headers.get('location') };
  };
  return { ask, breaks, url, complete };
}

it('breaks: nothing is broken by default', async () => {
  const { ask, breaks } = await serverWith(null);
  expect(await ask('/page')).toMatchObject({ status: 200, body: PAGE });
  expect(breaks.evaluates()).toBe(true);
});

it("breaks: exactly the given share of a step's requests fails, and no request of another step", async () => {
  const { ask } = await serverWith({ step: 'list', kind: 'status500', share: 0.6 });
  const statuses = [];
  for (let request = 0; request < 10; request += 1) statuses.push((await ask('/list')).status);
  expect(statuses.filter((status) => status === 500)).toHaveLength(6);
  expect(await ask('/list', 'another')).toMatchObject({ status: 200 });
});

it.each([
  ['errorPage', 200, /Something went wrong/, null],
  ['jsonError', 200, /"status":"error"/, null],
  ['toLogin', 302, /./, '/login'],
  ['backToForm', 302, /./, '/login'],
] as const)("breaks: %s is the response in place of the server's", async (kind, status, body, location) => {
  const { ask } = await serverWith({ step: 'list', kind, to: '/login' });
  const response = await ask('/list');
  expect(response).toMatchObject({ status, location });
  expect(response.body).toMatch(body);
});

it('breaks: a form is read to its end before the response, as a healthy server does', async () => {
  const { url, complete } = await serverWith({ step: 'list', method: 'POST', kind: 'status500' });
  const response = await fetch(new URL('/list', url), {
    method: 'POST',
    headers: { [STEP_HEADER]: stepHeaderValue('list') },
    body: Buffer.alloc(5_000_000),
  });
  expect(response.status).toBe(500);
  await vi.waitFor(() => expect(complete).toEqual([true]));
});

it('breaks: the target of a redirect is not redirected again', async () => {
  const { ask } = await serverWith({ step: 'list', kind: 'toLogin', to: '/page' });
  expect(await ask('/page')).toMatchObject({ status: 200, body: PAGE });
});

it("breaks: a form that is sent to its page's address is redirected to that page", async () => {
  const { url } = await serverWith({ step: 'form', method: 'POST', kind: 'backToForm', to: '/page' });
  const headers = { [STEP_HEADER]: stepHeaderValue('form') };
  const response = await fetch(new URL('/page', url), { method: 'POST', headers, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/page']);
});

it('breaks: lists are emptied in the format of the server', async () => {
  const { ask } = await serverWith({ step: 'list', kind: 'emptyList' });
  expect(JSON.parse((await ask('/list')).body)).toEqual({ result: 'success', metadata: { count: 0, items: [] }, data: [] });
  expect(JSON.parse((await ask('/by-key')).body)).toEqual({});
  expect((await ask('/page')).body).toBe('<html><ul></ul><table><tr><th>Name</th></tr></table></html>');
});

it('breaks: every third solution is evaluated, or none is', () => {
  const evaluations = (kind: Break['kind']): boolean[] => {
    const breaks = new Breaks(JSON.stringify({ step: 'evaluation', kind }));
    return Array.from({ length: 6 }, () => breaks.evaluates());
  };
  expect(evaluations('thirdEvaluated')).toEqual([false, false, true, false, false, true]);
  expect(evaluations('neverEvaluated')).toEqual([false, false, false, false, false, false]);
});

it('breaks: only the first account works', async () => {
  const { ask } = await serverWith({ step: 'list', kind: 'oneAccount' });
  expect([(await ask('/account/a')).body, (await ask('/account/b')).body, (await ask('/account/a')).body]).toEqual([
    'welcome',
    'refused',
    'welcome',
  ]);
  expect((await ask('/account/b', 'another')).body).toBe('welcome');
});
