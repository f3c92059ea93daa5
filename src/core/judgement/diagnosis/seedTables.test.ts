import { expect, it } from 'vitest';
import { PATH_EVENT } from '#core/machines/checks/path/schema.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { diagnose } from './diagnose.ts';
import type { MeasuredRun } from './rule.ts';
import { facts, generatorThatReads, healthyStep, point } from './testing/facts.ts';
import { played } from './testing/found.ts';

const CALM = healthyStep().latency.service;

/** Returns times that all lie around one value. */
const around = (ms: number): LatencySummary => ({ ...CALM, min: ms, mean: ms, p50: ms, p90: ms, p95: ms, p99: ms, p99_9: ms, max: ms });

function levelsOf(
  levels: readonly { readonly at: number; readonly perSecond: number; readonly ms: number; readonly bytes: number }[],
): MeasuredRun['stages'] {
  const [base] = facts().stages;
  if (base === undefined) return [];
  return levels.map(({ at, perSecond, ms, bytes }) => {
    const responses = Math.round(perSecond * 30);
    return {
      ...base,
      name: `${at} connections`,
      level: { unit: 'connections' as const, from: at, to: at, highest: at },
      requests: { ...base.requests, sent: responses, ok: responses },
      latency: { service: around(ms), response: around(ms), errorAdjusted: around(ms) },
      phases: { ...base.phases, transfer: around(ms / 2) },
      rates: { startedPerSecond: perSecond, completedPerSecond: perSecond, bytesPerSecond: perSecond * bytes },
      bytes: { received: responses * bytes, sent: 0, body: responses * bytes },
    };
  });
}

function pagesOf(page: number, request: number): MeasuredRun['pages'] {
  const all: PageFigures = {
    started: 1_888,
    complete: 1_888,
    incomplete: 0,
    times: around(9_000),
    errorAdjusted: around(9_000),
    completePerSecond: 10.489,
    thresholdMs: 1_500,
    pageApdex: { value: page, counted: 1_888 },
    requestApdex: { value: request, counted: 19_500 },
  };
  return { content: { pages: 18, resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 } }, all, steps: [], stages: [], leftOut: {} };
}

/** Returns a proxy with the given number of slots, each of which a connection holds for `seconds`. */
function slots(count: number, seconds: number): (n: number, second: number) => number | null {
  const held: number[] = [];
  return (_n, second) => {
    while (held[0] !== undefined && held[0] <= second) held.shift();
    if (held.length >= count) return 500;
    held.push(second + seconds);
    return null;
  };
}

function withWatch(given: MeasuredRun): MeasuredRun {
  return {
    ...given,
    plan: { ...given.plan, watch: [watchSchema.parse({ name: 'stored', url: 'http://127.0.0.1:9/', counts: 'description' })] },
  };
}

interface Row {
  /** Wrong conclusion that was once drawn from the figures. */
  readonly stated: string;
  readonly given: () => MeasuredRun;
  /** Correct conclusion: the id of the finding and a part of its sentence. */
  readonly finds: string;
  readonly telling: RegExp;
  /** Conclusions that must not appear. */
  readonly never: RegExp;
}

const portsGone = (): MeasuredRun => {
  const noPort = 558;
  const step = healthyStep({
    requests: { ...emptyRequestOutcomes(), sent: 28_232 + noPort, ok: 28_232, noPort },
    latencyByStatusClass: { '2xx': { ...CALM, count: 28_232, p50: 951 } },
    errors: { 'EADDRNOTAVAIL@connect': noPort },
  });
  const windows = [point(462), point(463, { errors: { 'EADDRNOTAVAIL@connect': noPort }, overloadedBy: ['noPort'] })];
  return facts(step, { windows, generators: [generatorThatReads([])] });
};

const threeServers = (): MeasuredRun => {
  const failed = 2_340;
  const ok = 4_320;
  const step = healthyStep({
    requests: { ...emptyRequestOutcomes(), sent: ok + failed, ok, httpError: failed },
    status: { '200': ok, '500': failed },
  });
  const servers = ['node-1', 'node-2', 'node-3'].map((name) => ({
    name,
    responded: ok / 3,
    share: 1 / 3,
    failed: 0,
    withoutResponse: 0,
    tried: 0,
    meanMs: 5_005,
    silent: [],
  }));
  const given = facts(step, { servers });
  return { ...given, plan: { ...given.plan, servers: { header: 'X-Upstream' } } };
};

const fullLine = (): MeasuredRun => {
  const data = {
    from: 'this computer',
    to: 'http://127.0.0.1:8888',
    megabits: 96.5,
    isFull: true,
    link: { name: 'eth0', megabits: 100, isVirtual: false },
    measuredAt: '2026-01-01T00:00:00.000Z',
  };
  const stages = levelsOf([
    { at: 10, perSecond: 358.07, ms: 28, bytes: 32_570 },
    { at: 100, perSecond: 358.1, ms: 279, bytes: 32_570 },
  ]);
  const [generator] = [generatorThatReads([])];
  return facts(healthyStep(), {
    stages,
    generators: generator === undefined ? [] : [{ ...generator, sharesMachineWithTarget: false }],
    events: [{ second: 0, kind: PATH_EVENT, text: '', data }],
  });
};

