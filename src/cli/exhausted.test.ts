import { describe, expect, it } from 'vitest';
import { playScene, reportText } from './testing/scene.ts';

const errors = { kind: 'errors' as const, maxShare: 0.01 };

// These tests are in a file of their own, because they only check counts, while veto.test.ts needs all processors.
describe('a run whose load generator is out of ports or file descriptors', { timeout: 60_000 }, () => {
  it("is inconclusive, and reports that the generator's ports ran out", async () => {
    const result = await playScene({
      delayMs: 2,
      network: 'echo "40000 40200" > /proc/sys/net/ipv4/ip_local_port_range; echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse',
      plan: {
        load: { model: 'connections', stages: [{ connections: 4, seconds: 1 }] },
        connections: { reuse: 'journey' },
        criteria: [errors],
      },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.outcomes.requests.noPort).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(reportText(result)).toContain('no port was left for new connections');
    expect(reportText(result)).toContain('portsExhausted.generator');
  });

  it("is inconclusive, and reports that the generator's file descriptors ran out", async () => {
    const result = await playScene({
      delayMs: 20,
      generator: 'ulimit -n 100',
      plan: { engine: 'native', load: { model: 'connections', stages: [{ connections: 200, seconds: 1 }] }, criteria: [errors] },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.outcomes.requests.noFile).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(reportText(result)).toContain('the limit of open files was reached');
    expect(reportText(result)).toContain('portsExhausted.files');
  });

  it.each(['native', 'autocannon'] as const)('reports open connections as its level, even without connection reuse: %s', async (engine) => {
    const result = await playScene({
      delayMs: 20,
      generator: 'ulimit -n 100',
      plan: {
        engine,
        load: { model: 'connections', stages: [{ connections: 200, seconds: 2 }] },
        connections: { reuse: 'never' },
        criteria: [errors],
      },
    });
    const { noFile, sent, ok } = result.outcomes.requests;
    expect([noFile > 0, sent === ok, result.balances]).toEqual([true, true, true]);
    expect(result.stages[0]?.level.highest).toBeGreaterThan(20);
    expect(result.stages[0]?.level.highest).toBeLessThan(100);
  });
});
