import { describe, expect, it } from 'vitest';
import type { RunResult } from '#core/result/schema.ts';
import { play, type Scene } from './testing/scene.ts';

const errors = { kind: 'errors' as const, maxShare: 0.01 };

/** What a person is told of the generator. */
function told({ verdict, findings }: RunResult): string {
  return [...verdict.reasons.map(({ text }) => text), ...findings.map(({ id }) => id)].join('\n');
}

/** What is the generator's own doing must not be called the server's. */
describe('a generator that cannot be believed', { timeout: 60_000 }, () => {
  it('because its ports run out leaves the outcome unknown and says so', async () => {
    const result = await play({
      delayMs: 2,
      network: 'echo "40000 40200" > /proc/sys/net/ipv4/ip_local_port_range; echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse',
      plan: {
        load: { model: 'connections', stages: [{ connections: 4, seconds: 4 }] },
        connections: { reuse: 'journey' },
        objectives: [errors],
      },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.ledger.requests.noPort).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(told(result)).toContain('no local port was left');
    expect(told(result)).toContain('portsExhausted.generator');
  });

  it('because its files run out leaves the outcome unknown and says so', async () => {
    const result = await play({
      delayMs: 20,
      generator: 'ulimit -n 100',
      plan: { engine: 'native', load: { model: 'connections', stages: [{ connections: 200, seconds: 4 }] }, objectives: [errors] },
    });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.ledger.requests.noFile).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    expect(told(result)).toContain('no file descriptor was left');
    expect(told(result)).toContain('portsExhausted.files');
  });

  const load = { model: 'connections' as const, stages: [{ connections: 20, seconds: 3 }] };
  const limit = { kind: 'responseTime' as const, percentile: 95, limitMs: 8 };
  // They end with the namespace's first process.
  const burning = 'for burner in 1 2 3; do taskset -c "$last" sh -c "while :; do :; done" & done';

  it.each<[string, Scene['plan']]>([
    ['by connections', { load, objectives: [limit] }],
    ['by arrivals', { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1_000, seconds: 3 }] }, objectives: [limit] }],
  ])('because others burn its processor never calls that the server’s doing: %s', async (_name, plan) => {
    const result = await play({ delayMs: 5, generator: burning, plan });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.balances).toBe(true);
    expect(told(result)).toMatch(
      /kept a thread of the load generator from running|answered its own clock too late|started later than planned/,
    );
    expect(told(result)).toMatch(/generatorLimited\.(threadWait|threadCpu|eventLoopDelay|scheduleLag)/);
  });
});
