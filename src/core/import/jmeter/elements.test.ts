import { describe, expect, it } from 'vitest';
import type { Imported } from '../imported.ts';
import { importedOf, refusalOf } from '../testing/imported.ts';

type Properties = Readonly<Record<string, string>>;

const properties = (given: Properties): string =>
  Object.entries(given)
    .map(([name, value]) => `<stringProp name="${name}">${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</stringProp>`)
    .join('');
const element = (kind: string, title: string, given: Properties = {}, below = '', inside = ''): string =>
  `<${kind} testname="${title}" enabled="true">${properties(given)}${inside}</${kind}><hashTree>${below}</hashTree>`;
const collection = (name: string, ...members: readonly string[]): string =>
  `<collectionProp name="${name}">${members.join('')}</collectionProp>`;
const member = (given: Properties): string => `<elementProp>${properties(given)}</elementProp>`;
const within = (name: string, inside: string): string => `<elementProp name="${name}">${inside}</elementProp>`;
const argument = (name: string, value: string): string => member({ 'Argument.name': name, 'Argument.value': value });
const HOST = { 'HTTPSampler.domain': 'a.example', 'HTTPSampler.path': '/' };
const request = (given: Properties = {}, below = '', inside = '', title = 'R'): string =>
  element('HTTPSamplerProxy', title, { ...HOST, ...given }, below, inside);
const withArguments = (...given: readonly string[]): string => within('HTTPsampler.Arguments', collection('Arguments.arguments', ...given));
const withFiles = (...given: readonly Properties[]): string =>
  within('HTTPsampler.Files', collection('HTTPFileArgs.files', ...given.map(member)));
const group = (below: string, given: Properties = {}, inside = ''): string =>
  element('ThreadGroup', 'G', { 'ThreadGroup.num_threads': '1', ...given }, below, inside);
const scheduled = { 'ThreadGroup.scheduler': 'true', 'ThreadGroup.duration': '60' };
const planOf = (below: string, given: Properties = {}, inside = ''): string =>
  `<?xml version="1.0"?><jmeterTestPlan version="1.2"><hashTree>${element('TestPlan', 'P', given, below, inside)}</hashTree></jmeterTestPlan>`;

/** Notes, in one line each. */
const notesOf = ({ notes }: Imported): string[] => notes.map(({ kind, place, what, instead }) => `${kind} ${place}: ${what} ${instead}`);
/** The parts of a plan that are not the same in all of these. */
function readOf(text: string): unknown[] {
  const imported = importedOf(text);
  const { journey, load, targets, name, holdfast, ...more } = imported.written;
  return [
    ...(journey as object[]),
    ...(Object.keys(more).length === 1 && more['cookies'] === 'ignore' ? [] : [more]),
    ...notesOf(imported),
  ];
}
const readOfGroup = (below: string): unknown[] => readOf(planOf(group(below, scheduled)));

const regex = (given: Properties): string =>
  element('RegexExtractor', 'X', { 'RegexExtractor.refname': 'x', 'RegexExtractor.template': '$1$', ...given });
const json = (path: string, match: string): string =>
  element('JSONPostProcessor', 'X', {
    'JSONPostProcessor.referenceNames': 'x',
    'JSONPostProcessor.jsonPathExprs': path,
    'JSONPostProcessor.match_numbers': match,
  });
const boundaries = (after: string, before: string, match = '1'): string =>
  element('BoundaryExtractor', 'X', {
    'BoundaryExtractor.refname': 'x',
    'BoundaryExtractor.lboundary': after,
    'BoundaryExtractor.rboundary': before,
    'BoundaryExtractor.match_number': match,
  });
const assertion = (field: string, type: number, ...texts: readonly string[]): string =>
  element(
    'ResponseAssertion',
    'X',
    { 'Assertion.test_field': field === '' ? '' : `Assertion.${field}`, 'Assertion.test_type': String(type) },
    '',
    collection('Asserion.test_strings', ...texts.map((text, index) => properties({ [String(index)]: text }))),
  );
const size = (bytes: string, operator: string): string =>
  element('SizeAssertion', 'X', { 'SizeAssertion.size': bytes, 'SizeAssertion.operator': operator });
const jsonAssertion = (given: Properties): string => element('JSONPathAssertion', 'X', { JSON_PATH: '$.a', ...given });

