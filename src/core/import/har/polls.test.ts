import { describe, expect, it } from 'vitest';
import { type HarRequest, makeHar } from '../testing/documents.ts';
import { readImported } from '../testing/imported.ts';

const ORIGIN = 'http://site.example';
const page = (path: string, at: number): HarRequest => ({
  url: ORIGIN + path,
  at,
  text: '<html><title>Notes</title></html>',
  resource: 'document',
});
const call = (path: string, at: number, more: Partial<HarRequest> = {}): HarRequest => ({
  url: ORIGIN + path,
  at,
  type: 'application/json',
  text: '{}',
  resource: 'xhr',
  ...more,
});
const post = (path: string, at: number, text: string, more: Partial<HarRequest> = {}): HarRequest =>
  call(path, at, { method: 'POST', body: { mimeType: 'application/x-www-form-urlencoded', text }, ...more });
const journey = (...requests: HarRequest[]) => readImported(makeHar(...requests)).plan.journey;
const lines = (...requests: HarRequest[]): string[] =>
  journey(...requests).map(({ method, path, background }) =>
    [`${method} ${path}`, ...(background === undefined ? [] : [`every ${background.everySeconds} s after ${background.after ?? ''}`])].join(
      ', ',
    ),
  );
const times = (count: number, everyMs: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index * everyMs);

describe('importHar: a request that a page repeats at an interval', () => {
  it('is sent beside the journey, and the step before keeps the recorded pause', () => {
    const polls = times(6, 5_000, 1_000).map((at) => call(`/news?since=${at}&_=${1_795_893_294_908 + at}`, at));
    const steps = journey(page('/', 0), ...polls, page('/notes', 30_000));
    expect(steps.map(({ name, background, thinkTime }) => [name, background, thinkTime])).toEqual([
      ['GET /', undefined, { kind: 'fixed', seconds: 30 }],
      ['GET /news', { everySeconds: 5, after: 'GET /' }, undefined],
      ['GET /notes', undefined, undefined],
    ]);
    const { notes } = readImported(makeHar(page('/', 0), ...polls));
    expect(JSON.stringify(notes)).toContain('/news was requested 6 times, every 5 s.');
  });

  it('is not a repeatedly submitted form, even if the browser records no resource types', () => {
    const next = times(6, 1_000, 1_000).map((at): HarRequest => {
      const { resource: _none, ...sent } = post('/exam', at, 'sheet=1&answer=2', { type: 'text/html', text: '<title>Question</title>' });
      return { ...sent, headers: { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' } };
    });
    expect(lines(page('/exam', 0), ...next)).toEqual(['GET /exam', ...next.map(() => 'POST /exam')]);
  });

  it('is recognized even if its interval restarts on each page', () => {
    const polls = [2_000, 4_000, 6_000, 9_500, 11_500, 13_500].map((at) => call('/news', at));
    expect(lines(page('/', 0), ...polls.slice(0, 3), page('/notes', 7_500), ...polls.slice(3))).toEqual([
      'GET /',
      'GET /news, every 2 s after GET /',
      'GET /notes',
    ]);
  });

  it('may have a different token on each page and the status 304', () => {
    const polls = [2_000, 4_000, 6_000, 9_500, 11_500].map((at) =>
      call(`/news?csrf_token=${at < 7_000 ? 'aa11bb22cc' : 'dd33ee44ff'}`, at, { status: 304 }),
    );
    const steps = journey(page('/', 0), ...polls.slice(0, 3), page('/notes', 7_500), ...polls.slice(3));
    expect(steps.map(({ name, expectStatus }) => [name, expectStatus])).toEqual([
      ['GET /', undefined],
      ['GET /news', [200, 304]],
      ['GET /notes', undefined],
    ]);
  });

  it('keeps the first call as a step if it writes, and sends later calls at the interval', () => {
    const saves = times(4, 10_000, 10_000).map((at, index) =>
      post('/save', at, `action=autosave&id=${index === 0 ? '' : 7}&text=word${at}`),
    );
    const steps = journey(page('/edit', 0), ...saves, page('/', 50_000));
    expect(steps.map(({ method, path, form, background }) => [`${method} ${path}`, form?.['id'], background?.everySeconds])).toEqual([
      ['GET /edit', undefined, undefined],
      ['POST /save', '', undefined],
      ['POST /save', '7', 10],
      ['GET /', undefined, undefined],
    ]);
  });

  it('may be a form that a script submits into a frame, as an autosave does, but not the one that the person submits', () => {
    const framed = (at: number, draft: string, action?: number): HarRequest =>
      post('/mail', at, `_task=mail&_action=send&_draft=${draft}&_draft_saveid=7`, {
        type: 'text/html',
        text: '<html><script>parent.saved()</script></html>',
        resource: 'document',
        headers: { 'Sec-Fetch-Dest': 'iframe' },
        ...(action === undefined ? {} : { action }),
      });
    const saves = times(4, 15_000, 15_000).map((at) => framed(at, '1'));
    const steps = journey({ ...page('/compose', 0), action: 0 }, ...saves, framed(75_000, '', 1), { ...page('/', 80_000), action: 2 });
    expect(steps.map(({ method, path, form, background }) => [`${method} ${path}`, form?.['_draft'], background?.everySeconds])).toEqual([
      ['GET /compose', undefined, undefined],
      ['POST /mail', '1', undefined],
      ['POST /mail', '1', 15],
      ['POST /mail', '', undefined],
      ['GET /', undefined, undefined],
    ]);
  });

  it.each([
    ['irregular', [1_000, 2_000, 9_000, 9_500].map((at) => call('/news', at))],
    ['of different actions', times(4, 5_000, 1_000).map((at, index) => post('/do', at, `action=${['a', 'b', 'c', 'd'][index]}`))],
    ['of what the person types', times(4, 2_000, 1_000).map((at, index) => call(`/find?q=${'abcd'.slice(0, index + 1)}`, at))],
    ['caused by the person each time', times(4, 2_000, 1_000).map((at, index) => post('/vote', at, 'id=1', { action: index }))],
    [
      'a wait for a result',
      times(5, 2_000, 1_000).map((at, index) => call('/job/1', at, { text: index < 4 ? '{"is":"busy"}' : '{"is":"done"}' })),
    ],
    ['twice only', times(2, 2_000, 1_000).map((at) => call('/news', at))],
    ['without a pause', times(4, 50, 1_000).map((at) => call('/news', at))],
  ])('stays a step of the journey if it is %s', (_, requests) => {
    expect(journey(page('/', 0), ...requests)).toHaveLength(requests.length + 1);
  });
});