const ROWS: readonly Row[] = [
  {
    stated: '14 requests “failed” among 1,000 and nobody mentions them',
    given: () => facts(healthyStep({ bodyLength: { first: 31_966, differs: 14, deviationBytes: -14 * 31_966, empty: 14 } })),
    finds: 'emptyBodies',
    telling: /^14 responses to .* were empty/,
    never: /lengthVaries/,
  },
  {
    stated: 'a quick page, measured without the cookie of a login',
    given: () => facts(healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 6_000, httpError: 6_000 }, status: { '302': 6_000 } })),
    finds: 'redirectMeasured',
    telling: /measured the redirect, not the page/,
    never: /lengthVaries|emptyBodies|fastFailures/,
  },
  {
    stated: 'the asynchronous server is saturated at 1,000 users in ten seconds',
    given: portsGone,
    finds: 'portsExhausted.generator',
    telling: /558 requests were not sent.*took 951 ms/,
    never: /growingQueue|limitReached|refused|hopPorts|behaviour\.capacity/,
  },
  {
    stated: 'a trivial page answers 500 at 50 visitors a second',
    given: () =>
      played(planWith({ connections: { reuse: 'journey' }, load: arrivals([{ kind: 'constant', perSecond: 60, seconds: 40 }]) }), {
        workers: Infinity,
        serviceMs: () => 4,
        refuses: slots(245, 10),
        connectMs: () => 0.3,
      }),
    finds: 'proxySlots',
    telling: /\D245\D/,
    never: /unexpectedStatus|growingQueue|portsExhausted|generatorLimited|missingRoute/,
  },
  {
    stated: 'workers are requests a second divided by the time of one',
    given: () => {
      const load = arrivals([
        { kind: 'constant', perSecond: 2, seconds: 12 },
        { kind: 'constant', perSecond: 30, seconds: 20 },
      ]);
      return played(planWith({ load }), { workers: 17, serviceMs: () => 800 });
    },
    finds: 'behaviour.capacity',
    telling: /21\.\d\/s × 80\d ms = 1[67](\.\d+)? at a time \(Little's law\), as with a server of 17 blocking workers/,
    never: /proxy|unexpectedStatus|generatorLimited/,
  },
  {
    stated: '25 ms against 6 ms: one server is four times faster than the other',
    given: () =>
      facts(healthyStep({ latency: { service: { ...CALM, mean: 25, p50: 4, p90: 9, max: 1_005 }, response: CALM, errorAdjusted: CALM } })),
    finds: 'averageHides.description',
    telling: /The average of “description”, 25 ms, is misleading: half of the responses took 4 ms/,
    never: /growingQueue|notSteady/,
  },
  {
    stated: 'three servers reduced the errors',
    given: threeServers,
    finds: 'failuresBeforeServers',
    telling: /2,340 failures did not come from the 3 servers/,
    never: /failingServer|serverDown|unevenServers/,
  },
  {
    stated: 'the network behind the servers is not at its full capacity',
    given: fullLine,
    finds: 'bandwidthBound',
    telling: /Mbit\/s/,
    never: /saturatedBelow|generatorLimited/,
  },
  {
    stated: 'the Apdex of pages is good, 0.916, beside pages of 19 s',
    given: () => facts(healthyStep(), { pages: pagesOf(0.21, 0.916) }),
    finds: 'pageApdex',
    telling: /Whole pages are “Unacceptable” .* although single requests are “Good”/,
    never: /windowTooShort/,
  },
  {
    stated: '200 threads are slower than 400',
    given: () => {
      const [base] = facts().stages;
      const rows = [
        [100, 116, 130],
        [200, 2_415, 2_900],
        [300, 1_557, 1_800],
        [400, 1_000, 1_200],
      ] as const;
      const stages = rows.flatMap(([at, p95, p99]) =>
        base === undefined
          ? []
          : [
              {
                ...base,
                name: `${at} threads`,
                level: { unit: 'connections' as const, from: at, to: at, highest: at },
                latency: { ...base.latency, response: { ...CALM, p95, p99 } },
              },
            ],
      );
      return facts(healthyStep(), { stages });
    },
    finds: 'notSteady',
    telling: /“200 threads”/,
    never: /saturatedBelow|bandwidthBound/,
  },
  {
    stated: 'one upload in seven failed',
    given: () =>
      withWatch(
        facts(healthyStep(), {
          generators: [generatorThatReads([{ stored: 0 }, { stored: 2_000 }])],
          requestsByStep: { description: { ...emptyRequestOutcomes(), sent: 2_000, ok: 1_703, httpError: 297 } },
        }),
      ),
    finds: 'storedUnknown.description',
    telling: /^297 of “description” were stored although the sender got a failure/,
    never: /limitReached|watchedGrowth/,
  },
];

it.each(ROWS)('diagnose: corrects the conclusion “$stated”', ({ given, finds, telling, never }) => {
  const found = diagnose(given());
  const ids = found.map(({ id }) => id);
  const right = found.find(({ id }) => id === finds || id.startsWith(`${finds}.`));
  expect(right?.sentence ?? `not found among ${ids.join(', ')}`).toMatch(telling);
  expect(ids.filter((id) => never.test(id))).toEqual([]);
});
