import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { IMPORTERS } from './importers.ts';
import { importText } from './importText.ts';
import { COMMAND_CORPUS } from './testing/commandCorpus.ts';
import { BRUNO, HTTP_FILE, INSOMNIA, K6, OLD_INSOMNIA } from './testing/collections.ts';
import { ADDRESS_LIST, ARTILLERY, FUNKLOAD, JMX, OLD_ARTILLERY, OPENAPI, POSTMAN, RECORDING, VEGETA_TARGETS } from './testing/documents.ts';
import { createDraw, mutated } from './testing/mutate.ts';

/** Number of inputs for each format. Set IMPORT_FUZZ=100000 for a long run. */
const INPUTS = Number(process.env['IMPORT_FUZZ'] ?? 60);
// A YAML error captures a stack trace. Each text has many of them.
if (INPUTS > 1_000) Error.stackTraceLimit = 0;
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_140_425);

const commands = COMMAND_CORPUS.map(({ text }) => text);
const KINDS = IMPORTERS.map(({ id }) => id);
/** Inputs that are mutated, by format. Formats that are not listed use the commands. */
const SEEDS: Readonly<Record<string, readonly string[]>> = {
  har: [RECORDING],
  openapi: [OPENAPI],
  postman: [JSON.stringify(POSTMAN)],
  artillery: [ARTILLERY, OLD_ARTILLERY],
  jmeter: [JMX],
  funkload: [FUNKLOAD],
  k6: [K6],
  bruno: [BRUNO],
  http: [HTTP_FILE],
  insomnia: [INSOMNIA, OLD_INSOMNIA],
  urls: [ADDRESS_LIST, VEGETA_TARGETS],
};
const all = [
  ...commands,
  RECORDING,
  OPENAPI,
  JSON.stringify(POSTMAN),
  ARTILLERY,
  OLD_ARTILLERY,
  JMX,
  FUNKLOAD,
  K6,
  BRUNO,
  HTTP_FILE,
  INSOMNIA,
  OLD_INSOMNIA,
  ADDRESS_LIST,
  VEGETA_TARGETS,
];

describe('importText with mutated input', () => {
  it.each(KINDS)('%s: makes a plan or refuses it with a reason', { timeout: 20_000 + INPUTS * 100 }, (kind) => {
    const draw = createDraw(SEED + KINDS.indexOf(kind));
    const seeds = SEEDS[kind] ?? COMMAND_CORPUS.filter((command) => command.kind === kind).map(({ text }) => text);
    let made = 0;
    let slowestMs = 0;
    for (let index = 0; index < INPUTS; index += 1) {
      const text = mutated(seeds[draw(seeds.length)] ?? '', all, draw);
      const startedAt = performance.now();
      const result = attempt(text, index % 4 === 0 ? kind : null);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (result.kind === 'refused')
        expect(
          result.issues.every(({ code, message, hint }) => code !== '' && message !== '' && hint !== '') && result.issues.length > 0,
          text,
        ).toBe(true);
      else {
        made += 1;
        expect(planSchema.safeParse(result.imported.plan).success, text).toBe(true);
        expect(planSchema.safeParse(result.imported.written).success, text).toBe(true);
      }
      // The internal marks of shell variables never appear in a result.
      expect(JSON.stringify(result), text).not.toMatch(/\ue000\w{1,60}\ue001/);
      expect(Object.keys(Object.prototype), text).toEqual([]);
      expect(Reflect.get({}, 'polluted'), text).toBeUndefined();
    }
    // Enough mutated texts must remain valid to reach the inner parts of each reader.
    expect(made).toBeGreaterThan(INPUTS / 50);
    if (INPUTS > 1_000) console.log(`${kind}: ${made} of ${INPUTS} became plans; the slowest took ${slowestMs.toFixed(1)} ms`);
  });

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['objects', '{"a":'.repeat(100_000)],
    [
      'a deeply nested HAR body',
      `{"log":{"entries":[{"request":{"method":"POST","url":"http://a.example/","postData":{"mimeType":"application/json","text":${JSON.stringify(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)}}},"response":{"status":200}}]}}`,
    ],
    ['folders', `{"info":{},"item":[${'{"item":['.repeat(5_000)}${']}'.repeat(5_000)}]}`],
    ['elements', `<jmeterTestPlan>${'<hashTree>'.repeat(50_000)}`],
    ['quotes', `curl ${`"'`.repeat(100_000)}`],
    ['substitutions', `curl ${'$('.repeat(100_000)}`],
    ['braces', `curl -d '${'{{'.repeat(100_000)}' http://a.example/`],
    ['carets', `curl ^"${'^'.repeat(200_000)}`],
    ['backticks', `Invoke-WebRequest ${'`"'.repeat(100_000)}`],
    ['digits', `ab -t ${'1'.repeat(100_000)} http://a.example/`],
    ['an address', `http://a.example/${'a'.repeat(100_000)}`],
    ['aliases', `config: &a [${'*a, '.repeat(1_000)}]\nscenarios: []`],
    ['a circle of references', 'openapi: 3.0.0\npaths: {/a: {get: {parameters: [{$ref: "#/x"}]}}}\nx: {$ref: "#/y"}\ny: {$ref: "#/x"}'],
    [
      'a schema that contains itself',
      'openapi: 3.0.0\ncomponents: {schemas: {A: {allOf: [{$ref: "#/components/schemas/A"},{$ref: "#/components/schemas/A"}]}}}\npaths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}}}',
    ],
    [
      'variables that contain each other',
      '{"info":{},"variable":[{"key":"a","value":"{{b}}{{b}}"},{"key":"b","value":"{{a}}{{a}}"}],"item":[{"name":"x","request":{"method":"GET","url":"http://a.example/{{a}}"}}]}',
    ],
    [
      'a schema that contains itself seven times',
      `{"openapi":"3.0.0","components":{"schemas":{"A":{"properties":{${Array.from({ length: 7 }, (_, index) => `"p${index}":{"$ref":"#/components/schemas/A"}`).join(',')}}}}},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}}`,
    ],
    [
      'variables that each contain the next one thirty times',
      JSON.stringify({
        info: {},
        variable: chain((name) => `{{${name}}}`).map(([key, value]) => ({ key, value })),
        item: [{ name: 'x', request: { method: 'GET', url: 'http://a.example/?x={{v0}}' } }],
      }),
    ],
    [
      'JMeter variables that each contain the next one thirty times',
      JMX.replace(
        '<collectionProp name="Arguments.arguments">',
        `$&${chain((name) => `\${${name}}`)
          .map(
            ([name, value]) =>
              `<elementProp name="${name}" elementType="Argument"><stringProp name="Argument.name">${name}</stringProp><stringProp name="Argument.value">${value}</stringProp></elementProp>`,
          )
          .join('')}`,
      ).replace('/tasks/${task}', '/tasks/${v0}'),
    ],
  ])('makes a plan or refuses text of extreme depth, width or length: %s', (_name, text) => {
    const result = attempt(text, null);
    expect(['imported', 'refused']).toContain(result.kind);
  });
});

/** Returns variables that each contain the next one thirty times, without a cycle. */
function chain(reference: (name: string) => string): (readonly [name: string, value: string])[] {
  return Array.from({ length: 10 }, (_, index) => [`v${index}`, reference(`v${index + 1}`).repeat(30)] as const);
}

function attempt(text: string, kind: string | null) {
  try {
    return importText(text, { kind });
  } catch (cause) {
    throw new Error(`this broke the reader: ${JSON.stringify(text)}`, { cause });
  }
}
