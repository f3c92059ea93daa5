import { describe, expect, it } from 'vitest';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { facts, healthyStep } from '#core/judgement/diagnosis/testing/facts.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatText } from './textReport.ts';
import type { Verdict } from '#core/result/verdict.ts';

const verdict: Verdict = {
  outcome: 'failed',
  headline: 'Failed with 60 connections',
  sentence: 'Failed with 60 connections: more than 5 % of responses took longer than 1 s.',
  reasons: [{ code: 'over', text: '480 of 6,000 responses were too slow.' }],
  exercised: ['the description page'],
  notExercised: ['submitting'],
  next: [{ kind: 'less', label: 'Try 30 connections', explanation: 'That shows where it fails.', plan: null }],
};

function result(changes: Partial<RunResult> = {}, step = healthyStep()): RunResult {
  return { ...facts(step), criteria: [], findings: [], verdict, ...changes };
}

describe('the result of a run as text', () => {
  it('begins with the verdict, reasons, what was exercised and next steps', () => {
    const text = formatText(result());
    expect(text).toMatch(/^✗ Failed with 60 connections: more than 5 % of responses took longer than 1 s\.\n/);
    expect(text).toContain('\n\nWhy\n  - 480 of 6,000 responses were too slow.\n');
    expect(text).toContain('\n  Covered: the description page.\n  Not covered: submitting.\n');
    expect(text).toContain('\n\nNext steps\n  - Try 30 connections. That shows where it fails.\n');
  });

  it('lists only outcomes that occurred', () => {
    const requests = { ...healthyStep().requests, ok: 5_990, timeout: 10 };
    const text = formatText(result({}, healthyStep({ requests })));
    expect(text).toMatch(/Timed out +10 /);
    expect(text).not.toContain('refused');
  });

  it('counts only sent requests as sent', () => {
    const text = formatText(result({}, healthyStep({ requests: { ...healthyStep().requests, sent: 10, ok: 10, notMade: 10 } })));
    expect(text).toMatch(/\n {2}Sent +10\n/);
    expect(text).toMatch(/Not sent +10\n/);
  });

  it.each([undefined, 60, 30])('wraps without cutting addresses, and lists servers and events, in %s columns', (width) => {
    const machine: MonitorResult = {
      number: 0,
      name: 'web1',
      kind: 'machine',
      role: 'target',
      host: 'web1',
      limits: [],
      state: 'lost',
      problem: 'it is off.',
      errorMs: 1,
      quantities: [...MACHINE_CATALOGUE.quantities],
      second: [0],
      width: [1],
      values: { 'timeWait.to:127.0.0.1:54330': [1_176] },
    };
    const servers = [
      {
        name: '127.0.0.1:18880',
        responded: 900,
        share: 0.9,
        failed: 1,
        withoutResponse: 2,
        tried: 3,
        meanMs: 20,
        silent: [{ fromSecond: 3, toSecond: 63, lost: 2, failed: 1, longestMs: 60_000 }],
      },
    ];
    const events = [{ second: 40.2, kind: 'monitor', text: 'web1 is no longer monitored: it is off. The run continues.' }];
    const shown = result({ servers, events, monitors: [machine] });
    const text = formatText(shown, width).replaceAll(/\s+/g, ' ');
    expect(text).toContain('TIME_WAIT on the connecting side, by destination: 127.0.0.1:54330');
    expect(text).toContain('1,176');
    expect(text).toContain('Servers, warm-up included');
    expect(text).toContain('was away from 0:03 to 1:03');
    const [server] = servers;
    const still = server && { ...server, silent: server.silent.map((silence) => ({ ...silence, lost: 0 })) };
    expect(formatText(result({ servers: still ? [still] : [] }), width).replaceAll(/\s+/g, ' ')).toContain('stood still from 0:03 to 1:03');
    expect(text).toMatch(/0:40 (Event )?web1 is no longer monitored/);
  });

  it('shows request counts that do not add up', () => {
    expect(formatText(result({ balances: false }))).toContain('do not add up');
    expect(formatText(result())).not.toContain('do not add up');
  });

  it('lists the used addresses if known', () => {
    const { server } = facts(healthyStep());
    const text = formatText(result({ server: { ...server, addresses: { '127.0.0.1': 60, '::1': 1_200 } } }));
    expect(text).toContain('Requests by address: 127.0.0.1 (60), ::1 (1,200)');
    expect(formatText(result())).not.toContain('Requests by address');
  });

  it('writes “never” for an unreached percentile', () => {
    const { latency } = healthyStep();
    const adjusted = { ...latency.errorAdjusted, p99: 'never' as const };
    expect(formatText(result({ latency: { ...latency, errorAdjusted: adjusted } }))).toMatch(/Failures counted as timeouts .*never/);
  });
});
