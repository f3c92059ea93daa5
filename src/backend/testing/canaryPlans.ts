import type { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { seriesSchema } from '#core/plan/schema/series.ts';
import { canary, keyCanary } from './canaries.ts';

const stepsWithCanaries = (name: string): PlanInput['journey'][number][] => [
  {
    name: `${name} ${keyCanary()}`,
    method: 'POST',
    path: `/a?access_token=${canary()}`,
    headers: { Authorization: `Bearer ${canary()}{{id}}`, 'X-Auth': canary(), Cookie: `sid=${canary()}` },
    query: { api_key: canary() },
    json: { password: canary(), nested: { tokens: [canary()] } },
    checks: [
      { kind: 'json', path: '$.token', equals: canary(), not: true },
      { kind: 'contains', text: keyCanary(), not: true },
      { kind: 'matches', pattern: keyCanary(), not: true },
    ],
    poll: {
      until: [
        { kind: 'json', path: '$.token', equals: canary(), not: true },
        { kind: 'contains', text: keyCanary(), not: true },
        { kind: 'matches', pattern: keyCanary(), not: true },
      ],
      mostSeconds: 0.1,
    },
  },
  { name: `${name} redirect`, redirects: { follow: true, to: [`/a?access_token=${canary()}`] } },
  { name: `${name} form`, method: 'POST', form: { user: 'ada', password: canary() } },
  { name: `${name} basic`, auth: { user: 'ada', password: canary() } },
  { name: `${name} parts`, method: 'POST', multipart: [{ name: 'passwd', value: canary() }] },
  {
    name: `${name} endings`,
    method: 'POST',
    multipart: [
      { name: 'token', valueByEnding: { cpp: canary() } },
      { name: 'file', bytes: 10, fileName: 'a.cpp' },
    ],
  },
  { name: `${name} why`, measured: false, explains: { step: `${name} body`, pattern: `${keyCanary()}|.` } },
  { name: `${name} body`, method: 'POST', body: `{"user":"ada","client_secret":"${canary()}"}` },
  {
    name: `${name} captures`,
    captures: [
      { from: 'body', as: 'found', pattern: `${keyCanary()}|.` },
      { from: 'between', as: 'between', after: keyCanary(), before: keyCanary() },
      { from: 'header', as: 'token', name: 'x-none', otherwise: canary() },
    ],
  },
];

interface CanaryPlan {
  readonly name: string;
  readonly plan: PlanInput;
}

const textCanaries = () => ({
  story: keyCanary(),
  answers: { page: keyCanary() },
  claim: keyCanary(),
  exercises: [keyCanary()],
  omits: [keyCanary()],
  lookAt: [keyCanary()],
  leavesBehind: [keyCanary()],
});

const BASE = { holdfast: 1 as const, timeoutSeconds: 5, servers: { header: 'X-Shard' } };

function connectionLoad() {
  return { model: 'connections' as const, stages: [{ name: `load ${keyCanary()}`, connections: 1, requests: 20 }] };
}

const targetWithCanaries = (url: string) => ({
  name: `target ${keyCanary()}`,
  url: `${url}?token=${canary()}`,
  cookie: `login=${canary()}`,
  headers: { 'X-Auth': canary() },
});

/** Returns the plans that the tests run. Together they cover every position of the schema. */
export function canaryPlans(url: string, feed: string, gossip: string): readonly CanaryPlan[] {
  const load = connectionLoad();
  return [
    nativePlan(url),
    autocannonPlan(url, load),
    k6Plan(url),
    ...refusedParts(gossip).map((parts, index) => ({
      name: `a service that refuses, ${index}`,
      plan: { ...BASE, name: 'refused', targets: [{ url }], journey: [{ name: 'page' }], load, ...parts },
    })),
    populatingPlan(url, feed, load),
    commandPlan(url, feed, load),
  ];
}

function nativePlan(url: string): CanaryPlan {
  return {
    name: 'walked by the native engine',
    plan: {
      ...BASE,
      ...textCanaries(),
      name: `walked ${keyCanary()}`,
      targets: [{ ...targetWithCanaries(url), auth: { user: 'ada', password: canary() } }],
      namedTargets: {
        plain: `${url}?token=${canary()}`,
        api: {
          url: `${url}?token=${canary()}`,
          headers: { 'X-Auth': canary() },
          cookie: `login=${canary()}`,
          auth: { user: 'ada', password: canary() },
        },
      },
      journey: [...stepsWithCanaries('walk'), { name: 'at the API', target: 'api' }, { name: 'elsewhere', target: 'plain' }],
      variables: { id: { kind: 'uuid' }, password: { kind: 'item', of: [canary(), canary()] } },
      watch: [{ name: `watched ${keyCanary()}`, url: `${url}n?api_key=${canary()}` }],
      watchPages: [
        { name: `seen ${keyCanary()}`, url: `/seen?access_token=${canary()}` },
        {
          name: `walked ${keyCanary()}`,
          url: `/seen?access_token=${canary()}`,
          steps: [
            { name: `enters ${keyCanary()}`, fill: { Password: canary() }, click: 'Go' },
            { name: `goes on ${keyCanary()}`, url: `/seen?access_token=${canary()}` },
          ],
        },
      ],
      stored: [{ name: `rows ${keyCanary()}`, step: 'walk form', url: `${url}count?token=${canary()}` }],
      load: { model: 'users', stages: [{ name: 'users', users: 1, seconds: 1 }] },
    },
  };
}

function autocannonPlan(url: string, load: PlanInput['load']): CanaryPlan {
  return {
    name: 'the same requests by autocannon',
    plan: {
      ...BASE,
      name: 'constant',
      engine: 'autocannon',
      targets: [targetWithCanaries(url)],
      journey: [
        {
          name: 'page',
          method: 'POST',
          path: `/x?token=${canary()}`,
          headers: { 'X-Api-Key': canary() },
          body: `user=ada&password=${canary()}`,
        },
      ],
      load,
    },
  };
}

function k6Plan(url: string): CanaryPlan {
  return {
    name: 'by k6',
    plan: {
      ...BASE,
      servers: undefined,
      name: 'by k6',
      engine: 'k6',
      targets: [{ ...targetWithCanaries(url), headers: { 'X-Auth': canary(), 'X-Key': { secret: 'env:HOLDFAST_CANARY' } } }],
      monitors: [{ kind: 'machine' }],
      journey: [
        { name: 'page', method: 'POST', path: `/x?token=${canary()}`, body: `user=ada&password=${canary()}` },
        { name: 'login', method: 'POST', form: { user: 'ada', password: '{{password}}' } },
      ],
      variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_CANARY' } },
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 10, seconds: 2 }] },
    },
  };
}

