import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { type Plan, type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { describePlan } from '#core/review/describe.ts';
import { countPlannedJourneys, countPlannedRequests } from '#core/work/load/planned.ts';
import { computeTours, tryPlan } from '#core/work/samples/tryPlan.ts';
import { firstStepIndex, requestsPerJourney, countExecutions } from './executions.ts';

const journey: PlanInput['journey'] = [
  { name: 'login', path: '/login', captures: [{ from: 'json', as: 'campaigns', path: '$.c', which: 'all' }] },
  { name: 'submit', path: '/submit' },
  { name: 'status', path: '/status' },
  { name: 'statement', path: '/statement' },
];
const choose = [
  { weight: 10, flow: ['submit', 'status'], weightIn: { 'last minutes': 60 } },
  { weight: 50, flow: ['statement'] },
  { weight: 40, flow: [] },
];
const stages = [
  { name: 'usual', users: 3, seconds: 5 },
  { name: 'last minutes', users: 3, seconds: 5 },
];

function planWith(flow: unknown, rest: Partial<PlanInput> = {}): unknown {
  return { holdfast: 1, name: 't', targets: [{ url: 'http://127.0.0.1:1/' }], journey, load: { model: 'users', stages }, flow, ...rest };
}

function plan(flow: unknown, rest: Partial<PlanInput> = {}): Plan {
  return planSchema.parse(planWith(flow, rest));
}

function problems(flow: unknown, rest: Partial<PlanInput> = {}): string[] {
  return parsePlan(JSON.stringify(planWith(flow, rest))).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);
}

const all = ['login', 'submit', 'status', 'statement'];

describe('execution counts', () => {
  it('depend on repetitions, weights and the stage', () => {
    const drawn = plan(['login', { repeat: { from: 2, to: 4 }, flow: [{ choose }] }]);
    expect(requestsPerJourney(drawn, 0)).toEqual({ least: 1, mean: expect.closeTo(1 + 3 * (0.1 * 2 + 0.5)), most: 9 });
    expect(countExecutions(drawn, 'submit', 0)).toEqual({ least: 0, mean: expect.closeTo(0.3), most: 4 });
    expect(countExecutions(drawn, 'submit', 1).mean).toBeCloseTo((3 * 60) / 150);
  });

  it('are unknown for lists, and so are the totals of the plan', () => {
    const listed = plan(['login', { forEach: 'campaigns', as: 'one', flow: ['submit'] }]);
    expect(requestsPerJourney(listed, 0)).toEqual({ least: 1, mean: null, most: null });
    expect(requestsPerJourney(plan([{ forEach: 'campaigns', as: 'one', atMost: 3, flow: ['submit'] }]), 0).most).toBe(3);
    const arrivals: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 50, seconds: 5 }] };
    expect(countPlannedRequests(plan(['login', { forEach: 'campaigns', as: 'one', flow: ['submit'] }], { load: arrivals }))).toBeNull();
    expect(countPlannedRequests(plan(['login', { repeat: 3, flow: ['submit'] }], { load: arrivals }))).toBe(200);
    const described = describePlan(
      plan(
        [
          'login',
          {
            choose: [
              { weight: 1, flow: ['submit'] },
              { weight: 1, flow: [] },
            ],
          },
        ],
        { load: arrivals },
      ),
    );
    expect(described.requests).toBeNull();
    expect(described.arrivalsPerSecond).toBe(15);
    expect(described.sentences.join(' ')).toContain('about 75 requests');
  });

  it('convert a number of requests to whole journeys if all journeys are alike', () => {
    const load = (requests: number): Partial<PlanInput> => ({ load: { model: 'connections', stages: [{ connections: 1, requests }] } });
    const flow = ['login', { repeat: 2, flow: ['submit', 'status'] }, 'statement'];
    expect(countPlannedJourneys(plan(flow, load(60)))).toBe(10);
    expect(problems(flow, load(60))).toEqual([]);
    expect(problems(flow, load(61))).toEqual(['error REQUESTS_NOT_WHOLE_JOURNEYS load.stages[0].requests']);
    expect(
      problems(
        [
          'login',
          'status',
          {
            choose: [
              { weight: 1, flow: ['submit'] },
              { weight: 1, flow: ['statement', 'submit'] },
            ],
          },
        ],
        load(60),
      ),
    ).toEqual(['error JOURNEYS_DIFFER load.stages[0].requests']);
  });
});

