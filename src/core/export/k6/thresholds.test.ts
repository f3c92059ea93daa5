import { describe, expect, it } from 'vitest';
import { playK6 } from '../testing/k6StandIn.ts';
import { made } from '../testing/madeScript.ts';

describe('k6 thresholds', () => {
  it('contain the criteria of the plan, each for its stages', () => {
    const { script } = made({
      journey: [{ name: 'a', budgetMs: 300 }, { name: 'b' }],
      load: {
        model: 'arrivals',
        stages: [
          { name: 'warm', kind: 'constant', perSecond: 1, seconds: 5, counted: false },
          { name: 'main', kind: 'constant', perSecond: 10, seconds: 60 },
        ],
      },
      criteria: [
        { kind: 'responseTime', step: 'b', percentile: 99, maxMs: 800 },
        { kind: 'errors', maxShare: 0.01 },
        { kind: 'throughput', stage: 'main', minPerSecond: 9 },
        { kind: 'apdex', thresholdMs: 250, min: 0.9 },
      ],
      safety: { stopAtErrorShare: 0.5, maxRequests: 5_000 },
    });
    const { options } = playK6(script, { latencySeconds: 0.3 });
    expect(options['thresholds']).toEqual({
      'http_req_duration{holdfast_step:0,holdfast_stage:1}': ['p(95)<=300'],
      'http_req_duration{holdfast_step:1,holdfast_stage:1}': ['p(99)<=800'],
      'failed_requests{holdfast_step:0,holdfast_stage:1}': ['rate<=0.01'],
      'failed_requests{holdfast_step:1,holdfast_stage:1}': ['rate<=0.01'],
      'successful_responses{holdfast_stage:1}': ['count>=540'],
      'apdex_250{holdfast_step:0,holdfast_stage:1}': ['avg>=0.9'],
      'apdex_250{holdfast_step:1,holdfast_stage:1}': ['avg>=0.9'],
      failed_requests: [{ threshold: 'rate<=0.5', abortOnFail: true, delayAbortEval: '10s' }],
      http_reqs: [{ threshold: 'count<5000', abortOnFail: true }],
    });
  });
});
