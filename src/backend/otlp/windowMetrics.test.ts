import { expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { emptyWindow, findOrAddCell } from '#core/measurement/windowFold.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { createHistogram, recordMany } from '#core/statistics/histogram.ts';
import { MAX_POINTS_PER_METRIC, WindowMetrics } from './windowMetrics.ts';

const buildPlan = (changes: Partial<PlanInput> = {}) =>
  planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'https://shop.test/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    ...changes,
  });

function windowWith(cell: Partial<Cell>, step = 0, stage = 0): Window {
  const window = emptyWindow(0, 1);
  Object.assign(findOrAddCell(window, stage, step), cell);
  return window;
}

function createTimes(count: number) {
  const histogram = createHistogram();
  recordMany(histogram, 1_000, count);
  return histogram;
}

const shown = (metrics: WindowMetrics) =>
  metrics.listSums('requests').map(({ attributes, value }) => {
    const { 'holdfast.outcome': outcome, 'http.response.status_code': status, 'error.type': error } = attributes;
    return [outcome, status, error, value];
  });

it.each<[string, Partial<Cell>, readonly number[] | undefined, unknown]>([
  ['of one status', { outcomes: { ok: 3 }, statuses: new Map([[204, 3]]) }, undefined, [['ok', 204, undefined, 3]]],
  [
    'of several statuses',
    {
      outcomes: { ok: 3, httpError: 3 },
      statuses: new Map([
        [200, 1],
        [204, 2],
        [404, 1],
        [500, 2],
      ]),
    },
    undefined,
    [
      ['ok', 200, undefined, 1],
      ['ok', 204, undefined, 2],
      ['httpError', 404, '404', 1],
      ['httpError', 500, '500', 2],
    ],
  ],
  ['with an expected redirect', { outcomes: { ok: 2 }, statuses: new Map([[302, 2]]) }, [302], [['ok', 302, undefined, 2]]],
  [
    'with wrong content of one status',
    { outcomes: { ok: 2, wrongBody: 3 }, statuses: new Map([[200, 5]]) },
    undefined,
    [
      ['ok', 200, undefined, 2],
      ['wrongBody', 200, 'wrong_body', 3],
    ],
  ],
  [
    'with wrong content of one of two statuses',
    {
      outcomes: { ok: 2, wrongBody: 3 },
      statuses: new Map([
        [200, 4],
        [201, 1],
      ]),
    },
    undefined,
    [
      ['ok', undefined, undefined, 2],
      ['wrongBody', undefined, 'wrong_body', 3],
    ],
  ],
  [
    'with a followed redirect',
    {
      outcomes: { ok: 4 },
      statuses: new Map([
        [200, 2],
        [302, 2],
      ]),
    },
    undefined,
    [['ok', undefined, undefined, 4]],
  ],
  [
    'without a response',
    { outcomes: { timeout: 1, refused: 2 } },
    undefined,
    [
      ['timeout', undefined, 'timeout', 1],
      ['refused', undefined, 'connection_refused', 2],
    ],
  ],
])('WindowMetrics: counts requests %s', (_what, cell, expectStatus, expected) => {
  const metrics = new WindowMetrics(buildPlan({ journey: [{ name: 'page', ...(expectStatus && { expectStatus: [...expectStatus] }) }] }));
  metrics.add(windowWith(cell));
  expect(shown(metrics)).toEqual(expected);
});

it('WindowMetrics: times carry a status only if all their requests had it, and response times of users are separate from service times', () => {
  const metrics = new WindowMetrics(buildPlan());
  metrics.add(
    windowWith({
      outcomes: { ok: 4, httpError: 2 },
      statuses: new Map([
        [200, 4],
        [500, 1],
        [502, 1],
      ]),
      times: { serviceOk: createTimes(4), serviceFailed: createTimes(2), responseOk: createTimes(3) },
    }),
  );
  const durations = metrics.listDurations('service').map(({ attributes, value }) => [attributes, value.totalCount]);
  const page = {
    'holdfast.step': 'page',
    'holdfast.stage': 'the whole run',
    'http.request.method': 'GET',
    'server.address': 'shop.test',
    'server.port': 443,
    'url.scheme': 'https',
  };
  expect(durations).toEqual([
    [{ ...page, 'http.response.status_code': 200 }, 4],
    [{ ...page, 'error.type': '_OTHER' }, 2],
  ]);
  expect(metrics.listDurations('response').map(({ value }) => value.totalCount)).toEqual([3, 2]);
});

it('WindowMetrics: names no server if requests are sent to several servers', () => {
  const metrics = new WindowMetrics(buildPlan({ targets: [{ url: 'http://a.test/' }, { url: 'http://b.test/' }] }));
  metrics.add(windowWith({ outcomes: { ok: 1 }, statuses: new Map([[200, 1]]) }));
  expect(metrics.listSums('requests')[0]?.attributes).not.toHaveProperty('server.address');
});

it('WindowMetrics: counts all requests although the number of points is limited to 2,000', () => {
  const journey = Array.from({ length: 200 }, (_, step) => ({ name: `step ${step}` }));
  const metrics = new WindowMetrics(buildPlan({ journey }));
  const statuses = Array.from({ length: 20 }, (_, index) => 500 + index);
  for (const step of journey.keys())
    for (const status of statuses) metrics.add(windowWith({ outcomes: { httpError: 1 }, statuses: new Map([[status, 1]]) }, step));
  const points = metrics.listSums('requests');
  expect(points).toHaveLength(MAX_POINTS_PER_METRIC);
  expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(4_000);
  expect(points.find(({ attributes }) => attributes['otel.metric.overflow'] === true)?.value).toBe(4_000 - MAX_POINTS_PER_METRIC + 1);
});
