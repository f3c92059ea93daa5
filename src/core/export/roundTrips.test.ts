import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValue } from '#core/review/check.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { readImported } from '../import/testing/imported.ts';
import { escapePlaceholders } from '../import/placeholders.ts';
import type { ExportKind } from './exported.ts';
import { exportPlan } from './exportPlan.ts';

/** Exports a plan and imports the result again. */
function thereAndBack(kind: ExportKind, input: PlanInput): { plan: Plan; back: Plan } {
  const { plan, issues } = parseValue(input);
  if (plan === null) throw new Error(JSON.stringify(issues, null, 1));
  const result = exportPlan(kind, plan);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues, null, 1));
  return { plan, back: readImported(result.exported.text).plan };
}

/** Removes the repetition of a step, which belongs to the flow. */
function stated<Given extends { repeat?: number }>({ repeat, ...step }: Given): Omit<Given, 'repeat'> {
  void repeat;
  return step;
}

/** Number of plans per kind; set ROUND_TRIPS=2000 for a long run. */
const RUNS = { numRuns: Number(process.env['ROUND_TRIPS'] ?? 40) };

/** Returns whether a text contains nothing that looks like a secret, because an import would remove it. */
const isHarmless = (text: string): boolean =>
  !/pass|pwd|secret|token|key|credential|csrf|xsrf|auth|sid|pin|sig|eyJ|Bearer|Basic|Token/i.test(text);
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter(isHarmless);
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      "it's",
      '"quoted"',
      '$HOME `date` $(id)',
      'a\\b\\\nc',
      '{{braces}}',
      '%20+&=',
      '@file',
      ' x ',
      '日本 é 😀',
      "'",
      '\\',
      '!',
      '^"',
    ),
  )
  .filter(isHarmless);
