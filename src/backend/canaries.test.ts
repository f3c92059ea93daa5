import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RUN_FORMATS } from '#contract/api.ts';
import { schemaFields } from '#core/asks/testing/schemaFields.ts';
import { valuesAt } from '#core/asks/valuesAt.ts';
import { problemOf } from '#core/errors.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { planSchema, type PlanInput } from '#core/plan/schema.ts';
import { startTestBackend, watchToEnd, type TestBackend } from './testing/backend.ts';
import { planFor } from './testing/plans.ts';

let planted = 0;
const canary = (): string => `canary${String(++planted).padStart(3, '0')}x7Qv9Lw2`;
/** A key that says itself what it is: for words, where nothing else could tell. */
const marked = (): string => `ghp_${canary()}`;

/** Where no secret stands, and why: a value there is shown to people, or means nothing without being seen. */
const NO_SECRET: readonly (readonly [RegExp, string])[] = [
  [/\.secret$/, 'a reference already'],
  [
    /(^|\.)(step|counts|preset|feed|key|after|background\.after|stage|as|each|forEach|flow\[\])$|^demand\.|^flow/,
    'names something else in the plan',
  ],
  [
    /\.(flags|path)$|captures\[\]\.name$|^servers\.header$|processes\[\]$|instance$|metrics\[\]$|multipart\[\]\.type$/,
    'a path, a name or a pattern of fixed letters',
  ],
  [/(file|folder|fileName|socketPath)$/, 'a file of this computer'],
  [/(host|sideHosts\[\]|otherHosts\[\]|serverName|localAddresses\[\]|consentedHosts\[\])$/, 'a host'],
  [/^tls\.(ca|clientCertificate\.certificate)$/, 'public by its nature'],
  [/^feeds\.\*\.secret\[\]$|multipart\[\]\.name$|monitors\[\]\.user$/, 'a name of a column, a field or a user'],
];

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
  { name: `${name} form`, method: 'POST', form: { user: 'ada', password: canary() } },
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

