import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { Sampler } from './sampler.ts';

const plan = planSchema.parse({
  holdfast: 1,
  name: 'A test',
  targets: [{ url: 'http://127.0.0.1:1/' }],
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
});
const MAX_FRAME_BYTES = 50_000_000;

function takeAll(sampler: (report: (sample: Sample) => void) => Sampler, received: Buffer): Sample[] {
  const samples: Sample[] = [];
  const one = sampler((sample) => void samples.push(sample));
  while (one.isOpen)
    one.take({
      requestIndex: 0,
      failure: null,
      sent: Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      received,
      serviceMs: 1,
      captured: [],
      user: null,
      traceId: null,
    });
  return samples;
}

it.each([
  ['endless heads', `HTTP/1.1 200 OK\r\nX: ${'\u001b'.repeat(65_000)}`],
  ['bodies of control characters', `HTTP/1.1 200 OK\r\nContent-Length: 65000\r\n\r\n${'\u001b'.repeat(65_000)}`],
])('Sampler: a tried journey keeps its samples within one reply of the API, for any responses: %s', (_what, received) => {
  const samples = takeAll((report) => new Sampler('everything', plan, report), Buffer.from(received));
  expect(samples).toHaveLength(1_000);
  expect(JSON.stringify(samples).length).toBeLessThan(MAX_FRAME_BYTES);
  expect(samples[0]?.received?.isCut).toBe(true);
  expect(samples.at(-1)?.received).toMatchObject({ head: expect.stringContaining('HTTP/1.1 200 OK'), body: '', isCut: true });
});

it('Sampler: a journey that is compared with a recording keeps complete pages', () => {
  const page = 'x'.repeat(300_000);
  const samples: Sample[] = [];
  const sampler = new Sampler('whole', plan, (sample) => void samples.push(sample));
  const received = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
  sampler.take({ requestIndex: 0, failure: null, sent: null, received, serviceMs: 1, captured: [], user: null, traceId: null });
  expect(samples[0]?.received).toMatchObject({ body: page, isCut: false });
  expect(sampler.limitBytes).toBeGreaterThan(1_000_000);
});
