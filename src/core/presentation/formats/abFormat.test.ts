import { describe, expect, it } from 'vitest';
import { facts, healthyStep } from '#core/judgement/diagnosis/testing/facts.ts';
import { formatAb } from './otherTools.ts';
import { formatCsv } from './csvFormat.ts';
import type { RunResult } from '#core/result/schema.ts';

function result(...given: Parameters<typeof facts>): RunResult {
  const verdict = { outcome: 'measured', headline: '', sentence: '', reasons: [], exercised: [], notExercised: [], next: [] } as const;
  return {
    ...facts(...given),
    criteria: [],
    findings: [],
    verdict: { ...verdict, reasons: [], exercised: [], notExercised: [], next: [] },
  };
}

const formatLine = (text: string, label: string): string => text.split('\n').find((line) => line.startsWith(label)) ?? '';

describe('formatAb', () => {
  it('prints the lines of ApacheBench 2.4 in order, with labels padded to column 24', () => {
    const labels = formatAb(result())
      .split('\n')
      .slice(7)
      .map((line) => /^([A-Za-z][\w -]*):/.exec(line)?.[1])
      .filter((label) => label !== undefined);
    expect(labels).toEqual([
      'Server Software',
      'Server Hostname',
      'Server Port',
      'Document Path',
      'Document Length',
      'Concurrency Level',
      'Time taken for tests',
      'Complete requests',
      'Failed requests',
      'Keep-Alive requests',
      'Total transferred',
      'HTML transferred',
      'Requests per second',
      'Time per request',
      'Time per request',
      'Transfer rate',
      'Connect',
      'Processing',
      'Waiting',
      'Total',
    ]);
    expect(formatLine(formatAb(result()), 'Document Length')).toBe('Document Length:        6844 bytes');
  });

  it('calculates rates with the formulas of ApacheBench', () => {
    const text = formatAb(result());
    expect(formatLine(text, 'Time taken')).toContain(' 60.000 seconds');
    expect(formatLine(text, 'Requests per second')).toContain(' 100.00 [#/sec] (mean)');
    expect(text).toContain('Time per request:       600.000 [ms] (mean)\n');
    expect(text).toContain('Time per request:       10.000 [ms] (mean, across all concurrent requests)');
    expect(formatLine(text, 'Transfer rate')).toContain(' 712.89 [Kbytes/sec] received');
  });

  it('counts responses of different length as failed, like ApacheBench, and names the kind', () => {
    const text = formatAb(result(healthyStep({ bodyLength: { first: 6_844, differs: 605, deviationBytes: -605, empty: 0 } })));
    expect(text).toContain('Failed requests:        605\n   (Connect: 0, Receive: 0, Length: 605, Exceptions: 0)\n');
  });

  it('does not count other statuses as failed, and lists them', () => {
    const text = formatAb(result(healthyStep({ status: { '200': 5_000, '302': 1_000 } })));
    expect(text).toContain('Failed requests:        0\nNon-2xx responses:      1000\n');
  });

  it('excludes the warm-up from counts and times', () => {
    const { outcomes } = facts();
    const withWarmUp = { ...outcomes, requests: { ...outcomes.requests, sent: 9_000, ok: 9_000 } };
    expect(formatAb(result(healthyStep(), { outcomes: withWarmUp }))).toContain('Complete requests:      6000\n');
  });

  it('prints the percentiles in whole milliseconds', () => {
    const text = formatAb(result());
    expect(text).toContain('\n  50%     20\n');
    expect(text).toContain('\n  99%     29\n 100%     40 (longest request)\n');
  });

  it('prints “unknown” for missing values, never 0', () => {
    const text = formatAb(
      result(healthyStep({ phases: { connect: null, tls: null, firstByte: null, transfer: null, scheduleLag: null } })),
    );
    expect(formatLine(text, 'Connect:')).toBe('Connect:    unknown');
    expect(formatLine(text, 'Waiting:')).toBe('Waiting:    unknown');
  });

  it('reports a connect time of 0 ms on reused connections', () => {
    expect(formatLine(formatAb(result()), 'Connect:')).toBe('Connect:        0    0   2.0      0      40');
  });
});

describe('formatCsv', () => {
  it('writes a header, one row per second, and a column for each status and error that occurred', () => {
    const [header, first] = formatCsv(result()).split('\r\n');
    expect(header).toBe(
      'second,seconds_covered,started,completed,ok,failed,in_flight,bytes_received,p50_ms,p90_ms,p99_ms,max_ms,service_p50_ms,service_p99_ms,not_started_server,not_started_generator,generator_overloaded,status_200',
    );
    expect(first).toBe('0,1,100,100,100,0,2,730000,20,23,29,40,,,0,0,,100');
  });

  it('writes an empty cell for an unknown value', () => {
    const [silent] = result().windows;
    const windows = silent ? [{ ...silent, p50: null, p90: null, p99: null, max: null }] : [];
    expect(formatCsv({ windows }).split('\r\n')[1]).toContain(',,,,');
  });

  it('escapes names that would be formulas or break a row', () => {
    const [some] = result().windows;
    const windows = some ? [{ ...some, errors: { '"x",\n=1+1@connect': 1 } }] : [];
    expect(formatCsv({ windows })).toContain('"error_""x"",\n=1+1@connect"');
  });
});