/** Every position of the schema, in plans that are run. */
function plans(url: string, feed: string, gossip: string): readonly { name: string; plan: PlanInput }[] {
  const words = () => ({
    story: marked(),
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
        targets: [target()],
        journey: plantedStep('walk'),
        variables: { id: { kind: 'uuid' }, password: { kind: 'item', of: [canary(), canary()] } },
        watch: [{ name: `watched ${marked()}`, url: `${url}n?api_key=${canary()}` }],
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

/** As it is, percent-encoded letters have none of it; Base64 by what stands before it; hexadecimal. */
function looksOf(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('x'.repeat(shift) + secret)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, Buffer.from(secret).toString('hex'), ...base64];
}

/** Fails every request, and repeats all that it was told wherever an answer has room for it. */
async function startEcho(): Promise<{ server: Server; url: string; heard: () => string }> {
  let heard = '';
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { authorization = '', cookie = '', ...headers } = request.headers;
      const said = `${request.url ?? ''}\n${authorization}\n${cookie}\n${JSON.stringify(headers)}\n${body}`;
      heard += said;
      if (/^\/(?:count|n)\?/.test(request.url ?? '')) return void response.end('5');
      const secret = /canary\d{3}x7Qv9Lw2/.exec(said)?.[0] ?? 'none';
      response.statusMessage = `No ${secret}`;
      response.writeHead(500, {
        'X-Shard': `shard-${secret}`,
        Server: `echo ${secret}`,
        Location: `/login/${secret}?echo=${secret}`,
        'Set-Cookie': `echo=${secret}`,
      });
      response.end(
        `wrong: ${said} ${Buffer.from(said).toString('base64')} ${Buffer.from(said).toString('hex')} <input name="q" value="${said}">`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, heard: () => heard };
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a secret in every position of a plan', () => {
  let test: TestBackend;
  let echo: Awaited<ReturnType<typeof startEcho>>;
  let all: ReturnType<typeof plans>;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  beforeAll(async () => {
    const feed = join(folder, 'rows.csv');
    writeFileSync(feed, 'username\nada\n');
    test = await startTestBackend({ runsCommands: true });
    echo = await startEcho();
    all = plans(echo.url, feed, new URL(echo.url).host);
  });
  afterAll(async () => {
    await test.close();
    echo.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is planted wherever one may stand', () => {
    const isText = (schema: z.core.$ZodType): boolean =>
      !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum);
    const positions = [
      ...new Set(
        schemaFields(planSchema)
          .filter(({ schema }) => isText(schema))
          .map(({ path }) => path),
      ),
    ];
    const isPlanted = (path: string): boolean =>
      all.some(({ plan }) => valuesAt(plan, path).some(({ value }) => JSON.stringify(value ?? null).includes('canary')));
    const open = positions.filter((path) => !isPlanted(path) && !NO_SECRET.some(([pattern]) => pattern.test(path)));
    expect(open, 'plant a canary there, or say in NO_SECRET why none stands there').toEqual([]);
    expect(positions.filter(isPlanted).length).toBeGreaterThan(40);
  });

  it('is found nowhere but at its target', { timeout: 120_000 }, async () => {
    const { client } = test;
    const places = new Map<string, Buffer>();
    const note = (place: string, value: unknown): unknown =>
      places.set(place, Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
    const ask = async <Value>(place: string, work: Promise<Value>): Promise<Value | null> => {
      try {
        const value = await work;
        note(place, value);
        return value;
      } catch (thrown) {
        note(`${place}: error`, problemOf(thrown));
        return null;
      }
    };
    const outcomes: string[] = [];
    for (const { name, plan: written } of all) {
      const plan = planFor('', { ...written });
      const started = await ask(`${name}: start`, client.call('runs.start', { plan }));
      outcomes.push(`${name}: ${started === null ? (places.get(`${name}: start: error`)?.toString().slice(0, 200) ?? '') : 'ran'}`);
      if (started !== null) {
        const { runId } = started;
        note(`${name}: live`, await watchToEnd(client, runId));
        for (const format of RUN_FORMATS) await ask(`${name}: ${format}`, client.call('runs.export', { runId, format }));
        await ask(`${name}: samples`, client.call('runs.samples', { runId }));
        const result = await ask(`${name}: result`, client.call('runs.result', { runId }));
        if (result !== null)
          for (const kind of ['k6', 'artillery', 'curl', 'ab'] as const) note(`${name}: as ${kind}`, exportPlan(kind, result.plan));
      }
      if (plan.stored === undefined && plan.monitors === undefined) await ask(`${name}: try`, client.call('plans.try', { plan }));
      if (plan.populate === undefined) continue;
      const going = await ask(`${name}: populate`, client.call('populate.start', { plan, mode: 'create' }));
      if (going === null) continue;
      const items: unknown[] = [];
      await new Promise<void>((resolve) =>
        client.open('populate.watch', { id: going.id }, { onItem: (item) => items.push(item), onEnd: () => resolve() }),
      );
      note(`${name}: populate live`, items);
    }
    await ask('list', client.call('runs.list', {}));
    for (const file of [...filesUnder(test.dataDirectory), ...filesUnder(folder)]) places.set(file, readFileSync(file));
    expect([...places.keys()].some((place) => place.endsWith('.sqlite-wal'))).toBe(true);
    const ran = outcomes.filter((outcome) => outcome.endsWith(': ran'));
    expect(ran, outcomes.join('\n')).toEqual(
      expect.arrayContaining(['walked by the native engine: ran', 'the same requests by autocannon: ran']),
    );
    expect(echo.heard().match(/canary\d{3}/g)?.length, 'they were sent').toBeGreaterThan(20);

    const secrets = Array.from({ length: planted }, (_, index) => `canary${String(index + 1).padStart(3, '0')}x7Qv9Lw2`);
    const looks = secrets.flatMap(looksOf);
    const found = [...places].flatMap(([place, bytes]) =>
      looks
        .filter((look) => bytes.includes(look))
        .map((look) => `${place}: ${bytes.subarray(Math.max(0, bytes.indexOf(look) - 60), bytes.indexOf(look) + 40).toString('latin1')}`),
    );
    expect({ positions: planted, places: places.size, found }).toEqual({ positions: planted, places: places.size, found: [] });
  });
});
