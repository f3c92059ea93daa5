import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { parsePath } from '#cli/plans/fields.ts';
import { parseDurationSeconds } from '#cli/input/optionReader.ts';
import { EXPORT_KINDS } from '#core/export/exported.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { parseFeed } from '#core/work/feeds/parseFeed.ts';
import { importText } from '#core/import/importText.ts';
import { COMMAND_CORPUS } from '#core/import/testing/commandCorpus.ts';
import { BRUNO, HTTP_FILE, INSOMNIA, K6, OLD_INSOMNIA } from '#core/import/testing/collections.ts';
import {
  ADDRESS_LIST,
  ARTILLERY,
  FUNKLOAD,
  JMX,
  OLD_ARTILLERY,
  OPENAPI,
  POSTMAN,
  RECORDING,
  VEGETA_TARGETS,
} from '#core/import/testing/documents.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { readGraph } from '#core/machines/monitors/graph/readGraph.ts';
import { parsePlan, parseValue } from '#core/review/check.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { readPreset } from '#core/presets/parse.ts';
import { evaluate, FormulaError } from '#core/presets/expression.ts';
import { parseSeries } from '#core/series/check.ts';
import { planWith } from '#core/testing/plans.ts';
import { readDraft, writeDraft } from '#ui/wizard/state/draft.ts';
import { assertPromise, type Subject } from '../subject.ts';

const YAML = [
  ': ',
  '- ',
  '\n',
  '\n  ',
  '? ',
  '&a ',
  '*a',
  '!!js ',
  '|\n',
  '>\n',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '#',
  '---\n',
  '<<: *a',
  '%YAML 1.2\n',
  '__proto__: ',
  'a: 1\n',
  '~',
];
const JSONS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', 'null', '"__proto__":', '"constructor":{', '1e999', '\n'];
const SHELL = [
  "'",
  '"',
  '\\',
  '$(',
  '`',
  '$',
  '${',
  '|',
  '&&',
  ';',
  '\n',
  ' \\\n',
  '^',
  '^"',
  '-H ',
  '-d ',
  '-F ',
  '@',
  '{{',
  '}}',
  'curl ',
  'ab ',
  "$'",
  '%',
  '<<EOF\n',
  '>',
  '(',
  ')',
];
const XML = [
  '<',
  '>',
  '</',
  '/>',
  '&',
  '&lt;',
  '&#x0;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<a b="c">',
  '<hashTree>',
  '</hashTree>',
  '"',
  '${',
  '}',
  '${__P(a,b)}',
];
const SCRIPT = ['(', ')', '{', '}', '[', ']', '`', '${', '=>', ';', '\n', '...', 'await ', '//', '/*', '*/', "'"];
const TEMPLATES = ['{{', '}}', '{{a}}', '{{a|raw}}', '\\{{', '{{ a.b }}', ' ', '|', '\\'];

/**
 * Maximum time in ms per megabyte of YAML. It is higher than usual, because the YAML library is slow: a megabyte of colons is a million
 * keys.
 */
const YAML_MS_PER_MB = 4_000;

function imports(name: string, kind: string | null, seeds: readonly string[], tokens: readonly string[]): Subject {
  return {
    name: `import ${name}`,
    msPerMb: YAML_MS_PER_MB,
    seeds,
    tokens,
    read(input) {
      const result = importText(input, { kind });
      if (result.kind === 'refused')
        assertPromise(
          result.issues.length > 0 && result.issues.every(({ code, message, hint }) => code !== '' && message !== '' && hint !== ''),
          'it is refused without a reason',
        );
      else {
        assertPromise(planSchema.safeParse(result.imported.plan).success, 'the plan does not pass its schema');
        assertPromise(planSchema.safeParse(result.imported.written).success, 'the written plan does not pass its schema');
      }
      return result;
    },
  };
}

const RICH_PLAN: Plan = planWith({
  journey: [
    {
      name: 'page',
      method: 'POST',
      path: '/a/{{id}}?x={{v}}',
      headers: { 'X-A': '{{v}}' },
      form: { a: '{{v|raw}}', b: 'c' },
      checks: [
        { kind: 'json', path: '$.a[0]', equals: 'x' },
        { kind: 'matches', pattern: 'a+b' },
      ],
      captures: [{ as: 'id', from: 'json', path: '$.id' }],
    },
    { name: 'next', json: { a: ['{{id}}', 1, null] }, method: 'PUT', redirects: { follow: true } },
  ],
  variables: { v: { kind: 'item', of: ['a', 'b'] } },
  load: { model: 'arrivals', stages: [{ kind: 'ramp', fromPerSecond: 1, toPerSecond: 9, seconds: 60 }] },
  criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 100 }],
});
const PLANS = [stringify(RICH_PLAN), JSON.stringify(RICH_PLAN), stringify(planWith())];

