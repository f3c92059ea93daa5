import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SUBJECTS } from './registry.ts';
import type { Reading } from './subject.ts';

/** Parses output of the tool from a recording in `testing/outputs`. */
function readRecorded(id: string, name: string): Reading {
  const subject = SUBJECTS.find((each) => each.id === id);
  if (subject === undefined) throw new Error(`no subject ${id}`);
  const at = (extension: string): URL => new URL(`../testing/outputs/${name}.${extension}`, import.meta.url);
  const text = (file: URL): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return subject.read({ stdout: text(at('txt')), file: text(at('csv')) });
}

describe('reading the output of each tool', () => {
  it.each([
    ['wrk', { responses: 2_108, seconds: 2.02, p50Ms: 17.23, p99Ms: 86.52 }],
    ['h2load', { responses: 311_758, seconds: 2.0, p50Ms: null, p99Ms: null }],
    ['ab', { responses: 1_925, seconds: 2, p50Ms: 14.32, p99Ms: 92.092 }],
    ['autocannon', { responses: 2_024, seconds: 2.01, p50Ms: 13, p99Ms: 88 }],
    ['oha', { responses: 2_086, seconds: 2.001838298, p50Ms: 12.505842, p99Ms: 89.992062 }],
    ['hey', { responses: 1_959, seconds: 2.0589, p50Ms: 13.6, p99Ms: 96 }],
    ['k6', { responses: 1_895, seconds: 2.002890063, p50Ms: 14.349738, p99Ms: 96.10098273999996 }],
  ])('returns the figures of %s at a healthy target', (id, reading) => {
    expect(readRecorded(id, id)).toEqual({ ...reading, note: '' });
  });

  it.each([
    ['wrk', 3_434 - 343, 'Socket errors: connect 0, read 88, write 0, timeout 0, Non-2xx or 3xx responses: 343'],
    ['ab', 3_849 - 326, '194 failed, 326 not 2xx'],
    ['autocannon', 2_534, '73 errors, 317 not 2xx'],
    ['oha', 2_863, '279 of status 503, 81 connection error'],
    ['hey', 2_563, '359 failed'],
    ['k6', 2_704 - 231, '231 failed'],
  ])('returns the figures of %s at a target that sends 503 and resets connections', (id, responses, note) => {
    expect(readRecorded(id, `failing-${id}`)).toMatchObject({ responses, note });
  });

  it.each([
    ['hey', '20 failed'],
    ['oha', '20 Connection refused (os error 111)'],
  ])('returns no times of %s at a closed port', (id, note) => {
    expect(readRecorded(id, `refused-${id}`)).toMatchObject({ responses: 0, p50Ms: null, p99Ms: null, note });
  });

  it.each(SUBJECTS.map(({ id, read }) => ({ id, read })))('$id: throws if the output is unknown', ({ read }) => {
    expect(() => read({ stdout: 'usage: something [options]', file: '' })).toThrow();
    expect(() => read({ stdout: '', file: '' })).toThrow();
  });
});

describe("the reader of wrk's output", () => {
  it('converts times from every unit', () => {
    const wrk = SUBJECTS.find(({ id }) => id === 'wrk');
    const stdout = `  Latency Distribution
     50%  900.00us
     99%    1.02s 
  240 requests in 2.00m, 40.10KB read
`;
    expect(wrk?.read({ stdout, file: '' })).toEqual({ responses: 240, seconds: 120, p50Ms: 0.9, p99Ms: 1_020, note: '' });
  });
});
