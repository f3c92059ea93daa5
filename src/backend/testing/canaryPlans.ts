import type { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { seriesSchema } from '#core/plan/schema/series.ts';
import { canary, marked } from './canaries.ts';

const plantedStep = (name: string): PlanInput['journey'][number][] => [
  {
    name: `${name} ${marked()}`,
    method: 'POST',
    path: `/a?access_token=${canary()}`,
    headers: { Authorization: `Bearer ${canary()}{{id}}`, 'X-Auth': canary(), Cookie: `sid=${canary()}` },
    query: { api_key: canary() },
    json: { password: canary(), nested: { tokens: [canary()] } },
    checks: [
      { kind: 'json', path: '$.token', equals: canary(), not: true },
      { kind: 'contains', text: marked(), not: true },
      { kind: 'matches', pattern: marked(), not: true },
    ],
    poll: {
      until: [
        { kind: 'json', path: '$.token', equals: canary(), not: true },
        { kind: 'contains', text: marked(), not: true },
        { kind: 'matches', pattern: marked(), not: true },
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
  { name: `${name} why`, measured: false, explains: { step: `${name} body`, pattern: `${marked()}|.` } },
  { name: `${name} body`, method: 'POST', body: `{"user":"ada","client_secret":"${canary()}"}` },
  {
    name: `${name} captures`,
    captures: [
      { from: 'body', as: 'found', pattern: `${marked()}|.` },
      { from: 'between', as: 'between', after: marked(), before: marked() },
      { from: 'header', as: 'token', name: 'x-none', otherwise: canary() },
    ],
  },
];

/** Plans that are run and cover every position of the schema. */
export function canaryPlans(url: string, feed: string, gossip: string): readonly { name: string; plan: PlanInput }[] {
  const words = () => ({
    story: marked(),
    answers: { page: marked() },
    claim: marked(),
    exercises: [marked()],
    omits: [marked()],
    lookAt: [marked()],
    leavesBehind: [marked()],
  });
  const base = { holdfast: 1 as const, timeoutSeconds: 5, servers: { header: 'X-Shard' } };
  const load = { model: 'connections' as const, stages: [{ name: `load ${marked()}`, connections: 1, requests: 20 }] };
  const target = () => ({
    name: `target ${marked()}`,
    url: `${url}?token=${canary()}`,
    cookie: `login=${canary()}`,
    headers: { 'X-Auth': canary() },
  });
  return [
    {
      name: 'walked by the native engine',
      plan: {
        ...base,
        ...words(),
        name: `walked ${marked()}`,
        targets: [{ ...target(), auth: { user: 'ada', password: canary() } }],
        namedTargets: {
          plain: `${url}?token=${canary()}`,
          api: {
            url: `${url}?token=${canary()}`,
            headers: { 'X-Auth': canary() },
            cookie: `login=${canary()}`,
            auth: { user: 'ada', password: canary() },
          },
        },
        journey: [...plantedStep('walk'), { name: 'at the API', target: 'api' }, { name: 'elsewhere', target: 'plain' }],
        variables: { id: { kind: 'uuid' }, password: { kind: 'item', of: [canary(), canary()] } },
        watch: [{ name: `watched ${marked()}`, url: `${url}n?api_key=${canary()}` }],
        watchPages: [
          { name: `seen ${marked()}`, url: `/seen?access_token=${canary()}` },
          {
            name: `walked ${marked()}`,
            url: `/seen?access_token=${canary()}`,
            steps: [
              { name: `enters ${marked()}`, fill: { Password: canary() }, click: 'Go' },
              { name: `goes on ${marked()}`, url: `/seen?access_token=${canary()}` },
            ],
          },
        ],
        stored: [{ name: `rows ${marked()}`, step: 'walk form', url: `${url}count?token=${canary()}` }],
        load: { model: 'users', stages: [{ name: 'users', users: 1, seconds: 1 }] },
      },
    },
    {
      name: 'the same requests by autocannon',
      plan: {
        ...base,
        name: 'constant',
        engine: 'autocannon',
        targets: [target()],
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
    },
    {
      name: 'by k6',
      plan: {
        ...base,
        servers: undefined,
        name: 'by k6',
        engine: 'k6',
        targets: [{ ...target(), headers: { 'X-Auth': canary(), 'X-Key': { secret: 'env:HOLDFAST_CANARY' } } }],
        monitors: [{ kind: 'machine' }],
        journey: [
          { name: 'page', method: 'POST', path: `/x?token=${canary()}`, body: `user=ada&password=${canary()}` },
          { name: 'login', method: 'POST', form: { user: 'ada', password: '{{password}}' } },
        ],
        variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_CANARY' } },
        load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 10, seconds: 2 }] },
      },
    },
    ...(
      [
        {
          stored: [
            { name: 'a', step: 'page', sql: `select 1 where token = '${canary()}'`, connection: `postgres://app:${canary()}@${gossip}/x` },
          ],
        },
        { stored: [{ name: 'a', step: 'page', command: { run: `echo no; false --password ${canary()}` } }] },
        { stored: [{ name: 'a', step: 'page', command: `false --token=${canary()}` }] },
        { monitors: [{ kind: 'redis', name: `cache ${marked()}`, address: gossip, password: canary() }] },
        { monitors: [{ kind: 'haproxy', address: `http://${gossip}/?token=${canary()}`, user: 'ada', password: canary() }] },
        { monitors: [{ kind: 'nginx', url: `http://${gossip}/?token=${canary()}` }] },
        { monitors: [{ kind: 'postgres', connection: `postgres://app:${canary()}@${gossip}/x` }] },
      ] satisfies Partial<PlanInput>[]
    ).map((parts, index) => ({
      name: `a service that refuses, ${index}`,
      plan: { ...base, name: 'refused', targets: [{ url }], journey: [{ name: 'page' }], load, ...parts },
    })),
    {
      name: 'what populates',
      plan: {
        ...base,
        name: 'populates',
        targets: [target()],
        journey: [{ name: 'page' }],
        load,
        variables: { id: { kind: 'uuid' } },
        feeds: { rows: { file: feed } },
        populate: { feed: 'rows', journey: plantedStep('make'), remove: plantedStep('remove') },
      },
    },
    {
      name: 'a command that populates',
      plan: {
        ...base,
        name: 'commanded',
        targets: [{ url }],
        journey: [{ name: 'page' }],
        load,
        feeds: { rows: { file: feed } },
        populate: {
          feed: 'rows',
          command: { run: `false --password ${canary()}` },
          removeCommand: { run: `false --password ${canary()}` },
        },
      },
    },
  ];
}

/** Creates a series with secrets in every position of its plan and in its commands, which repeat their input. */
export function canarySeries(url: string): { plan: PlanInput; series: z.input<typeof seriesSchema> } {
  const command = () => ({ run: `echo --password ${canary()} $HOLDFAST_CANARY; echo 'token=${canary()}' >&2` });
  const target = () => ({ url: `${url}?token=${canary()}`, headers: { 'X-Auth': canary() }, cookie: `login=${canary()}` });
  return {
    plan: {
      holdfast: 1,
      name: `series ${marked()}`,
      targets: [target()],
      journey: [{ name: 'page', method: 'POST', path: `/y?token=${canary()}`, json: { password: canary() } }],
      load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] },
    },
    series: {
      // Names and factors are texts of the table, which users see.
      variants: [{ name: 'small', factors: { cores: 2 }, targets: [target()], before: [command()] }],
      before: [command()],
      after: [command()],
      coolDownSeconds: 0,
      baselineSeconds: 0,
      readySeconds: 0,
    },
  };
}
