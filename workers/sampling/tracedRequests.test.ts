import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { buildRequest } from '../requestBytes.ts';
import { Sampler } from './sampler.ts';
import { addTraceparent, TracedRequests } from './tracedRequests.ts';

const request = buildRequest({ method: 'POST', targetUrl: 'http://a.test/', path: '', headers: [], body: 'a\r\n\r\nb' });

function nextIds(traces: TracedRequests, count: number): string[] {
  return Array.from({ length: count }, () => traces.next(request)).filter((id) => id !== null);
}

it('TracedRequests: marks about the given share of requests, as many for the same seed, with ids that never repeat', () => {
  const [some, others] = [1, 1].map((seed) => nextIds(new TracedRequests(0.1, seed), 20_000));
  expect(some?.length).toBeGreaterThan(1_800);
  expect(some?.length).toBeLessThan(2_200);
  expect(others).toHaveLength(some?.length ?? 0);
  const all = [...(some ?? []), ...(others ?? [])];
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true);
});

it('TracedRequests: marks every request if the share is 1, except one whose step has a traceparent header', () => {
  const traces = new TracedRequests(1, 1);
  expect(nextIds(traces, 500)).toHaveLength(500);
  expect(traces.next({ headers: new Map([['traceparent', ['traceparent', '00-own']]]) })).toBeNull();
});

it('addTraceparent: adds one header and changes neither body nor other headers', () => {
  const traceId = '0123456789abcdef0123456789abcdef';
  const { bytes, headers, body } = addTraceparent(request, traceId);
  const value = `00-${traceId}-0123456789abcdef-01`;
  const [head = '', ...rest] = bytes.toString().split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual([...(request.bytes.toString().split('\r\n\r\n')[0] ?? '').split('\r\n'), `traceparent: ${value}`]);
  expect(rest.join('\r\n\r\n')).toBe('a\r\n\r\nb');
  expect(headers.get('traceparent')).toEqual(['traceparent', value]);
  expect(body).toEqual(request.body);
  expect(request.headers.has('traceparent')).toBe(false);
});

it('Sampler: keeps the three slowest traced responses of each request, and three traced failures of each kind', () => {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    trace: { share: 1 },
  });
  const samples: Sample[] = [];
  const sampler = new Sampler('failures', plan, (sample) => void samples.push(sample));
  const settle = (traceId: string | null, failure: string | null, serviceMs: number): void => {
    if (sampler.wants(0, failure, traceId, serviceMs))
      sampler.take({ requestIndex: 0, failure, sent: null, received: null, serviceMs, captured: [], user: null, traceId });
  };
  for (const serviceMs of [5, 1, 9, 7, 3, 8]) settle(serviceMs.toString().repeat(32), null, serviceMs);
  settle(null, null, 100);
  for (const digit of ['a', 'b', 'c', 'd']) settle(digit.repeat(32), 'status 500', 2);
  for (let untraced = 0; untraced < 5; untraced += 1) settle(null, 'status 500', 2);
  sampler.reportSlow();
  sampler.reportSlow();
  expect(samples.filter(({ failure }) => failure === null).map(({ serviceMs, traceId }) => [serviceMs, traceId?.[0]])).toEqual([
    [9, '9'],
    [8, '8'],
    [7, '7'],
  ]);
  const failed = samples.filter(({ failure }) => failure !== null);
  expect(failed.filter(({ traceId }) => traceId !== undefined)).toHaveLength(3);
  expect(failed.filter(({ traceId }) => traceId === undefined)).toHaveLength(3);
});