describe('below a sampler of JMeter', () => {
  it.each<[string, string, unknown[]]>([
    [
      'a pattern takes its group, the first match',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)` }] }],
    ],
    [
      'a random match',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '0' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)`, which: 'random' }] }],
    ],
    [
      'all matches',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '-1' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)`, which: 'all' }] }],
    ],
    [
      'the third match',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '3' }),
      [
        { name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)` }] },
        'changed X: Of several matches it uses number 3. The plan uses the first.',
      ],
    ],
    [
      'the second group',
      regex({ 'RegexExtractor.regex': '(a)=(\\d+)', 'RegexExtractor.template': '$2$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`(a)=(\d+)`, group: 2 }] }],
    ],
    [
      'the whole match',
      regex({ 'RegexExtractor.regex': 'a=(\\d+)', 'RegexExtractor.template': '$0$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=(\d+)`, group: 0 }] }],
    ],
    [
      'a group that is not there',
      regex({ 'RegexExtractor.regex': 'a=(\\d+)', 'RegexExtractor.template': '$2$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=(\d+)` }] }],
    ],
    [
      'a pattern without groups',
      regex({ 'RegexExtractor.regex': 'a=\\d+', 'RegexExtractor.template': '' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=\d+` }] }],
    ],
    [
      'two groups in one',
      regex({ 'RegexExtractor.regex': '(a)=(b)', 'RegexExtractor.template': '$1$-$2$' }),
      [
        { name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a)=(b)' }] },
        'changed X: The template combines several groups. The plan uses the first group.',
      ],
    ],
    [
      'flags of Java',
      regex({ 'RegexExtractor.regex': '(?isxu)<a>(.*)</a>' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '<a>(.*)</a>', flags: 'is' }] }],
    ],
    [
      'text of HTML',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'unescaped' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)', html: true }] }],
    ],
    [
      'text of a document',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'as_document' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)' }] }],
    ],
    [
      'the body',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'false' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)' }] }],
    ],
    [
      'an address',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'URL' }),
      [{ name: 'R', path: '/' }, 'leftOut X: The extractor reads “URL”. Captures read bodies, headers and cookies.'],
    ],
    [
      'a header by its name',
      regex({ 'RegexExtractor.regex': 'Location: /(\\d+)', 'RegexExtractor.useHeaders': 'true' }),
      [{ name: 'R', path: '/', captures: [{ from: 'header', as: 'x', name: 'Location', pattern: String.raw`/(\d+)` }] }],
    ],
    [
      'all headers',
      regex({ 'RegexExtractor.regex': '(\\d+)', 'RegexExtractor.useHeaders': 'true' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: A regular expression searches all response headers. Add a capture from one header by its name.',
      ],
    ],
    [
      'a header of any value',
      regex({ 'RegexExtractor.regex': 'ETag: ', 'RegexExtractor.useHeaders': 'true' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: A regular expression searches all response headers. Add a capture from one header by its name.',
      ],
    ],
    [
      'a pattern that is none',
      regex({ 'RegexExtractor.regex': '(' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: The regular expression is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    ['a value of JSON', json('$.a.b', '1'), [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a.b' }] }]],
    ['a list of JSON', json('$.a[*]', '-1'), [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }]],
    [
      'the first of a list',
      json('$.a[*]', '1'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'first' }] }],
    ],
    [
      'the second of a list',
      json('$.a[*]', '2'),
      [
        { name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'first' }] },
        'changed X: Of several matches it uses number 2. The plan uses the first.',
      ],
    ],
    [
      'any one of a list',
      json('$.a[*]', '0'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'random' }] }],
    ],
    [
      'several places of JSON',
      json('$..a', '1'),
      [
        { name: 'R', path: '/' },
        'leftOut X: The path $..a can match several places, or compares values. A plan takes the value at one place, such as $.items[0].id.',
      ],
    ],
    [
      'several values of JSON',
      element('JSONPostProcessor', 'X', {
        'JSONPostProcessor.referenceNames': 'one;two',
        'JSONPostProcessor.jsonPathExprs': '$.a;$.b',
        'JSONPostProcessor.match_numbers': '1;0',
      }),
      [
        {
          name: 'R',
          path: '/',
          captures: [
            { from: 'json', as: 'one', path: '$.a' },
            { from: 'json', as: 'two', path: '$.b', which: 'random' },
          ],
        },
      ],
    ],
    [
      'a path of JMESPath',
      element('JMESPathExtractor', 'X', {
        'JMESExtractor.referenceName': 'x',
        'JMESExtractor.jmesPathExpr': '$.a',
        'JMESExtractor.matchNumber': '-1',
      }),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }],
    ],
    [
      'between two texts',
      boundaries('a="', '"'),
      [{ name: 'R', path: '/', captures: [{ from: 'between', as: 'x', after: 'a="', before: '"' }] }],
    ],
    [
      'between two texts, all',
      boundaries('a="', '"', '-1'),
      [{ name: 'R', path: '/', captures: [{ from: 'between', as: 'x', after: 'a="', before: '"', which: 'all' }] }],
    ],
    [
      'no text before',
      boundaries('', '"'),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'no text behind',
      boundaries('a', ''),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'a long text',
      boundaries('a'.repeat(1_001), '"'),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'a text that the body contains',
      assertion('response_data', 16, 'Hello ${who}', ''),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'Hello ${who}' }] },
        'leftOut ${who}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'a text that it does not contain',
      assertion('', 20, 'Error'),
      [{ name: 'R', path: '/', checks: [{ kind: 'contains', text: 'Error', not: true }] }],
    ],
    [
      'one of two texts',
      assertion('response_data', 48, 'a', 'b'),
      [
        {
          name: 'R',
          path: '/',
          checks: [
            { kind: 'contains', text: 'a' },
            { kind: 'contains', text: 'b' },
          ],
        },
        'changed X: It needs one of several texts. The plan needs all of them.',
      ],
    ],
    [
      'one of one text',
      assertion('response_data_as_document', 48, 'a'),
      [{ name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a' }] }],
    ],
    [
      'the whole body',
      assertion('response_data', 8, 'a'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a' }] },
        'changed X: The body must be exactly this text. The plan checks that the body contains it.',
      ],
    ],
    [
      'not this whole body',
      assertion('response_data', 12, 'a'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a', not: true }] },
        'changed X: The body must be exactly this text. The plan checks that the body contains it.',
      ],
    ],
    [
      'a pattern somewhere',
      assertion('response_data', 2, '(?i)a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: 'a+', flags: 'i' }] }],
    ],
    [
      'a pattern of the whole',
      assertion('response_data', 1, 'a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: '^(?:a+)$' }] }],
    ],
    [
      'no such pattern',
      assertion('response_data', 6, 'a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: 'a+', not: true }] }],
    ],
    [
      'a pattern that cannot be read',
      assertion('response_data', 2, '('),
      [
        { name: 'R', path: '/' },
        'leftOut X: The pattern of the assertion is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    [
      'statuses',
      assertion('response_code', 8, '200', '404', '200', '99', '600', '2..', '100', '599'),
      [{ name: 'R', path: '/', expectStatus: [200, 404, 100, 599] }],
    ],
    [
      'not this status',
      assertion('response_code', 12, '500'),
      [{ name: 'R', path: '/' }, 'leftOut X: It compares the response status with a pattern, or excludes one. It was left out.'],
    ],
    [
      'no status at all',
      assertion('response_code', 8, '2..'),
      [{ name: 'R', path: '/' }, 'leftOut X: It compares the response status with a pattern, or excludes one. It was left out.'],
    ],
    [
      'something else',
      assertion('response_message_text', 16, 'OK'),
      [{ name: 'R', path: '/' }, 'leftOut X: The assertion tests response message text. Checks test bodies and statuses.'],
    ],
    ['a value of JSON that is there', jsonAssertion({}), [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a' }] }]],
    [
      'a value of JSON',
      jsonAssertion({ JSONVALIDATION: 'true', EXPECTED_VALUE: '5' }),
      [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] }],
    ],
    [
      'no value of JSON',
      jsonAssertion({ INVERT: 'true', JSONVALIDATION: 'false', EXPECTED_VALUE: '5' }),
      [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', not: true }] }],
    ],
    [
      'a pattern of a value of JSON',
      jsonAssertion({ JSONVALIDATION: 'true', EXPECTED_VALUE: '5', ISREGEX: 'true' }),
      [
        { name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] },
        'changed X: It compares the value with a regular expression. The plan compares it as plain text.',
      ],
    ],
    [
      'several places of JSON',
      jsonAssertion({ JSON_PATH: '$..a', ISREGEX: 'true' }),
      [{ name: 'R', path: '/' }, 'leftOut X: The JSONPath $..a can match several places. It was left out.'],
    ],
    [
      'a time limit',
      element('DurationAssertion', 'X', { 'DurationAssertion.duration': '900' }),
      [
        { name: 'R', path: '/', budgetMs: 900 },
        'changed X: A slower response is a failure. The plan judges the percentage of responses within this time (budgetMs).',
      ],
    ],
    [
      'a time limit of days',
      element('DurationAssertion', 'X', { 'DurationAssertion.duration': '86400000' }),
      [
        { name: 'R', path: '/', budgetMs: 3_600_000 },
        'changed X: A slower response is a failure. The plan judges the percentage of responses within this time (budgetMs).',
      ],
    ],
    [
      'no time limit',
      element('DurationAssertion', 'X', { 'DurationAssertion.duration': '0' }),
      [{ name: 'R', path: '/' }, 'leftOut X: The time limit is invalid. It was left out.'],
    ],
    [
      'a size',
      size('5', '1'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', minBytes: 5, maxBytes: 5 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    ['another size', size('5', '2'), [{ name: 'R', path: '/' }, 'leftOut X: This size comparison has no equivalent. It was left out.']],
    [
      'a larger one',
      size('5', '3'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', minBytes: 6 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    [
      'a smaller one',
      size('5', '4'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', maxBytes: 4 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    [
      'nothing',
      size('0', '4'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', maxBytes: 0 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    [
      'at least a size',
      size('5', '5'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', minBytes: 5 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    [
      'at most a size',
      size('5', '6'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'size', maxBytes: 5 }] },
        'changed X: JMeter can include headers in the size. The plan checks the body size.',
      ],
    ],
    ['a negative size', size('-1', '1'), [{ name: 'R', path: '/' }, 'leftOut X: This size comparison has no equivalent. It was left out.']],
    ['a broken size', size('1.5', '1'), [{ name: 'R', path: '/' }, 'leftOut X: This size comparison has no equivalent. It was left out.']],
    [
      'what no plan knows',
      element('org.example.XPathExtractor', 'X'),
      [
        { name: 'R', path: '/' },
        'leftOut X: XPathExtractor has no equivalent. Plans capture with regular expressions, between texts, and from JSON, headers and cookies.',
      ],
    ],
    [
      'code',
      element('JSR223Assertion', 'X'),
      [{ name: 'R', path: '/' }, 'leftOut X: It runs code. Holdfast never runs code from an import.'],
    ],
    [
      'code of a bean shell',
      element('BeanShellPostProcessor', 'X'),
      [{ name: 'R', path: '/' }, 'leftOut X: It runs code. Holdfast never runs code from an import.'],
    ],
  ])('%s', (_name, below, expected) => {
    expect(readOfGroup(request({}, below))).toEqual(expected);
  });
});

describe('a pause of JMeter', () => {
  const timer = (kind: string, delay: string, range = '0'): string =>
    element(kind, 'T', { 'ConstantTimer.delay': delay, 'RandomTimer.range': range });
  const beside = (timers: string): unknown[] => readOfGroup(`${timers}${request()}`);

  it.each<[string, string, unknown]>([
    ['is as long', timer('ConstantTimer', '1500'), [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 1.5 } }]],
    ['is never negative', timer('ConstantTimer', '-5'), [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0 } }]],
    [
      'is spread evenly',
      timer('UniformRandomTimer', '1000', '500'),
      [{ name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 1.5 } }],
    ],
    [
      'is spread normally',
      timer('GaussianRandomTimer', '1000', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 0.134, toSeconds: 1.866 } },
        'changed T: Pauses are normally distributed. The plan spreads them uniformly, with the same mean and deviation.',
      ],
    ],
    [
      'is spread normally, and never negative',
      timer('GaussianRandomTimer', '100', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 0, toSeconds: 0.966 } },
        'changed T: Pauses are normally distributed. The plan spreads them uniformly, with the same mean and deviation.',
      ],
    ],
    [
      'is spread exponentially',
      timer('PoissonRandomTimer', '1000', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'exponential', meanSeconds: 1.5 } },
        'changed T: Pauses follow a Poisson distribution. The plan spreads them exponentially, with the same mean.',
      ],
    ],
    [
      'is none',
      timer('PoissonRandomTimer', '0'),
      [
        { name: 'R', path: '/' },
        'changed T: Pauses follow a Poisson distribution. The plan spreads them exponentially, with the same mean.',
      ],
    ],
    [
      'is a rate',
      timer('ConstantThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'is a precise rate',
      timer('PreciseThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'is a rate of a schedule',
      timer('kg.apc.jmeter.timers.VariableThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'waits for others',
      timer('ConstantTimer', '5') + timer('SyncTimer', '0'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.005 } },
        'leftOut T: Threads wait for each other to send at the same instant. It was left out.',
      ],
    ],
    [
      'is the nearest one',
      timer('ConstantTimer', '5') + timer('ConstantTimer', '7'),
      [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.007 } }],
    ],
  ])('%s', (_name, timers, expected) => {
    expect(beside(timers)).toEqual(expected);
  });

  it('of a sampler comes after the request before it', () => {
    const own = request({}, timer('ConstantTimer', '2000'), '', 'Second');
    expect(readOfGroup(request() + own)).toEqual([
      { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 2 } },
      { name: 'Second', path: '/' },
    ]);
    expect(readOfGroup(own)).toEqual([
      { name: 'Second', path: '/' },
      'leftOut Second: It has its own pause, and no request comes before it. The pause was left out. In a plan, pauses follow requests.',
    ]);
  });

  it('of its own adds to that of the request before it', () => {
    const action = (duration: string): string => element('TestAction', 'Wait', { 'ActionProcessor.duration': duration });
    expect(readOfGroup(request() + action('250') + action('500') + request({}, '', '', 'Second') + action('0'))).toEqual([
      { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.75 } },
      { name: 'Second', path: '/' },
      'leftOut Wait: It stops, or pauses before the first request. It was left out.',
    ]);
    expect(readOfGroup(action('250') + request())).toEqual([
      { name: 'R', path: '/' },
      'leftOut Wait: It stops, or pauses before the first request. It was left out.',
    ]);
  });
});

describe('a request of JMeter', () => {
  it.each<[string, string, unknown[]]>([
    ['of another method', request({ 'HTTPSampler.method': 'DELETE' }), ['http://a.example/', { name: 'R', method: 'DELETE', path: '/' }]],
    ['of a path without a slash', request({ 'HTTPSampler.path': 'a b' }), ['http://a.example/', { name: 'R', path: '/a%20b' }]],
    ['of a path of two slashes', request({ 'HTTPSampler.path': '//a' }), ['http://a.example/', { name: 'R', path: '/.//a' }]],
    [
      'of a path that is a variable',
      request({ 'HTTPSampler.path': '${__P(where)}' }),
      [
        'http://a.example/',
        { name: 'R', path: '{{where}}' },
        { variables: { where: { kind: 'secret', secret: 'ask:where' } }, cookies: 'ignore' },
        'assumed ${__P(where)}: It is a property from JMeter’s command line. Holdfast asks for where when the plan runs. To read it from your environment, write env:where into the plan.',
      ],
    ],
    [
      'of a whole address',
      request({ 'HTTPSampler.domain': '', 'HTTPSampler.path': 'HTTPS://b.example:8443/c?d=1' }),
      ['https://b.example:8443/', { name: 'R', path: '/c?d=1' }],
    ],
    [
      'of IPv6',
      request({ 'HTTPSampler.domain': '::1', 'HTTPSampler.port': '81', 'HTTPSampler.protocol': 'https' }),
      ['https://[::1]:81/', { name: 'R', path: '/' }],
    ],
    ['of IPv6 in brackets', request({ 'HTTPSampler.domain': '[::1]' }), ['http://[::1]/', { name: 'R', path: '/' }]],
    [
      'of no server',
      request({ 'HTTPSampler.domain': '' }),
      [
        'http://localhost/',
        { name: 'R', path: '/' },
        'assumed HTTP Request: The test plan does not name its server, or uses a variable without a value. http://localhost is used instead. Set your server as the plan’s target.',
      ],
    ],
    [
      'of a server that nothing says',
      request({ 'HTTPSampler.domain': '${host}' }),
      [
        'http://localhost/',
        { name: 'R', path: '/' },
        'assumed HTTP Request: The test plan does not name its server, or uses a variable without a value. http://localhost is used instead. Set your server as the plan’s target.',
      ],
    ],
    [
      'that follows redirects',
      request({ 'HTTPSampler.follow_redirects': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', redirects: { follow: true, mayEndAtLogin: true } }],
    ],
    [
      'that lets Java follow redirects',
      request({ 'HTTPSampler.auto_redirects': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', redirects: { follow: true, mayEndAtLogin: true } }],
    ],
    [
      'that loads what a page needs',
      request({ 'HTTPSampler.image_parser': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', resources: {} }],
    ],
    [
      'that closes its connection',
      request({ 'HTTPSampler.use_keepalive': 'false' }),
      [
        'http://a.example/',
        { name: 'R', path: '/' },
        'leftOut R: It closes its connection after the response. To do so for all requests of the plan, set connections: {reuse: never}.',
      ],
    ],
    [
      'of limits',
      request({ 'HTTPSampler.response_timeout': '2500', 'HTTPSampler.connect_timeout': '500' }),
      ['http://a.example/', { name: 'R', path: '/' }, { cookies: 'ignore', timeoutSeconds: 2.5, connections: { connectSeconds: 0.5 } }],
    ],
    [
      'of short and long limits',
      request({ 'HTTPSampler.response_timeout': '1', 'HTTPSampler.connect_timeout': '9999999' }),
      ['http://a.example/', { name: 'R', path: '/' }, { cookies: 'ignore', timeoutSeconds: 1, connections: { connectSeconds: 3_600 } }],
    ],
    [
      'of no limits',
      request({ 'HTTPSampler.response_timeout': '0', 'HTTPSampler.connect_timeout': '0' }),
      ['http://a.example/', { name: 'R', path: '/' }],
    ],
    [
      'of a query',
      request({}, '', withArguments(argument('a', '1'), argument('', 'x'), argument('b', '${__UUID()}'))),
      [
        'http://a.example/',
        { name: 'R', path: '/', query: { a: '1', b: '{{uuid}}' } },
        { variables: { uuid: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
      ],
    ],
    [
      'of a query of long names',
      request({}, '', withArguments(argument('n'.repeat(200), '1'), argument('n'.repeat(201), '1'))),
      [
        'http://a.example/',
        {
          name: 'R',
          path: '/',
          query: {
            nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:
              '1',
          },
        },
        'leftOut R: Parameter names are too long. They were left out.',
      ],
    ],
    [
      'of a form',
      request({ 'HTTPSampler.method': 'POST' }, '', withArguments(argument('a', '1'), argument('b', 'c d'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', form: { a: '1', b: 'c d' } }],
    ],
    ['of no form', request({ 'HTTPSampler.method': 'POST' }), ['http://a.example/', { name: 'R', method: 'POST', path: '/' }]],
    [
      'of a body',
      request({ 'HTTPSampler.method': 'PUT', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', 'a='), argument('', '1'))),
      ['http://a.example/', { name: 'R', method: 'PUT', path: '/', body: 'a=1' }],
    ],
    [
      'of a body of JSON',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', ' {"a": 1}'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', body: ' {"a": 1}' }],
    ],
    [
      'of a body that is a number',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', '5'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', body: '5' }],
    ],
    [
      'of an empty body',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/' }],
    ],
    [
      'of a file',
      request({ 'HTTPSampler.method': 'PUT' }, '', withFiles({ 'File.path': 'a.bin', 'File.paramname': '', 'File.mimetype': 'image/png' })),
      [
        'http://a.example/',
        { name: 'R', method: 'PUT', path: '/', body: { secret: 'file:a.bin' } },
        'changed R: The body is read from the file a.bin. Holdfast reads it as text, without the final line feed, when the plan runs.',
      ],
    ],
    [
      'of files',
      request(
        { 'HTTPSampler.method': 'POST' },
        '',
        withArguments(argument('a', '1')) +
          withFiles(
            { 'File.path': 'a.png', 'File.paramname': 'photo', 'File.mimetype': ' image/png ' },
            { 'File.path': '', 'File.paramname': '' },
          ),
      ),
      [
        'http://a.example/',
        {
          name: 'R',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'a', value: '1' },
            { name: 'photo', file: 'a.png', type: 'image/png' },
            { name: 'file', file: 'file' },
          ],
        },
      ],
    ],
    [
      'of parts',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.DO_MULTIPART_POST': 'true' }, '', withArguments(argument('a', '1'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', multipart: [{ name: 'a', value: '1' }] }],
    ],
    [
      'of no parts',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.DO_MULTIPART_POST': 'true' }),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/' }],
    ],
  ])('%s', (_name, below, expected) => {
    expect([importedOf(planOf(group(below, scheduled))).plan.targets[0]?.url, ...readOfGroup(below)]).toEqual(expected);
  });

  it('to another server, of another method or of no address is left out', () => {
    const others = [
      request({ 'HTTPSampler.domain': 'b.example' }, '', '', 'Elsewhere'),
      request({ 'HTTPSampler.method': 'PROPFIND' }, '', '', 'Odd'),
      request({ 'HTTPSampler.protocol': 'ftp' }, '', '', 'Files'),
    ];
    expect(readOfGroup(request() + others.join(''))).toEqual([
      { name: 'R', path: '/' },
      'leftOut Elsewhere: It is for another server, http://b.example. A journey has one server.',
      'leftOut Odd: Plans do not support its method. The request was left out.',
      'leftOut Files: ftp://a.example is not an http or https address. The request was left out.',
    ]);
  });
});

describe('beside requests of JMeter', () => {
  const headers = (...pairs: readonly (readonly [string, string])[]): string =>
    element(
      'HeaderManager',
      'Headers',
      {},
      '',
      collection('HeaderManager.headers', ...pairs.map(([name, value]) => member({ 'Header.name': name, 'Header.value': value }))),
    );
  const logins = (...users: readonly string[]): string =>
    element(
      'AuthManager',
      'Logins',
      {},
      '',
      collection(
        'AuthManager.auth_list',
        ...users.map((user) => member({ 'Authorization.username': user, 'Authorization.password': 'pw' })),
      ),
    );
  const cookies = (clears: string, ...members: readonly string[]): string =>
    element(
      'CookieManager',
      'Cookies',
      { 'CookieManager.clearEachIteration': clears },
      '',
      collection('CookieManager.cookies', ...members),
    );
  const once = (below: string): string => element('OnceOnlyController', 'Once', {}, below);

  it.each<[string, string, unknown[]]>([
    [
      'headers hold for all, the nearest last',
      headers(['X-A', '1'], ['', 'x'], ['x-b', '2']) + request({}, headers(['x-a', '3'])),
      [{ name: 'R', path: '/', headers: { 'x-a': '3', 'x-b': '2' } }],
    ],
    [
      'a type of a form is its own',
      headers(['Content-Type', 'text/x'], ['X-A', '1']) + request({ 'HTTPSampler.method': 'POST' }, '', withArguments(argument('a', '1'))),
      [{ name: 'R', method: 'POST', path: '/', headers: { 'X-A': '1' }, form: { a: '1' } }],
    ],
    [
      'a type of a body is sent',
      headers(['Content-Type', 'text/x']) +
        request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', '{}'))),
      [{ name: 'R', method: 'POST', path: '/', headers: { 'Content-Type': 'text/x' }, body: '{}' }],
    ],
    [
      'a login is sent',
      logins('ada') + request(),
      [
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret R: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'the first of several logins is sent',
      logins('ada', 'bob') + request(),
      [
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'leftOut Logins: It contains logins for several addresses. The plan uses the first for all.',
        'secret R: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'a login of variables is not sent',
      logins('${user}') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut Logins: User name and password of HTTP Basic come from variables. They must be encoded together. No login is sent. Put the whole header into the file or variable.',
      ],
    ],
    ['no login is sent', logins() + request(), [{ name: 'R', path: '/' }]],
    ['cookies last for a journey', cookies('true') + request(), [{ name: 'R', path: '/' }, { cookies: 'journey' }]],
    [
      'cookies last for a user',
      cookies('false', member({})) + request() + once(request()),
      [
        { name: 'R', path: '/' },
        { name: 'R (2)', path: '/', once: true },
        { cookies: 'user' },
        'leftOut Cookies: It sets cookies by hand. Set them as the cookie of the plan’s target.',
      ],
    ],
    [
      'what comes once for a thread comes in each journey',
      cookies('true') + once(request()),
      [
        { name: 'R', path: '/' },
        { cookies: 'journey' },
        'changed R: It runs once for each thread. Users drop their cookies after each journey, so it runs in each journey.',
      ],
    ],
    [
      'a cache is none',
      element('CacheManager', 'Cache') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut Cache: It caches responses as browsers do. A plan that fetches the files of pages caches them too.',
      ],
    ],
    [
      'listeners are left out',
      element('Summariser', 'S') + element('kg.apc.jmeter.vizualizers.X', 'K') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut S: A listener shows or stores results. Holdfast has its own results.',
        'leftOut K: A listener shows or stores results. Holdfast has its own results.',
      ],
    ],
    [
      'code is left out',
      element('JSR223PreProcessor', 'C') + element('BeanShellSampler', 'B') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut C: It runs code. Holdfast never runs code from an import.',
        'leftOut B: It runs code. Holdfast never runs code from an import.',
      ],
    ],
    [
      'other samplers are left out',
      element('JDBCSampler', 'D') + element('org.example.DNSCacheManager', 'N') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut D: JDBCSampler has no equivalent. Holdfast supports HTTP only.',
        'leftOut N: DNSCacheManager has no equivalent. It was left out.',
      ],
    ],
    [
      'defaults of a plug-in are no defaults',
      element('ConfigTestElement', 'Defaults', { 'HTTPSampler.port': '81' }) + request(),
      [{ name: 'R', path: '/' }, 'leftOut Defaults: ConfigTestElement has no equivalent. It was left out.'],
    ],
  ])('%s', (_name, below, expected) => {
    expect(readOfGroup(below)).toEqual(expected);
  });
});

describe('a controller of JMeter', () => {
  const first = request({}, '', '', 'First');
  const both = request() + request({}, '', '', 'Second');
  const throughput = (percent: string): string =>
    first + element('ThroughputController', 'C', { 'ThroughputController.percentThroughput': percent }, request());
  const each = (list: string): string =>
    element('ForeachController', 'C', { 'ForeachController.inputVal': list }, request({}, '', '', 'Each'));

  it.each<[string, string, unknown]>([
    ['repeats', element('LoopController', 'C', { 'LoopController.loops': '3' }, both), [[{ repeat: 3, flow: ['R', 'Second'] }]]],
    [
      'repeats never',
      first + element('LoopController', 'C', { 'LoopController.loops': '0' }, both),
      [['First', { repeat: 0, flow: ['R', 'Second'] }]],
    ],
    [
      'repeats for ever',
      element('LoopController', 'C', { 'LoopController.loops': '-1' }, both),
      [null, 'changed C: The loop is endless, or its count is a variable. It runs once in each journey.'],
    ],
    [
      'repeats as often as a variable says',
      element('LoopController', 'C', { 'LoopController.loops': '${n}' }, both),
      [null, 'changed C: The loop is endless, or its count is a variable. It runs once in each journey.'],
    ],
    [
      'picks one',
      element('RandomController', 'C', {}, both),
      [
        [
          {
            choose: [
              { weight: 1, flow: ['R'] },
              { weight: 1, flow: ['Second'] },
            ],
          },
        ],
      ],
    ],
    [
      'alternates',
      element('InterleaveControl', 'C', {}, both),
      [
        [
          {
            choose: [
              { weight: 1, flow: ['R'] },
              { weight: 1, flow: ['Second'] },
            ],
          },
        ],
        'changed C: It alternates between its parts. The plan picks one at random each time.',
      ],
    ],
    [
      'is taken at times',
      throughput('20'),
      [
        [
          'First',
          {
            choose: [
              { weight: 20, flow: ['R'] },
              { weight: 80, flow: [] },
            ],
          },
        ],
      ],
    ],
    [
      'is never taken',
      throughput('0'),
      [
        [
          'First',
          {
            choose: [
              { weight: 0, flow: ['R'] },
              { weight: 100, flow: [] },
            ],
          },
        ],
      ],
    ],
    ['is always taken', throughput('100'), [null]],
    [
      'is taken at times, as older ones write it',
      first + element('ThroughputController', 'C', {}, request(), '<FloatProperty><name>x</name><value>12.5</value></FloatProperty>'),
      [
        [
          'First',
          {
            choose: [
              { weight: 12.5, flow: ['R'] },
              { weight: 87.5, flow: [] },
            ],
          },
        ],
      ],
    ],
    ['is one thing', element('TransactionController', 'C', {}, both), [null]],
    [
      'has a condition',
      element('WhileController', 'C', {}, both),
      [null, 'changed C: WhileController uses a condition or its own order. Its steps run once in each journey.'],
    ],
    [
      'has another order',
      element('RandomOrderController', 'C', {}, both),
      [null, 'changed C: RandomOrderController uses a condition or its own order. Its steps run once in each journey.'],
    ],
    [
      'goes through a list',
      request({}, json('$.a[*]', '-1')) + each('x'),
      [
        null,
        'changed C: It loops over a captured list, with a variable for the item. Its steps run once, with the whole list as the item. Add forEach to the flow of the plan.',
      ],
    ],
    [
      'goes through no list',
      request({}, json('$.a', '1')) + each('x'),
      [null, 'changed C: It loops over a list that no step captures. Its steps run once.'],
    ],
    ['goes through nothing', each('x'), [null, 'changed C: It loops over a list that no step captures. Its steps run once.']],
    ['is empty', element('LoopController', 'C', { 'LoopController.loops': '3' }) + request(), [null]],
  ])('%s', (_name, below, expected) => {
    const imported = importedOf(planOf(group(below, scheduled)));
    expect([imported.written['flow'] ?? null, ...notesOf(imported)]).toEqual(expected);
  });

  it('is left out below too many others', () => {
    const nested = (depth: number): string => (depth === 0 ? request() : element('GenericController', `C${depth}`, {}, nested(depth - 1)));
    expect(refusalOf(planOf(group(nested(40))))).toEqual(['NO_REQUESTS']);
    expect(readOfGroup(request() + nested(40)).slice(1)).toEqual(['leftOut C34: Controllers are nested too deeply. It was left out.']);
  });
});

describe('an expression of JMeter', () => {
  const variables = element(
    'Arguments',
    'V',
    {},
    '',
    collection('Arguments.arguments', argument('who', 'ada'), argument('password', 'pw'), argument('a', '${b}'), argument('b', '${a}')),
  );
  const feed = (given: Properties): string => element('CSVDataSet', 'People', { filename: 'p.csv', variableNames: 'name, mail', ...given });
  const query = (...values: readonly string[]): string =>
    request({}, '', withArguments(...values.map((value, index) => argument(String.fromCharCode(97 + index), value))));

  it.each<[string, string, unknown[]]>([
    ['is a variable', variables + query('${who}', '${who}${who}'), [{ name: 'R', path: '/', query: { a: 'ada', b: 'adaada' } }]],
    [
      'is a secret',
      variables + query('${password}'),
      [
        { name: 'R', path: '/', query: { a: '{{password}}' } },
        { variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } }, cookies: 'ignore' },
        'secret User Defined Variables: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'is in itself',
      variables + query('${a}'),
      [
        { name: 'R', path: '/', query: { a: '${a}' } },
        'leftOut ${a}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is unknown',
      query('${nothing}', '{{x}}'),
      [
        { name: 'R', path: '/', query: { a: '${nothing}', b: String.raw`\{{x}}` } },
        'leftOut ${nothing}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is a number of UUID',
      query('${__UUID}', '${__UUID()}'),
      [
        { name: 'R', path: '/', query: { a: '{{uuid}}', b: '{{uuid}}' } },
        { variables: { uuid: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
      ],
    ],
    [
      'is a time',
      query('${__time()}', '${__time(/1000)}', '${__time(yyyy)}', '${__timestamp}'),
      [
        { name: 'R', path: '/', query: { a: '{{timestamp}}', b: '{{timestamp_2}}', c: '{{time}}', d: '{{timestamp}}' } },
        {
          variables: {
            timestamp: { kind: 'timestamp', unit: 'milliseconds' },
            timestamp_2: { kind: 'timestamp', unit: 'seconds' },
            time: { kind: 'timestamp', unit: 'iso' },
          },
          cookies: 'ignore',
        },
        'changed ${__time(yyyy)}: It uses its own time format. The plan uses ISO 8601.',
      ],
    ],
    [
      'is a random number',
      query('${__Random(1,6)}', '${__Random(6,-1,x)}', '${__Random(a,b)}'),
      [
        { name: 'R', path: '/', query: { a: '{{random}}', b: '{{random_2}}', c: '${__Random(a,b)}' } },
        {
          variables: {
            random: { kind: 'integer', from: 1, to: 6, per: 'request' },
            random_2: { kind: 'integer', from: -1, to: 6, per: 'request' },
          },
          cookies: 'ignore',
        },
        'leftOut ${__Random(a,b)}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is a random text',
      query('${__RandomString(5)}'),
      [
        { name: 'R', path: '/', query: { a: '{{randomString}}' } },
        { variables: { randomString: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
        'changed ${__RandomString(5)}: It is random text. The plan uses a random UUID.',
      ],
    ],
    [
      'is the number of the user',
      query('${__threadNum}', '${__counter(FALSE,)}'),
      [
        { name: 'R', path: '/', query: { a: '{{threadNum}}', b: '{{threadNum}}' } },
        { variables: { threadNum: { kind: 'number', from: 1 } }, cookies: 'ignore' },
        'changed ${__counter(FALSE,)}: It is a counter that increases with each use. The plan uses the number of the user.',
      ],
    ],
    [
      'is a property',
      query('${__P(my-key)}', '${__P(with,5)}', '${__property(a,b,c)}', '${__property(z)}'),
      [
        { name: 'R', path: '/', query: { a: '{{my_key}}', b: '5', c: 'c', d: '{{z}}' } },
        { variables: { my_key: { kind: 'secret', secret: 'ask:my_key' }, z: { kind: 'secret', secret: 'ask:z' } }, cookies: 'ignore' },
        'assumed ${__P(my-key)}: It is a property from JMeter’s command line. Holdfast asks for my_key when the plan runs. To read it from your environment, write env:my_key into the plan.',
        'assumed ${__property(z)}: It is a property from JMeter’s command line. Holdfast asks for z when the plan runs. To read it from your environment, write env:z into the plan.',
      ],
    ],
    [
      'is a function that no plan has',
      query('${__groovy(1+1)}'),
      [
        { name: 'R', path: '/', query: { a: '${__groovy(1+1)}' } },
        'leftOut ${__groovy(1+1)}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is escaped',
      variables + query('${__urlencode(${who})}', '${__V(${who})}'),
      [{ name: 'R', path: '/', query: { a: 'ada', b: 'ada' } }],
    ],
    [
      'is in a file',
      feed({}) + query('${name}', '${mail}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}', b: '{{people.mail}}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: The test plan names the columns of the file. Add this as the first line of the file: name,mail',
      ],
    ],
    [
      'is in a file whose first line is skipped',
      feed({ ignoreFirstLine: 'true', delimiter: '\\t', stopThread: 'true' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}' } },
        { feeds: { people: { file: 'p.csv', separator: '\t' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: It skips the first line of the file. That line must name the columns: name\tmail',
        'changed CSV Data Set “People”: Threads end at the end of the file. The plan continues with the first row.',
      ],
    ],
    [
      'is in a file of another separator',
      feed({ delimiter: ':', recycle: 'false' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: The separator is not one of , ; | or tab. The plan expects commas. Convert the file.',
        'changed CSV Data Set “People”: The test plan names the columns of the file. Add this as the first line of the file: name,mail',
        'changed CSV Data Set “People”: Threads end at the end of the file. The plan continues with the first row.',
      ],
    ],
    [
      'is in a file that names its columns',
      feed({ variableNames: '', recycle: 'true' }) + query('${name}', '${a b}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}', b: '${a b}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'leftOut ${a b}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is in no file',
      feed({ filename: '' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '${name}' } },
        'leftOut CSV Data Set “People”: It names no file, or uses a variable without a value. It was left out.',
        'leftOut ${name}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'is in a file that a variable names',
      feed({ filename: '${file}' }) + query('a'),
      [
        { name: 'R', path: '/', query: { a: 'a' } },
        'leftOut CSV Data Set “People”: It names no file, or uses a variable without a value. It was left out.',
      ],
    ],
  ])('%s', (_name, below, expected) => {
    expect(readOfGroup(below)).toEqual(expected);
  });
});

describe('threads of JMeter', () => {
  const loops = (count: string): string => within('ThreadGroup.main_controller', properties({ 'LoopController.loops': count }));
  const loadOf = (...groups: readonly string[]): unknown[] => {
    const imported = importedOf(planOf(groups.join('')));
    return [imported.written['load'], ...notesOf(imported)];
  };
  const stepping = (given: Properties): string =>
    element('com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup', 'S', given, request());

  it.each<[string, string, unknown[]]>([
    [
      'end by time',
      group(request(), { ...scheduled, 'ThreadGroup.ramp_time': '10', 'ThreadGroup.num_threads': '7' }),
      [{ model: 'users', stages: [{ name: 'load', users: 7, startUpSeconds: 10, seconds: 50 }] }],
    ],
    [
      'end by time, after a delay',
      group(request(), { ...scheduled, 'ThreadGroup.delay': '5' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'leftOut G: Its threads start after a delay. It was left out.',
      ],
    ],
    [
      'end by loops',
      group(request() + request(), { 'ThreadGroup.num_threads': '4' }, loops('25')),
      [{ model: 'connections', stages: [{ name: 'load', connections: 4, requests: 200 }] }],
    ],
    [
      'end by loops, and start slowly',
      group(request(), { 'ThreadGroup.ramp_time': '3' }, loops('2')),
      [
        { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 2 }] },
        'leftOut G: Threads start over 3 s. The plan starts them at once and sends as many requests as the loops.',
      ],
    ],
    [
      'end by loops, with pauses',
      group(element('ConstantTimer', 'T', { 'ConstantTimer.delay': '5' }) + request(), {}, loops('2')),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'changed G: Each thread runs it 2 times. Users repeat it for a minute, because a plan with users ends by time. Change the seconds of its stage.',
      ],
    ],
    [
      'never end',
      group(request(), {}, loops('-1')),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The threads run until they are stopped. The plan ends after a minute. Change the seconds of its stage.',
      ],
    ],
    [
      'never end, whatever the duration of no schedule',
      group(request(), { 'ThreadGroup.duration': '30' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The threads run until they are stopped. The plan ends after a minute. Change the seconds of its stage.',
      ],
    ],
    [
      'are one',
      group(request(), { 'ThreadGroup.num_threads': '0' }, loops('0')),
      [{ model: 'connections', stages: [{ name: 'load', connections: 1, requests: 1 }] }],
    ],
    [
      'are too many',
      group(request(), { ...scheduled, 'ThreadGroup.num_threads': '20001' }),
      [{ model: 'users', stages: [{ name: 'load', users: 20_000, seconds: 60 }] }],
    ],
    [
      'are a variable',
      group(request(), { ...scheduled, 'ThreadGroup.num_threads': '${n}' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The number of threads is missing, or is a variable without a value. The plan has one user.',
      ],
    ],
    [
      'stop after a failure',
      group(request(), { ...scheduled, 'ThreadGroup.on_sample_error': 'stoptest' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'leftOut G: After a failure it does not continue (stoptest). A journey ends when something it needs fails, and the test continues. To end the test, set safety.stopAtErrorShare.',
      ],
    ],
    [
      'continue after a failure',
      group(request(), { ...scheduled, 'ThreadGroup.on_sample_error': 'continue' }),
      [{ model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] }],
    ],
    [
      'rise evenly',
      stepping({ TargetLevel: '30', RampUp: '2', Hold: '5', Unit: 'M', Steps: '1' }),
      [{ model: 'users', stages: [{ name: 'load', users: 30, startUpSeconds: 120, seconds: 300 }] }],
    ],
    [
      'rise in steps',
      stepping({ TargetLevel: '30', RampUp: '20', Hold: '50', Unit: 'S', Steps: '3' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 30, startUpSeconds: 20, seconds: 50 }] },
        'changed S: Threads start in steps. The plan starts them evenly.',
      ],
    ],
    [
      'have a schedule of their own',
      stepping({}),
      [
        { model: 'users', stages: [{ name: 'load', users: 10, seconds: 60 }] },
        'changed S: Holdfast does not read the schedule of ConcurrencyThreadGroup. The plan has ten users for a minute.',
      ],
    ],
    [
      'that end by loops longer than a schedule begins',
      group(request(), { ...scheduled, 'ThreadGroup.ramp_time': '60' }),
      [{ model: 'users', stages: [{ name: 'load', users: 1, startUpSeconds: 60, seconds: 1 }] }],
    ],
  ])('%s', (_name, threads, expected) => {
    expect(loadOf(threads)).toEqual(expected);
  });

  it('of several groups are added up, and set up by none', () => {
    const setUp = element('SetupThreadGroup', 'Before', {}, request());
    const tearDown = element('PostThreadGroup', 'After', {}, request());
    const off = group(request()).replace('enabled="true"', 'enabled="false"');
    const two = [group(request(), scheduled), group(request(), { 'ThreadGroup.num_threads': '2' })];
    expect(loadOf(setUp, ...two, tearDown, off)).toEqual([
      { model: 'users', stages: [{ name: 'load', users: 3, seconds: 60 }] },
      'leftOut Before: These requests run before the load. Prepare data with populate of the plan.',
      'leftOut After: These requests run after the load. Prepare data with populate of the plan.',
      'changed Thread Groups: 2 thread groups run at the same time. The plan adds up their threads. Each user picks one of their journeys at random, weighted by threads.',
    ]);
    expect(importedOf(planOf(two.join(''))).written['flow']).toEqual([
      {
        choose: [
          { weight: 1, flow: ['G: R'] },
          { weight: 2, flow: ['G: R (2)'] },
        ],
      },
    ]);
    expect(
      [importedOf(planOf(two.join(''), { 'TestPlan.serialize_threadgroups': 'true' }))].map(({ written, notes }) => [
        written['load'],
        notes,
      ]),
    ).toEqual([
      [
        { model: 'users', stages: [{ name: 'load', users: 2, seconds: 120 }] },
        [
          {
            kind: 'changed',
            place: 'Thread Groups',
            what: '2 thread groups run one after another (serialize_threadgroups).',
            instead:
              'A plan has one journey. 2 users, as many as the largest group has threads, pick one of the groups’ journeys at random, weighted by threads. To run the groups in turn, make a plan of each.',
          },
          {
            kind: 'assumed',
            place: 'Thread Groups',
            what: 'Not every group has a duration.',
            instead: 'The plan assumes 60 s for the others.',
          },
        ],
      ],
    ]);
  });

  it('of an empty group are none', () => {
    expect(loadOf(group(''), group(request(), scheduled))).toEqual([{ model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] }]);
  });

  it('keep the name, the comment and the values of their plan', () => {
    const values = within('TestPlan.user_defined_variables', collection('Arguments.arguments', argument('host', 'b.example')));
    const { written } = importedOf(planOf(group(request({ 'HTTPSampler.domain': '${host}' })), { 'TestPlan.comments': 'Why' }, values));
    expect([written['name'], written['story'], written['targets']]).toEqual(['P', 'Why', [{ url: 'http://b.example/' }]]);
  });
});
