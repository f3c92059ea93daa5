import { describe, expect, it } from 'vitest';
import { playScene, reportText, type Scene } from './testing/scene.ts';

/** Tests that delays in the load generator are not attributed to the server. */
describe('a run with an unreliable load generator', { timeout: 240_000 }, () => {
  const load = { model: 'connections' as const, stages: [{ connections: 20, seconds: 2 }] };
  const limit = { kind: 'responseTime' as const, percentile: 95, maxMs: 8 };
  // The processor is used only during the load, so that the rest of the test stays fast.
  const burner = `until [ -e "$LOADED" ]; do sleep 0.05; done; exec timeout 3 sh -c "while :; do :; done"`;
  const burning = `for burner in 1 2 3; do taskset -c "$last" sh -c '${burner}' & done`;

  it.each<[string, Scene['plan']]>([
    ['by connections', { load, criteria: [limit] }],
    ['by arrivals', { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1_000, seconds: 2 }] }, criteria: [limit] }],
  ])("never blames the server if other programs use up the generator's processor: %s", async (_name, plan) => {
    const result = await playScene({ delayMs: 5, generator: burning, plan });
    expect(result.verdict.outcome).toBe('inconclusive');
    expect(result.balances).toBe(true);
    expect(reportText(result)).toMatch(
      /kept a thread that sends requests from running|a thread that sends requests was blocked|started later than planned/,
    );
    const causes = result.findings.flatMap(({ causes: all = [] }) => all.map(({ cause }) => cause));
    expect(causes.some((cause) => ['threadWait', 'threadCpu', 'eventLoopDelay', 'scheduleLag'].includes(cause))).toBe(true);
  });
});