/** Parts of plans that name a service that refuses. */
function refusedParts(gossip: string): Partial<PlanInput>[] {
  return [
    {
      stored: [
        { name: 'a', step: 'page', sql: `select 1 where token = '${canary()}'`, connection: `postgres://app:${canary()}@${gossip}/x` },
      ],
    },
    { stored: [{ name: 'a', step: 'page', command: { run: `echo no; false --password ${canary()}` } }] },
    { stored: [{ name: 'a', step: 'page', command: `false --token=${canary()}` }] },
    { monitors: [{ kind: 'redis', name: `cache ${keyCanary()}`, address: gossip, password: canary() }] },
    { monitors: [{ kind: 'haproxy', address: `http://${gossip}/?token=${canary()}`, user: 'ada', password: canary() }] },
    { monitors: [{ kind: 'nginx', url: `http://${gossip}/?token=${canary()}` }] },
    { monitors: [{ kind: 'postgres', connection: `postgres://app:${canary()}@${gossip}/x` }] },
  ];
}

function populatingPlan(url: string, feed: string, load: PlanInput['load']): CanaryPlan {
  return {
    name: 'what populates',
    plan: {
      ...BASE,
      name: 'populates',
      targets: [targetWithCanaries(url)],
      journey: [{ name: 'page' }],
      load,
      variables: { id: { kind: 'uuid' } },
      feeds: { rows: { file: feed } },
      populate: { feed: 'rows', journey: stepsWithCanaries('make'), remove: stepsWithCanaries('remove') },
    },
  };
}

function commandPlan(url: string, feed: string, load: PlanInput['load']): CanaryPlan {
  return {
    name: 'a command that populates',
    plan: {
      ...BASE,
      name: 'commanded',
      targets: [{ url }],
      journey: [{ name: 'page' }],
      load,
      feeds: { rows: { file: feed } },
      populate: { feed: 'rows', command: { run: `false --password ${canary()}` }, removeCommand: { run: `false --password ${canary()}` } },
    },
  };
}

/** Creates a series with secrets in every position of its plan and in its commands, which print their input. */
export function canarySeries(url: string): { plan: PlanInput; series: z.input<typeof seriesSchema> } {
  const command = () => ({ run: `echo --password ${canary()} $HOLDFAST_CANARY; echo 'token=${canary()}' >&2` });
  const targetWithCanaries = () => ({ url: `${url}?token=${canary()}`, headers: { 'X-Auth': canary() }, cookie: `login=${canary()}` });
  return {
    plan: {
      holdfast: 1,
      name: `series ${keyCanary()}`,
      targets: [targetWithCanaries()],
      journey: [{ name: 'page', method: 'POST', path: `/y?token=${canary()}`, json: { password: canary() } }],
      load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] },
    },
    series: {
      // Names and factors are shown in tables, so they contain no secret.
      variants: [{ name: 'small', factors: { cores: 2 }, targets: [targetWithCanaries()], before: [command()] }],
      before: [command()],
      after: [command()],
      coolDownSeconds: 0,
      baselineSeconds: 0,
      readySeconds: 0,
    },
  };
}
