import { describe, expect, it } from 'vitest';
import { K6SampleReader, SampleTime } from './sampleReader.ts';
import type { K6Point, K6Request } from './samples.ts';
import { pointLine, requestLines } from './testing/k6Lines.ts';

describe('SampleTime', () => {
  const second = Date.parse('2026-03-01T12:00:07Z') * 1_000;

  it.each([
    ['2026-03-01T12:00:07Z', second],
    ['2026-03-01T12:00:07.5Z', second + 500_000],
    ['2026-03-01T12:00:07.000001Z', second + 1],
    ['2026-03-01T12:00:07.123456789Z', second + 123_456],
    ['2026-03-01T14:00:07.25+02:00', second + 250_000],
    ['2026-03-01T06:30:07.25-05:30', second + 250_000],
  ])('reads %s', (text, expected) => {
    const time = new SampleTime();
    expect(time.read(text)).toBe(expected);
    expect(time.read(text)).toBe(expected);
  });

  it('distinguishes time zones within a second', () => {
    const time = new SampleTime();
    expect(time.read('2026-03-01T12:00:07Z')).toBe(second);
    expect(time.read('2026-03-01T12:00:07+01:00')).toBe(second - 3_600_000_000);
  });

  it.each(['', 'now', '2026-03-01 12:00:07Z', '2026-13-01T12:00:07Z', '2026-03-01T12:00:07'])('returns null for %o', (text) => {
    expect(new SampleTime().read(text)).toBeNull();
  });
});

const AT_MS = Date.parse('2026-03-01T12:00:00Z');

function read(pieces: readonly string[]): { readonly requests: K6Request[]; readonly points: K6Point[] } {
  const requests: K6Request[] = [];
  const points: K6Point[] = [];
  const reader = new K6SampleReader({ takeRequest: (request) => requests.push(request), takePoint: (point) => points.push(point) });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { requests, points };
}

const page = requestLines({
  endMs: AT_MS + 20.5,
  step: 'front page',
  stage: 'peak',
  vu: '7',
  status: 404,
  errorCode: '1404',
  blockedMs: 1.5,
  connectingMs: 1.25,
  sendingMs: 0.05,
  waitingMs: 12.345678,
  receivingMs: 0.5,
});

describe('K6SampleReader', () => {
  it('combines the nine lines of a request', () => {
    const { requests, points } = read([`${page.join('\n')}\n`]);
    expect(points).toEqual([]);
    expect(requests).toEqual([
      {
        endUs: AT_MS * 1_000 + 20_500,
        step: 'front page',
        stage: 'peak',
        vu: '7',
        status: 404,
        errorCode: '1404',
        error: '',
        blockedUs: 1_500,
        connectingUs: 1_250,
        tlsUs: 0,
        sendingUs: 50,
        waitingUs: 12_345.678,
        receivingUs: 500,
      },
    ]);
  });

  it('accepts pieces of any length', () => {
    const text = `${[...page, pointLine('iterations', AT_MS + 21, 1, {}, '7'), ...page].join('\n')}\n`;
    const whole = read([text]);
    expect(whole.requests).toHaveLength(2);
    for (const length of [1, 7, 100, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
        text.slice(index * length, (index + 1) * length),
      );
      expect(read(pieces)).toEqual(whole);
    }
  });

  it('reports other samples in order, and skips metric descriptions', () => {
    const metric =
      '{"type":"Metric","data":{"name":"checks","type":"rate","contains":"default","thresholds":[],"submetrics":null},"metric":"checks"}';
    const check = pointLine('checks', AT_MS, 0, { check: 'has “Welcome”', holdfast_step: 'front page' }, '7');
    const [first = '', ...others] = page;
    const { requests, points } = read([`${[first, metric, ...others, check].join('\n')}\n`]);
    expect(requests).toHaveLength(1);
    expect(points).toMatchObject([
      { metric: 'checks', value: 0, check: 'has “Welcome”', step: 'front page', vu: '7', atUs: AT_MS * 1_000 },
    ]);
  });

  it('distinguishes values from tags that look like them', () => {
    const tricky = requestLines({ endMs: AT_MS, step: '"value":9,"time":"x"', waitingMs: 3 });
    expect(read([`${tricky.join('\n')}\n`]).requests).toMatchObject([{ step: '"value":9,"time":"x"', waitingUs: 3_000 }]);
  });

  it('leaves out truncated lines', () => {
    const text = page.join('\n');
    expect(read([text.slice(0, -400)]).requests).toEqual([]);
  });

  it.each([
    ['text', 'level=info msg="hello"'],
    ['another document', '{"a":1}'],
    ['a group that another sample breaks into', `${page[0]}\n${pointLine('iterations', AT_MS, 1)}`],
    ['a group of two requests', `${page[0]}\n${page[0]}`],
    ['a time of a request without its beginning', page[6] ?? ''],
    ['a sample of no time', '{"metric":"iterations","type":"Point","data":{"time":"soon","value":1,"tags":{}}}'],
  ])('refuses %s', (_name, text) => {
    expect(() => read([`${text}\n`])).toThrow(expect.objectContaining({ code: 'K6_OUTPUT_UNKNOWN' }));
  });

  it('rejects an endless line', () => {
    expect(() => read(['x'.repeat(600_000), 'x'.repeat(600_000)])).toThrow(expect.objectContaining({ code: 'K6_OUTPUT_UNKNOWN' }));
  });
});