describe('flow checks', () => {
  it('accept a valid flow', () => {
    expect(problems(['login', { repeat: 3, flow: [{ choose }] }, { forEach: 'campaigns', as: 'one', flow: ['status'] }])).toEqual([]);
    expect(firstStepIndex(plan([{ repeat: 2, flow: ['statement'] }, 'login']))).toBe(3);
  });

  it('report all problems at once with suggestions', () => {
    const flow = [
      'logn',
      { repeat: { from: 5, to: 2 }, flow: ['submit'] },
      { repeat: 1_000, flow: [{ repeat: 1_000, flow: ['status'] }] },
      { choose: [{ weight: 0, flow: ['submit'], weightIn: { 'last minuts': 3 } }] },
      { forEach: 'campains', as: 'login', flow: ['status'] },
    ];
    expect(problems(flow)).toEqual([
      'error UNKNOWN_STEP flow[0]',
      'error RANGE_EMPTY flow[1].repeat',
      'error FLOW_TOO_LONG flow[2].flow[0].repeat',
      'error UNKNOWN_STAGE flow[3].choose[0].weightIn',
      'error NOTHING_TO_CHOOSE flow[3].choose',
      'error STEP_NEVER_TAKEN journey[0].name',
      'error STEP_NEVER_TAKEN journey[3].name',
      'error NO_SUCH_LIST flow[4].forEach',
    ]);
    const { issues } = parsePlan(JSON.stringify(planWith(flow)));
    expect(issues[0]?.hint).toBe('Did you mean “login”?');
    expect(issues[3]?.hint).toBe('Did you mean “last minutes”?');
    expect(issues.at(-1)?.hint).toBe('Did you mean “campaigns”?');
  });

  it('report misspelt members and parts that are nested too deeply', () => {
    expect(problems([{ repeat: 3, flwo: ['login'] }])).toEqual(['error MISSING flow[0].flow', 'error UNKNOWN_KEY flow[0].flwo']);
    let deep: unknown[] = ['login'];
    for (let depth = 0; depth < 2_000; depth += 1) deep = [{ repeat: 1, flow: deep }];
    expect(problems(deep).every((problem) => problem.startsWith('error'))).toBe(true);
    expect(problems(deep).length).toBeGreaterThan(0);
  });

  it('reject journeys that may be empty, and steps that may lack values', () => {
    expect(
      problems([
        {
          choose: [
            { weight: 1, flow: all },
            { weight: 1, flow: [] },
          ],
        },
      ]),
    ).toEqual(['error JOURNEY_MAY_BE_EMPTY flow']);
    const [login, ...others] = journey;
    const once = [{ ...login, name: 'login', once: true }, ...others];
    const rest = { journey: once };
    expect(
      problems(
        [
          'login',
          {
            choose: [
              { weight: 1, flow: ['submit', 'status', 'statement'] },
              { weight: 1, flow: [] },
            ],
          },
        ],
        rest,
      ),
    ).toEqual(['error JOURNEY_MAY_BE_EMPTY flow']);
    const asks = { journey: [...journey.slice(0, 3), { name: 'statement', path: '/{{campaigns}}/{{one}}' }] };
    expect(
      problems(
        [
          {
            choose: [
              { weight: 1, flow: ['login'] },
              { weight: 1, flow: ['submit'] },
            ],
          },
          'status',
          'statement',
          { forEach: 'campaigns', as: 'one', flow: ['status'] },
        ],
        asks,
      ),
    ).toEqual(['warning CAPTURED_SOMETIMES journey[3].path', 'error OUTSIDE_LOOP journey[3].path']);
    expect(problems([{ forEach: 'campaigns', as: 'one', flow: ['statement'] }, ...all.slice(0, 3)], asks)).toEqual([
      'error CAPTURED_LATER flow[0].forEach',
      'error CAPTURED_LATER journey[3].path',
    ]);
  });

  it('warn about a step that no user reaches', () => {
    const flow = [
      'login',
      'submit',
      'status',
      {
        choose: [
          { weight: 0, flow: ['statement'] },
          { weight: 1, flow: ['status'] },
        ],
      },
    ];
    expect(problems(flow)).toEqual(['warning STEP_NEVER_TAKEN journey[3].name']);
  });
});

describe('formatFlow', () => {
  it('describes choices and repetitions', () => {
    const words = describePlan(
      plan(['login', { repeat: { from: 2, to: 5 }, flow: [{ choose }] }, { forEach: 'campaigns', as: 'one', flow: ['status'] }]),
    );
    expect(words.sentences[1]).toContain(
      'Each journey takes “login”, then 2 to 5 times one of (10 %, 40 % in “last minutes”: “submit”, then “status”; 50 %, 33.3 % in “last minutes”: “statement”; 40 %, 26.7 % in “last minutes”: nothing), then for each item of “campaigns” (“status”).',
    );
    expect(words.sentences[1]).toContain('A journey makes at least 1 request.');
  });
});

describe('computeTours', () => {
  it('covers each possible choice, including nested choices', () => {
    const inner = {
      choose: [
        { weight: 1, flow: ['submit'] },
        { weight: 1, flow: ['status'] },
        { weight: 0, flow: ['login'] },
      ],
    };
    const flow = [
      'login',
      {
        repeat: { from: 0, to: 9 },
        flow: [
          {
            choose: [
              { weight: 3, flow: [inner] },
              { weight: 1, flow: ['statement'] },
            ],
          },
        ],
      },
    ];
    const tours = computeTours(flow);
    expect(tours.stages).toEqual(['way 1', 'way 2', 'way 3']);
    const tried = tryPlan(plan(flow));
    const taken = tours.stages.map((_, stage) => all.filter((step) => countExecutions(tried, step, stage).most !== 0));
    expect(taken).toEqual([
      ['login', 'submit'],
      ['login', 'statement'],
      ['login', 'status'],
    ]);
    expect(countPlannedJourneys(tried)).toBe(3);
  });

  it('returns one tour for a plan without random choices or without a flow', () => {
    expect(computeTours(['login', { forEach: 'campaigns', as: 'one', flow: ['submit'] }]).stages).toHaveLength(1);
    expect(tryPlan(plan(undefined)).load).toMatchObject({ stages: [{ requests: 4 }] });
  });
});