/** Asserts that a stored plan is parsed to the same plan again. */
function expectSamePlan(plan: Plan): void {
  const back = parseValue(JSON.parse(JSON.stringify(plan))).plan;
  assertPromise(JSON.stringify(back) === JSON.stringify(plan), 'the plan is another one when it is read back');
}

function presets(): string[] {
  return ['plain-page', 'site-with-pages', 'cms-contest'].map((name) =>
    readFileSync(new URL(`../../../presets/${name}.yaml`, import.meta.url), 'utf8'),
  );
}

const draft = JSON.stringify({ version: 2, ...(JSON.parse(writeDraft(readDraft(null))) as object) });

export const DOCUMENTS: readonly Subject[] = [
  {
    ...imports(
      'commands',
      null,
      COMMAND_CORPUS.map(({ text }) => text),
      SHELL,
    ),
    // A curl command with many addresses sends all parts of the form to each address. Up to the limits of a plan, this makes some
    // megabytes.
    memoryRatio: 100,
  },
  imports('HAR', 'har', [RECORDING], JSONS),
  imports('OpenAPI', 'openapi', [OPENAPI], [...YAML, '$ref: "#/x"', 'allOf: []', 'type: object']),
  imports('Postman', 'postman', [JSON.stringify(POSTMAN)], [...JSONS, '{{', '}}', 'pm.environment.set("a", "b");']),
  imports('Artillery', 'artillery', [ARTILLERY, OLD_ARTILLERY], [...YAML, '{{ a }}', '$randomNumber(1,2)']),
  imports('JMeter', 'jmeter', [JMX], XML),
  imports('k6', 'k6', [K6], [...SCRIPT, 'http.get(', 'check(r, {', 'for (let i = 0; i < 9; i++) {', 'JSON.stringify(']),
  // A text of some kilobytes contains the 200 steps of a plan. Reviewing the plan takes longer than parsing the text.
  {
    ...imports('Bruno', 'bruno', [BRUNO], ['meta {\n', '}\n', 'get {\n', "'''", '~', ': ', '@file(', 'body:json {\n', 'res.body', '{{a}}']),
    msPerMb: 5 * YAML_MS_PER_MB,
  },
  imports(
    'HTTP file',
    'http',
    [HTTP_FILE],
    ['###', '# @name a\n', '@a = ', '\n\n', '< ', '> {%', '%}', '{{a.response.body.$.b}}', 'GET ', ': '],
  ),
  imports('address list', 'urls', [ADDRESS_LIST, VEGETA_TARGETS], ['http://', '$(HOST)', ' POST ', '@/tmp/a', '{"url":', '\n']),
  imports('Insomnia', 'insomnia', [INSOMNIA, OLD_INSOMNIA], [...YAML, "{% response 'body', 'req_1', 'b64::JC5h::46b' %}", '{{ _.a }}']),
  imports('FunkLoad', 'funkload', [FUNKLOAD], ['[bench]', '[main]', 'cycles = ', 'url=', ':', ';', '\n ']),
  {
    name: 'plan',
    msPerMb: YAML_MS_PER_MB,
    seeds: PLANS,
    tokens: YAML,
    read(input) {
      const parsedPlan = parsePlan(input);
      assertPromise(parsedPlan.plan !== null || parsedPlan.issues.length > 0, 'a plan is refused without a reason');
      assertPromise(parsedPlan.issues.length <= 110, 'there are too many problems');
      if (parsedPlan.plan !== null) expectSamePlan(parsedPlan.plan);
      return parsedPlan;
    },
  },
  {
    name: 'export',
    msPerMb: YAML_MS_PER_MB,
    seeds: PLANS,
    tokens: [...TEMPLATES, "'", '"', '`', '${', '*/', '\u2028', '$(', '\\'],
    read(input) {
      const { plan } = parsePlan(input);
      return plan === null ? null : EXPORT_KINDS.map((kind) => exportPlan(kind, plan));
    },
  },
  {
    name: 'series',
    msPerMb: YAML_MS_PER_MB,
    seeds: [`${PLANS[2]}series: {variants: [{name: a}, {name: b, plan: {name: x}}]}`, ...PLANS],
    tokens: [...YAML, 'series:'],
    read: parseSeries,
  },
  // A preset with choices is parsed by building all of its plans.
  { name: 'preset', msPerMb: YAML_MS_PER_MB, seeds: presets(), tokens: YAML, inputs: 200_000, read: readPreset },
  ...(['csv', 'jsonl', 'credentials', 'cms'] as const).map((format): Subject => ({
    name: `feed ${format}`,
    // A row of one character becomes a list with one text. CMS user lists are in YAML.
    memoryRatio: 150,
    ...(format === 'cms' ? { msPerMb: YAML_MS_PER_MB } : {}),
    seeds: [
      'a,b\n1,2\n"x ""y""","z\nq"\n',
      '{"a":"1","b":2}\n{"a":null,"b":[1]}\n',
      'name:secret\nother: pass word \n',
      'users:\n- {username: a, password: b}\n- username: c\n',
    ],
    tokens: [',', '"', '""', '\n', '\r\n', ':', '{"a":', '}', '\ufeff', ';', '- username: a\n'],
    read(input) {
      const feed = parseFeed(input, { file: 'x', format, separator: ',' });
      assertPromise(
        feed.rows.every((row) => row.length === feed.columns.length),
        'a row has more or fewer values than there are columns',
      );
      return feed;
    },
  })),
  {
    name: 'graph',
    seeds: [
      'time,cpu,"memory (MB)"\n2014-04-25T10:00:00Z,1.5,3\n2014-04-25T10:01:00Z,,4\n2014-04-25T10:02:00Z,2,5\n',
      'Zeit;a\n25.04.2014 12:00;1,5 %\n25.04.2014 12:01;2,5 %\n',
      '1398420000\t1\n1398420060\t2\n',
    ],
    tokens: [',', ';', '\t', '\n', '"', '2014-04-25 10:00', '10:00 PM', '%', 'UTC+2', '-', '.', '1,5', ' '],
    read: (input) => readGraph(input),
  },
  { name: 'template', seeds: ['a {{b}} c {{ d | raw }} \\{{ {{e.f}}', '{{a}}'], tokens: TEMPLATES, read: (input) => parseTemplate(input) },
  {
    name: 'JSON path',
    seeds: ['$.items[0].id', '$["a name"].b', '$'],
    tokens: ['.', '[', ']', '"', '[0]', '\\', '$', '*'],
    longest: 20_000,
    read: parseJsonPath,
  },
  {
    name: 'formula',
    seeds: ['ceil(users / 2) + max(1, -x * 3)', 'a-b-c'],
    tokens: ['(', ')', '-', '+', '*', '/', ',', 'min(', 'ceil(', '1.5', 'e', ' '],
    isDocumented: (thrown) => thrown instanceof FormulaError,
    read: (text) => evaluate(text, new Map(['a', 'b', 'c', 'users', 'x'].map((name, index) => [name, index + 1]))),
  },
  { name: 'draft', seeds: [draft], tokens: JSONS, read: readDraft },
  { name: 'duration', seeds: ['1m30s', '500ms', '0.5'], tokens: ['s', 'ms', 'm', 'h', '.', '1', '0'], read: parseDurationSeconds },
  {
    name: 'setting',
    seeds: ['load.stages[0].seconds', 'a.b-c'],
    tokens: ['.', '[0]', '[', ']', '__proto__', 'constructor', '-'],
    read: parsePath,
  },
];
