import type { LiveSnapshot } from '#contract/replies.ts';
import { OUTCOMES, type RequestOutcomes } from '#core/measurement/requestOutcomes.ts';

const NOTHING = Object.fromEntries([...OUTCOMES, 'sent', 'inFlight'].map((name) => [name, 0]));

export function sampleRequests(changes: Partial<RequestOutcomes> = {}): RequestOutcomes {
  return { ...(NOTHING as RequestOutcomes), ...changes };
}

/** Returns a run of 5.5 minutes that is in its second minute. */
export function sampleLive(changes: Partial<LiveSnapshot> = {}): LiveSnapshot {
  const latency = {
    count: 100,
    min: 15,
    mean: 20,
    stddev: 2,
    p50: 20,
    p66: 20,
    p75: 21,
    p80: 21,
    p90: 23,
    p95: 24,
    p98: 27,
    p99: 29,
    p99_9: 36,
    max: 40,
  };
  return {
    run: {
      id: 'run',
      name: 'Contest',
      note: '',
      preset: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: null,
      state: 'running',
      endedBecause: null,
      holdfastVersion: '0.1.0',
    },
    elapsedSeconds: 60,
    plannedSeconds: 330,
    plannedRequests: null,
    stage: { index: 0, name: 'warm-up', counted: false },
    outcomes: {
      journeys: {
        planned: null,
        started: 6_000,
        notStarted: { target: 0, generator: 0, stopped: 0 },
        finished: 5_996,
        abandoned: 0,
        running: 4,
      },
      requests: sampleRequests({ sent: 6_000, ok: 5_996, inFlight: 4 }),
    },
    balances: true,
    latency,
    points: [],
    resync: false,
    overload: { seconds: 0, causes: [] },
    generator: null,
    generators: [],
    generatorPoints: [],
    monitors: [],
    watched: [],
    servers: [],
    events: [],
    ...changes,
  };
}
