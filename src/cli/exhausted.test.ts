import { describe, expect, it } from 'vitest';
import { play, told } from './testing/scene.ts';

const errors = { kind: 'errors' as const, maxShare: 0.01 };

// Apart from veto.test.ts, which needs the processors for itself: these are counts.
describe('a generator that has nothing left to connect with', { timeout: 60_000 }, () => {
  it('because its ports run out, leaves the outcome unknown and says so', async () => {
    const result = await play({
      delayMs: 2,
      network: 'echo "40000 40200" > /proc/sys/net/ipv4/ip_local_port_range; echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse',
      plan: {
        load: { model: 'connections', stages: [{ connections: 4, seconds: 1 }] },
        connections: { reuse: 'journey' },
        objectives: [errors],
      },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.ledger.requests.noPort).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(told(result)).toContain('no port was left for new connections');
    expect(told(result)).toContain('portsExhausted.generator');
  });

  it('because its files run out, leaves the outcome unknown and says so', async () => {
    const result = await play({
      delayMs: 20,
      generator: 'ulimit -n 100',
      plan: { engine: 'native', load: { model: 'connections', stages: [{ connections: 200, seconds: 1 }] }, objectives: [errors] },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.ledger.requests.noFile).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(told(result)).toContain('the limit of open files was reached');
    expect(told(result)).toContain('portsExhausted.files');
  });
});