/** Header value without surrounding blanks. */
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/).filter((text) => isHarmless(text) && !text.includes('{{'));
const headers = fc.dictionary(fc.constantFrom('X-A', 'Accept', 'Accept-Language', 'If-None-Match', 'X-Trace'), headerText, {
  noNullPrototype: true,
});
const segment = fc
  .oneof(
    word,
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  )
  .filter((text) => text !== '.' && text !== '..');
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.option(fc.array(fc.tuple(word, segment), { minLength: 1, maxLength: 3 })))
  .map(([parts, query]) => `/${parts.join('/')}${query === null ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`}`)
  .filter((text) => !text.startsWith('//'))
  // URLs percent-encode the apostrophe.
  .map((text) => text.replaceAll("'", '%27'));
const origin = fc.constantFrom('http://127.0.0.1:8080', 'http://shop.example.org', 'http://[::1]:81', 'http://localhost');
const timeoutSeconds = fc.integer({ min: 1, max: 3_600 });

describe('a plan of one request', () => {
  it('is imported unchanged from its curl command', () => {
    const body = fc.oneof(
      fc.constant({}),
      fc.record({
        method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
        form: fc.dictionary(word, anyText.map(escapePlaceholders), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      }),
      fc.record({ method: fc.constantFrom('POST', 'PUT'), body: anyText.filter((text) => text !== '').map(escapePlaceholders) }),
      fc.record({
        method: fc.constantFrom('POST'),
        multipart: fc.array(
          fc.oneof(
            fc.record({ name: word, value: anyText.map(escapePlaceholders) }),
            fc.record({
              name: word,
              value: anyText.map(escapePlaceholders),
              type: fc.constantFrom('text/plain', 'application/json; charset=utf-8'),
            }),
            fc.record({ name: word, file: word, type: fc.constantFrom('text/plain', 'application/octet-stream') }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
      fc.record({ method: fc.constantFrom('HEAD', 'GET', 'DELETE', 'OPTIONS') }),
    );
    const redirects = fc.option(fc.record({ most: fc.integer({ min: 1, max: 50 }) }), { nil: undefined });
    fc.assert(
      fc.property(
        origin,
        path,
        headers,
        body,
        redirects,
        timeoutSeconds,
        fc.boolean(),
        (from, at, sent, carried, followed, limit, closes) => {
          const { plan, back } = thereAndBack('curl', {
            holdfast: 1,
            name: `curl of ${new URL(from).host}`,
            targets: [{ url: `${from}${at}`, headers: sent }],
            journey: [
              {
                name: 'page',
                ...(carried as object),
                ...(followed === undefined ? {} : { redirects: { follow: true as const, most: followed.most, mayEndAtLogin: true } }),
              },
            ],
            load: { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 30 }] },
            timeoutSeconds: limit,
            connections: { reuse: closes ? 'never' : 'always' },
          });
          expect(back).toEqual(plan);
        },
      ),
      RUNS,
    );
  });

  it('is imported unchanged from its ab command', () => {
    const end = fc.oneof(
      fc.record({ requests: fc.integer({ min: 1, max: 1_000_000 }) }),
      fc.record({ seconds: fc.integer({ min: 1, max: 3_600 }) }),
    );
    const body = fc.oneof(
      fc.record({ method: fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS') }),
      fc.record({ method: fc.constantFrom('POST', 'PUT'), body: word.map((file) => ({ secret: `file:${file}.txt` })) }),
    );
    fc.assert(
      fc.property(
        origin,
        path,
        headers,
        body,
        end,
        fc.integer({ min: 1, max: 20_000 }),
        timeoutSeconds,
        fc.boolean(),
        (from, at, sent, carried, ends, connections, limit, closes) => {
          const type = 'body' in carried ? { 'Content-Type': 'application/x-thing' } : {};
          const { plan, back } = thereAndBack('ab', {
            holdfast: 1,
            name: `ab of ${new URL(from).host}`,
            targets: [{ url: `${from}${at}`, headers: { ...sent, ...type } }],
            journey: [{ name: 'page', ...(carried as object) }],
            load: {
              model: 'connections',
              stages: [{ name: 'load', connections: Math.min(connections, 'requests' in ends ? ends.requests : connections), ...ends }],
            },
            timeoutSeconds: limit,
            connections: { reuse: closes ? 'never' : 'always' },
          });
          expect(back).toEqual(plan);
        },
      ),
      RUNS,
    );
  });
});

describe('a plan of arrivals', () => {
  // Poisson arrivals are counted one by one.
  const seconds = fc.integer({ min: 1, max: 60 });
  // Artillery supports whole constant rates and rounds ramps per second.
  const rate = fc.integer({ min: 1, max: 100 });
  const ramp = fc
    .record({ fromPerSecond: rate, rise: fc.integer({ min: 1, max: 2 }), seconds: fc.integer({ min: 2, max: 60 }) })
    .map(({ rise, ...from }) => ({ kind: 'ramp' as const, ...from, toPerSecond: from.fromPerSecond + rise * (from.seconds - 1) }));
  const most = fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined });
  const capped = <Shape extends object>(shape: fc.Arbitrary<Shape>) =>
    fc.tuple(shape, most).map(([stage, maxInFlight]) => ({ ...stage, ...(maxInFlight === undefined ? {} : { maxInFlight }) }));
  const stage = fc.oneof(
    capped(fc.record({ kind: fc.constant('constant' as const), perSecond: rate, seconds })),
    capped(ramp),
    capped(fc.record({ kind: fc.constant('count' as const), arrivals: fc.integer({ min: 1, max: 10_000 }), seconds })),
    fc.record({ kind: fc.constant('pause' as const), seconds }),
  );
  /** Texts that Artillery does not treat as a value: those without double braces. */
  const plain = anyText.filter((text) => !text.includes('{{'));
  const value = fc.oneof(plain, fc.constantFrom('{{colour}}', 'a{{randomNumber}}b', '{{uuid}}', '{{HOME_ID}}'));
  const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      value,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const step = fc.record(
    {
      path,
      method: fc.constantFrom('POST' as const, 'PUT' as const),
      headers: fc.dictionary(fc.constantFrom('X-A', 'Accept', 'X-Trace'), headerText, { minKeys: 1, noNullPrototype: true }),
      query: fc.dictionary(word, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
      payload: fc.oneof(
        fc.record({ json }),
        fc.record({ form: fc.dictionary(word, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true }) }),
      ),
      expectStatus: fc.uniqueArray(fc.constantFrom(200, 201, 202, 206, 403, 404, 500), { minLength: 1, maxLength: 3 }),
      thinkTime: fc.oneof(
        fc.record({ kind: fc.constant('fixed' as const), seconds: fc.integer({ min: 1, max: 400 }).map((quarters) => quarters / 4) }),
        fc
          .tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }))
          .map(([from, range]) => ({ kind: 'uniform' as const, fromSeconds: from / 1_000, toSeconds: (from + range) / 1_000 })),
      ),
      isFollowed: fc.boolean(),
      equals: plain,
      repeat: fc.integer({ min: 2, max: 9 }),
    },
    { requiredKeys: ['path', 'method', 'payload'] },
  );

  it('is imported unchanged from its Artillery script', () => {
    fc.assert(
      fc.property(
        origin,
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.array(stage, { minLength: 1, maxLength: 4 }),
        timeoutSeconds,
        fc.boolean(),
        (from, steps, stages, limit, isPoisson) => {
          const texts = JSON.stringify(steps);
          const all: NonNullable<PlanInput['variables']> = {
            colour: { kind: 'item', of: ['red', 'green', 3] },
            randomNumber: { kind: 'integer', from: 5, to: 9, per: 'request' },
            uuid: { kind: 'uuid' },
            HOME_ID: { kind: 'secret', secret: 'env:HOME_ID' },
          };
          const variables = Object.fromEntries(Object.entries(all).filter(([name]) => texts.includes(`{{${name}}}`)));
          const isRepeated = steps.some(({ repeat }) => repeat !== undefined);
          const { plan, back } = thereAndBack('artillery', {
            holdfast: 1,
            name: `Artillery test of ${new URL(from).host}`,
            targets: [{ url: `${from}/` }],
            ...(Object.keys(variables).length === 0 ? {} : { variables }),
            journey: steps.map(({ payload, isFollowed, equals, ...given }, index) => ({
              ...stated(given),
              name: `step ${index}`,
              ...(payload as object),
              ...(isFollowed === true ? { redirects: { follow: true as const, mayEndAtLogin: true } } : {}),
              ...(equals === undefined ? {} : { checks: [{ kind: 'json' as const, path: '$.a[0]', equals }] }),
              captures: [
                {
                  from: 'json' as const,
                  as: `found_${index}`,
                  path: '$.list',
                  which: index % 2 === 0 ? ('random' as const) : ('first' as const),
                },
              ],
            })),
            ...(isRepeated
              ? { flow: steps.map(({ repeat }, index) => (repeat === undefined ? `step ${index}` : { repeat, flow: [`step ${index}`] })) }
              : {}),
            cookies: 'journey',
            load: {
              model: 'arrivals',
              ...(isPoisson ? { spacing: 'poisson' as const } : {}),
              stages: [{ kind: 'constant' as const, perSecond: 1, seconds: 5 }, ...stages].map((each, index) => ({
                name: `stage ${index}`,
                ...each,
              })),
            },
            criteria: [
              { kind: 'errors', maxShare: 0.01 },
              { kind: 'responseTime', percentile: 95, maxMs: 300 },
            ],
            timeoutSeconds: limit,
          });
          // An import asks the user for values from the environment of another tool.
          expect(JSON.parse(JSON.stringify(back).replaceAll('ask:HOME_ID', 'env:HOME_ID'))).toEqual(plan);
        },
      ),
      RUNS,
    );
  });
});
