import { expect, it } from 'vitest';
import { SUBJECTS } from './registry.ts';
import type { Subject } from './subject.ts';

const load = { url: 'http://127.0.0.1:1/', connections: 50, seconds: 5, perSecond: 1_000 };
const subject = (id: string): Subject => SUBJECTS.find((each) => each.id === id) ?? expect.fail(`no subject ${id}`);
const rateOf = (id: string): string => subject(id).rate?.(load, '/folder').parameters.join(' ') ?? '';

it('every generator gets the same number of connections and seconds', () => {
  for (const { id, closed } of SUBJECTS) {
    const { parameters, files = {} } = closed(load, '/folder');
    const writtenText = [...parameters, ...Object.values(files)].join(' ');
    expect(writtenText, id).toMatch(/\b50\b/);
    expect(writtenText, id).toMatch(/\b5s?\b/);
    expect(writtenText, id).toContain(load.url);
  }
});

it("every generator gets the whole rate, except hey, which gets each worker's share", () => {
  expect(rateOf('oha')).toContain('-q 1000 ');
  expect(rateOf('hey')).toContain('-q 20 ');
  expect(rateOf('autocannon')).toContain('--overallRate 1000 ');
  expect(subject('k6').rate?.(load, '/folder').files).toMatchObject({
    'script.js': expect.stringContaining('"rate":1000,"timeUnit":"1s"'),
  });
});

it('k6 gets the option that disables its usage report', () => {
  expect(subject('k6').closed(load, '/folder').parameters).toContain('--no-usage-report');
});

it('exactly the generators without an option for a rate have no rate', () => {
  const without = SUBJECTS.filter(({ rate }) => rate === undefined).map(({ id }) => id);
  expect(without).toEqual([
    'holdfast-autocannon',
    'holdfast-app-autocannon',
    'wrk',
    'h2load',
    'ab',
    'autocannon-worker',
    'undici',
    'node-sockets',
  ]);
});

it('HTTP/2 subjects get the same number of streams per connection', () => {
  const streams = { ...load, connections: 10, streams: 7 };
  const http2Invocation = (id: string) => subject(id).http2?.(streams, '/folder');
  expect(http2Invocation('h2load')?.parameters.join(' ')).toContain('-c 10 -D 5 -m 7 ');
  expect(http2Invocation('oha')?.parameters.join(' ')).toContain('--http2 -p 7 ');
  expect(http2Invocation('holdfast-native')?.files?.['plan.json']).toContain('"connections":70');
  expect(http2Invocation('holdfast-native')?.files?.['plan.json']).toContain('{"protocol":"h2","streams":7}');
  expect(http2Invocation('node-sockets')?.parameters).toEqual([load.url, '10', '7', '5']);
  expect(http2Invocation('wrk')).toBeUndefined();
});

it('each user of k6 sends as many parallel requests as each connection of the other generators has streams, over TLS', () => {
  const k6 = subject('k6');
  const script = k6.http2?.({ ...load, connections: 10, streams: 7 }, '/folder').files?.['script.js'] ?? '';
  expect(script).toContain(`http.batch(Array(7).fill("${load.url}"))`);
  expect(script).toContain('"vus":10');
  expect(k6.http2NeedsTls).toBe(true);
});
