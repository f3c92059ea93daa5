import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import type { ExportKind } from '../exported.ts';
import { exportPlan } from '../exportPlan.ts';

type PlanChanges = Partial<PlanInput>;
type Step = Partial<PlanInput['journey'][number]>;
type Load = PlanInput['load'];

const STEADY: Load = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 10, seconds: 60 }] };
const withStep = (step: Step, more: PlanChanges = {}): PlanChanges => ({ journey: [{ name: 'page', ...step }], ...more });
const withLoad = (load: Load): PlanChanges => ({ load });

/** Returns the lines of a script and its notes, or the reasons for a refusal. */
export function written(kind: ExportKind, given: PlanChanges): string[] {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'P',
    targets: [{ url: 'http://a.example/app/' }],
    journey: [{ name: 'page' }],
    load: STEADY,
    ...given,
  });
  const feeds = {
    people: {
      columns: ['name', 'mail'],
      rows: [
        ['Ada', 'a,b'],
        ['Bob "B"', ' x'],
      ],
    },
  } as never;
  const result = exportPlan(kind, plan, { feeds });
  if (result.kind === 'refused') return result.issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`);
  const { text, files, environment, notes } = result.exported;
  return [
    ...text.split('\n'),
    ...files.map(({ path, content }) => `${path}: ${content}`),
    ...environment.map((name) => `environment: ${name}`),
    ...notes,
  ];
}
/** Returns the lines that an empty plan's script does not contain. */
export function ownLines(kind: ExportKind, given: PlanChanges): string[] {
  const usual = new Set(written(kind, {}));
  return written(kind, given).filter((line) => !usual.has(line));
}

const POLL: Step['poll'] = { until: [{ kind: 'contains', text: 'done' }], firstSeconds: 1, factor: 2, mostSeconds: 10 };
const VARIABLES: PlanChanges = {
  variables: {
    n: { kind: 'integer', from: 1, to: 5 },
    id: { kind: 'uuid' },
    colour: { kind: 'item', of: ['red', 'blue'] },
    at: { kind: 'timestamp', unit: 'iso' },
    user: { kind: 'number', from: 1 },
    token: { kind: 'secret', secret: 'env:TOKEN' },
  },
};
const PEOPLE: PlanChanges = { feeds: { people: { file: 'people.csv' } } };
const STEPS: Pick<PlanInput, 'journey'> = {
  journey: [
    { name: 'a', path: '/a' },
    { name: 'b', path: '/b' },
  ],
};

/** Plans by feature. */
export const PLANS: Readonly<Record<string, PlanChanges>> = {
  'a query, headers and a cookie': withStep(
    { path: '/s', query: { q: 'a b' }, headers: { 'X-A': '1', Accept: 'text/html' } },
    { targets: [{ url: 'http://a.example/', cookie: 'a=b', headers: { 'X-B': { secret: 'env:B' } } }] },
  ),
  values: withStep(
    { path: '/{{n}}/{{id}}', query: { c: '{{colour}}', t: '{{at}}' }, headers: { 'X-U': '{{user}}', 'X-T': '{{token}}' } },
    VARIABLES,
  ),
  'values of arrivals': withStep({ path: '/{{n}}' }, { variables: { n: { kind: 'integer', from: 1, to: 5, per: 'journey' } } }),
  'a form': withStep({ method: 'POST', form: { a: "it's", b: '{{n}}' } }, VARIABLES),
  JSON: withStep({ method: 'PUT', json: { a: [1, null, '{{n|raw}}'], b: { c: true } } }, VARIABLES),
  'a text': withStep({ method: 'POST', body: 'line\nnext `x` ${y}' }),
  'a secret body': withStep({ method: 'POST', body: { secret: 'env:BODY' } }),
  parts: withStep({
    method: 'POST',
    multipart: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2', type: 'text/x' },
      { name: 'c', bytes: 5 },
    ],
  }),
  checks: withStep({
    expectStatus: [200, 404],
    checks: [
      { kind: 'contains', text: 'Hello' },
      { kind: 'contains', text: 'Error', not: true },
      { kind: 'matches', pattern: 'a+', flags: 'i' },
      { kind: 'json', path: '$.a[0]', equals: '1' },
      { kind: 'json', path: '$.b' },
      { kind: 'size', minBytes: 5, maxBytes: 10 },
    ],
  }),
  'an expected status': withStep({ expectStatus: [201] }),
  captures: withStep(
    {
      captures: [
        { from: 'json', as: 'j', path: '$.a', which: 'all' },
        { from: 'body', as: 'b', pattern: 'id=(\\d+)', flags: 'i' },
        { from: 'between', as: 'w', after: 'a="', before: '"' },
        { from: 'header', as: 'h', name: 'Location' },
      ],
    },
    {
      journey: [
        {
          name: 'page',
          captures: [
            { from: 'json', as: 'j', path: '$.a', which: 'all' },
            { from: 'body', as: 'b', pattern: 'id=(\\d+)', flags: 'i' },
            { from: 'between', as: 'w', after: 'a="', before: '"' },
            { from: 'header', as: 'h', name: 'Location' },
          ],
        },
        { name: 'next', path: '/{{b}}/{{w}}/{{h}}' },
      ],
    },
  ),
  'a captured cookie': {
    journey: [
      {
        name: 'page',
        captures: [
          { from: 'cookie', as: 'c', name: 'sid' },
          { from: 'header', as: 'h', name: 'X', pattern: '(a)' },
          { from: 'json', as: 'j', path: '$.a', which: 'random' },
        ],
      },
      { name: 'next', path: '/{{c}}/{{h}}/{{j}}' },
    ],
  },
  redirects: withStep({ redirects: { follow: true, most: 3 } }),
  'pages with their files': withStep({ resources: { kinds: ['css', 'image'] } }),
  'a poll': withStep({ poll: POLL }),
  pauses: {
    journey: [
      { name: 'a', thinkTime: { kind: 'fixed', seconds: 1.5 } },
      { name: 'b', path: '/b', thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 } },
      { name: 'c', path: '/c', thinkTime: { kind: 'exponential', meanSeconds: 2 } },
    ],
  },
  'a choice': {
    ...STEPS,
    flow: [
      {
        choose: [
          { weight: 3, flow: ['a'] },
          { weight: 0.5, flow: ['a', 'b'] },
        ],
      },
    ],
  },
  loops: { ...STEPS, flow: ['a', { repeat: 2, flow: ['b'] }, { repeat: { from: 1, to: 3 }, flow: ['b'] }] },
  'a loop over a list': {
    journey: [
      { name: 'a', captures: [{ from: 'json', as: 'ids', path: '$.ids', which: 'all' }] },
      { name: 'b', path: '/{{id}}' },
    ],
    flow: ['a', { forEach: 'ids', as: 'id', atMost: 5, flow: ['b'] }],
  },
  'a feed': withStep({ path: '/{{people.name}}' }, PEOPLE),
  'a feed whose rows come in order, each once': withStep(
    { path: '/{{people.name}}' },
    { feeds: { people: { file: 'people.csv', order: 'unique' } } },
  ),
  'a step that is not measured': {
    journey: [
      { name: 'a', measured: false },
      { name: 'b', path: '/b' },
    ],
  },
  criteria: {
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: 500 },
      { kind: 'responseTime', percentile: 99, maxMs: 900 },
      { kind: 'errors', maxShare: 0.01 },
      { kind: 'throughput', minPerSecond: 9 },
    ],
  },
  'a budget': withStep({ budgetMs: 300 }),
  settings: {
    timeoutSeconds: 7,
    tls: { verify: false },
    connections: { reuse: 'never' },
    targets: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
  },
  'an end at errors': { safety: { stopAtErrorShare: 0.5 } },
  'a ramp, a pause and a count': withLoad({
    model: 'arrivals',
    stages: [
      { name: 'rise', kind: 'ramp', fromPerSecond: 1, toPerSecond: 20, seconds: 30, counted: false },
      { kind: 'pause', seconds: 5 },
      { kind: 'count', arrivals: 7, seconds: 3 },
    ],
  }),
  'a staircase and a spike': withLoad({
    model: 'arrivals',
    maxInFlight: 300,
    stages: [
      { kind: 'steps', fromPerSecond: 10, toPerSecond: 30, steps: 3, secondsEach: 5 },
      { kind: 'spike', basePerSecond: 5, peakPerSecond: 50, secondsBefore: 5, rampSeconds: 2, peakSeconds: 5, secondsAfter: 5 },
    ],
  }),
  'arrivals by chance': withLoad({
    model: 'arrivals',
    spacing: 'poisson',
    stages: [{ kind: 'constant', perSecond: 2.5, seconds: 10, maxInFlight: 20 }],
  }),
  users: withLoad({
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 2 },
    stages: [
      { users: 5, seconds: 10, startUpSeconds: 5 },
      { name: 'more', users: 20, seconds: 30, restSeconds: 4 },
    ],
  }),
  'users who keep their cookies': {
    cookies: 'user',
    ...withLoad({ model: 'users', stages: [{ users: 5, seconds: 10 }] }),
    journey: [
      { name: 'in', once: true },
      { name: 'page', path: '/p' },
    ],
  },
  connections: withLoad({
    model: 'connections',
    stages: [
      { connections: 5, seconds: 10, counted: false },
      { connections: 20, seconds: 30 },
    ],
  }),
  'connections that send so many requests': withLoad({ model: 'connections', stages: [{ connections: 20, requests: 1_000 }] }),
};
