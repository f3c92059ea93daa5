import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { HostileProcess } from './server/startHostile.ts';

export const ENGINES = ['autocannon', 'native'] as const;
export type LoadEngine = (typeof ENGINES)[number];

/** Returns the plan of a part of the campaign against the hostile server. */
export type PlanOf = (server: HostileProcess, seconds: number, engine: LoadEngine) => Plan;

const CONNECTIONS = 50;
const USERS = 40;

function planFor(server: HostileProcess, changes: Partial<PlanInput> & Pick<PlanInput, 'load'>): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'Hostile server',
    targets: [{ url: `${server.url}/` }],
    journey: [{ name: 'anything', path: '/any' }],
    timeoutSeconds: 2,
    drainSeconds: 3,
    servers: { header: 'X-Shard', expected: 3 },
    countsCache: true,
    ...changes,
  });
}

/** Sends requests as fast as possible: each connection waits only for responses. */
const connectionsPlan: PlanOf = (server, seconds, engine) =>
  planFor(server, {
    engine,
    load: { model: 'connections', stages: [{ connections: CONNECTIONS, seconds }] },
    journey: [
      { name: 'anything', path: '/any' },
      { name: 'page', path: '/page', checks: engine === 'native' ? [{ kind: 'contains', text: 'token' }] : [] },
      {
        name: 'data',
        path: '/json',
        method: 'POST',
        json: { a: 1 },
        checks: engine === 'native' ? [{ kind: 'json', path: '$.token' }] : [],
      },
    ],
  });

const tlsPlan: PlanOf = (server, seconds, engine) => ({
  ...connectionsPlan(server, seconds, engine),
  targets: [{ url: `${server.secureUrl}/`, headers: {} }],
  tls: { verify: false },
});

/** Sends requests at fixed times, however slow the responses are. */
const arrivalsPlan: PlanOf = (server, seconds) =>
  planFor(server, {
    load: { model: 'arrivals', maxInFlight: 2_000, stages: [{ kind: 'constant', perSecond: 500, seconds }] },
    journey: [
      { name: 'anything', path: '/any' },
      { name: 'again', path: '/any', redirects: { follow: true } },
    ],
  });

/** Simulates users whose journey has every kind of capture, and who send the captured values. */
const journey: PlanOf = (server, seconds) =>
  planFor(server, {
    cookies: 'user',
    load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0 }, stages: [{ users: USERS, seconds }] },
    variables: { id: { kind: 'uuid' } },
    journey: [
      { name: 'sign in', path: '/calm/login', redirects: { follow: true } },
      {
        name: 'form',
        path: '/calm/page',
        captures: [
          { from: 'between', as: 'csrf', after: 'name="csrf" value="', before: '">', html: true },
          { from: 'body', as: 'links', pattern: 'href="([^"]*)"', which: 'all', mayBeEmpty: true },
          { from: 'body', as: 'title', pattern: '<title>([^<]*)', which: 'first', html: true },
        ],
      },
      {
        name: 'data',
        path: '/calm/json',
        captures: [
          { from: 'json', as: 'token', path: '$.token' },
          { from: 'json', as: 'ids', path: '$.items', which: 'all', mayBeEmpty: true },
        ],
      },
      { name: 'list', path: '/calm/json', method: 'POST', form: { csrf: '{{csrf}}', token: '{{token}}' } },
      { name: 'head', path: '/calm/any', captures: [{ from: 'header', as: 'shard', name: 'X-Token' }] },
      {
        name: 'elsewhere',
        path: '/calm/any?x={{shard}}',
        method: 'POST',
        json: { title: '{{title}}', token: '{{token}}' },
        headers: { 'X-Title': '{{csrf}}' },
      },
      {
        name: 'poll',
        path: '/calm/json',
        poll: { until: [{ kind: 'contains', text: '"token":null' }], firstSeconds: 0.05, factor: 1, mostSeconds: 1 },
      },
    ],
  });

/** Simulates users who load whole pages. */
const pages: PlanOf = (server, seconds) =>
  planFor(server, {
    cookies: 'user',
    load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0 }, stages: [{ users: USERS, seconds }] },
    journey: [{ name: 'page', path: '/calm/page', resources: { how: 'parallel' }, redirects: { follow: true } }],
  });

/** Sends a small load while hostile services are monitored. */
const monitors: PlanOf = (server, seconds) => {
  const metrics = ['hostile_total', 'hostile_gauge', 'hostile_total{path="/"}'];
  return planFor(server, {
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 20, seconds }] },
    watch: [{ name: 'rows', url: `${server.url}/calm/count`, everySeconds: 1 }],
    monitors: [
      { kind: 'prometheus', url: `${server.url}/calm/metrics`, metrics },
      { kind: 'nginx', url: `${server.url}/calm/nginx` },
      { kind: 'haproxy', address: `${server.url}/calm/haproxy` },
      { kind: 'redis', address: server.redis },
      { kind: 'cacheHeaders', url: `${server.url}/calm/any` },
    ],
  });
};

export const PLANS = { load: connectionsPlan, secure: tlsPlan, paced: arrivalsPlan, journey, pages, monitors } as const satisfies Readonly<
  Record<string, PlanOf>
>;
