import { describe, expect, it } from 'vitest';
import { properties, element, collection, request, readOfGroup, type Properties } from './testing/elements.ts';

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

describe('importJmeter: extractors and assertions', () => {
  it.each<[string, string, unknown[]]>([
    [
      'a regular expression captures its first group of the first match',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)` }] }],
    ],
    [
      'match number 0 captures a random match',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '0' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)`, which: 'random' }] }],
    ],
    [
      'match number -1 captures all matches',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '-1' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)`, which: 'all' }] }],
    ],
    [
      'match number 3 becomes the first match with a note',
      regex({ 'RegexExtractor.regex': 'id=(\\d+)', 'RegexExtractor.match_number': '3' }),
      [
        { name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`id=(\d+)` }] },
        'changed X: Of several matches it uses number 3. The plan uses the first.',
      ],
    ],
    [
      'a template of group 2 captures the second group',
      regex({ 'RegexExtractor.regex': '(a)=(\\d+)', 'RegexExtractor.template': '$2$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`(a)=(\d+)`, group: 2 }] }],
    ],
    [
      'a template of group 0 captures the whole match',
      regex({ 'RegexExtractor.regex': 'a=(\\d+)', 'RegexExtractor.template': '$0$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=(\d+)`, group: 0 }] }],
    ],
    [
      'a missing group becomes the default group',
      regex({ 'RegexExtractor.regex': 'a=(\\d+)', 'RegexExtractor.template': '$2$' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=(\d+)` }] }],
    ],
    [
      'a pattern without groups captures the whole match',
      regex({ 'RegexExtractor.regex': 'a=\\d+', 'RegexExtractor.template': '' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: String.raw`a=\d+` }] }],
    ],
    [
      'a template of several groups becomes the first group with a note',
      regex({ 'RegexExtractor.regex': '(a)=(b)', 'RegexExtractor.template': '$1$-$2$' }),
      [
        { name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a)=(b)' }] },
        'changed X: The template combines several groups. The plan uses the first group.',
      ],
    ],
    [
      'leading Java flags become flags of the pattern',
      regex({ 'RegexExtractor.regex': '(?isxu)<a>(.*)</a>' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '<a>(.*)</a>', flags: 'is' }] }],
    ],
    [
      'unescaped HTML sets html',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'unescaped' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)', html: true }] }],
    ],
    [
      'text of a document is read as the body',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'as_document' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)' }] }],
    ],
    [
      'useHeaders "false" reads the body',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'false' }),
      [{ name: 'R', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a+)' }] }],
    ],
    [
      'an extractor of the URL is left out',
      regex({ 'RegexExtractor.regex': '(a+)', 'RegexExtractor.useHeaders': 'URL' }),
      [{ name: 'R', path: '/' }, 'leftOut X: The extractor reads “URL”. Captures read bodies, headers and cookies.'],
    ],
    [
      'a pattern that begins with a header name reads that header',
      regex({ 'RegexExtractor.regex': 'Location: /(\\d+)', 'RegexExtractor.useHeaders': 'true' }),
      [{ name: 'R', path: '/', captures: [{ from: 'header', as: 'x', name: 'Location', pattern: String.raw`/(\d+)` }] }],
    ],
    [
      'a pattern over all headers is left out',
      regex({ 'RegexExtractor.regex': '(\\d+)', 'RegexExtractor.useHeaders': 'true' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: A regular expression searches all response headers. Add a capture from one header by its name.',
      ],
    ],
    [
      'a header name without a pattern is left out',
      regex({ 'RegexExtractor.regex': 'ETag: ', 'RegexExtractor.useHeaders': 'true' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: A regular expression searches all response headers. Add a capture from one header by its name.',
      ],
    ],
    [
      'an invalid regular expression is left out',
      regex({ 'RegexExtractor.regex': '(' }),
      [
        { name: 'R', path: '/' },
        'leftOut X: The regular expression is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    [
      'a JSONPath captures a JSON value',
      json('$.a.b', '1'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a.b' }] }],
    ],
    [
      'match number -1 captures a JSON list',
      json('$.a[*]', '-1'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }],
    ],
    [
      'match number 1 captures the first item of a list',
      json('$.a[*]', '1'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'first' }] }],
    ],
    [
      'match number 2 becomes the first item with a note',
      json('$.a[*]', '2'),
      [
        { name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'first' }] },
        'changed X: Of several matches it uses number 2. The plan uses the first.',
      ],
    ],
    [
      'match number 0 captures a random item of a list',
      json('$.a[*]', '0'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'random' }] }],
    ],
    [
      'match number 0 captures a member of a random item of a list',
      json('$.a[*].id', '0'),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a[*].id', which: 'random' }] }],
    ],
    [
      'a JSONPath with several places is left out',
      json('$..a', '1'),
      [
        { name: 'R', path: '/' },
        'leftOut X: The path $..a can match several places, or compares values. A plan takes the value at one place, such as $.items[0].id, or one of every item: $.items[*].id.',
      ],
    ],
    [
      'a JSON extractor with two names captures two values',
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
      'a JMESPath extractor captures a list',
      element('JMESPathExtractor', 'X', {
        'JMESExtractor.referenceName': 'x',
        'JMESExtractor.jmesPathExpr': '$.a',
        'JMESExtractor.matchNumber': '-1',
      }),
      [{ name: 'R', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }],
    ],
    [
      'boundaries capture the text between them',
      boundaries('a="', '"'),
      [{ name: 'R', path: '/', captures: [{ from: 'between', as: 'x', after: 'a="', before: '"' }] }],
    ],
    [
      'between two texts, all',
      boundaries('a="', '"', '-1'),
      [{ name: 'R', path: '/', captures: [{ from: 'between', as: 'x', after: 'a="', before: '"', which: 'all' }] }],
    ],
    [
      'an empty left boundary is left out',
      boundaries('', '"'),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'an empty right boundary is left out',
      boundaries('a', ''),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'a long boundary is left out',
      boundaries('a'.repeat(1_001), '"'),
      [{ name: 'R', path: '/' }, 'leftOut X: A boundary of the extractor is empty or too long. It was left out.'],
    ],
    [
      'a substring assertion checks that the body contains a text',
      assertion('response_data', 16, 'Hello ${who}', ''),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'Hello ${who}' }] },
        'leftOut ${who}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'a negated substring assertion checks that the body lacks a text',
      assertion('', 20, 'Error'),
      [{ name: 'R', path: '/', checks: [{ kind: 'contains', text: 'Error', not: true }] }],
    ],
    [
      'alternative texts become required texts with a note',
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
      'one alternative text becomes a required text',
      assertion('response_data_as_document', 48, 'a'),
      [{ name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a' }] }],
    ],
    [
      'an equals assertion becomes a contains check with a note',
      assertion('response_data', 8, 'a'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a' }] },
        'changed X: The body must be exactly this text. The plan checks that the body contains it.',
      ],
    ],
    [
      'a negated equals assertion becomes a negated contains check with a note',
      assertion('response_data', 12, 'a'),
      [
        { name: 'R', path: '/', checks: [{ kind: 'contains', text: 'a', not: true }] },
        'changed X: The body must be exactly this text. The plan checks that the body contains it.',
      ],
    ],
    [
      'a contains assertion checks a pattern',
      assertion('response_data', 2, '(?i)a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: 'a+', flags: 'i' }] }],
    ],
    [
      'a matches assertion checks the pattern against the whole body',
      assertion('response_data', 1, 'a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: '^(?:a+)$' }] }],
    ],
    [
      'a negated contains assertion checks that the pattern does not match',
      assertion('response_data', 6, 'a+'),
      [{ name: 'R', path: '/', checks: [{ kind: 'matches', pattern: 'a+', not: true }] }],
    ],
    [
      'an invalid assertion pattern is left out',
      assertion('response_data', 2, '('),
      [
        { name: 'R', path: '/' },
        'leftOut X: The pattern of the assertion is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    [
      'response codes become expected statuses',
      assertion('response_code', 8, '200', '404', '200', '99', '600', '2..', '100', '599'),
      [{ name: 'R', path: '/', expectStatus: [200, 404, 100, 599] }],
    ],
    [
      'an excluded response code is left out',
      assertion('response_code', 12, '500'),
      [{ name: 'R', path: '/' }, 'leftOut X: It compares the response status with a pattern, or excludes one. It was left out.'],
    ],
    [
      'a response code pattern is left out',
      assertion('response_code', 8, '2..'),
      [{ name: 'R', path: '/' }, 'leftOut X: It compares the response status with a pattern, or excludes one. It was left out.'],
    ],
    [
      'an assertion on the response message is left out',
      assertion('response_message_text', 16, 'OK'),
      [{ name: 'R', path: '/' }, 'leftOut X: The assertion tests response message text. Checks test bodies and statuses.'],
    ],
    ['a JSON assertion checks that a value exists', jsonAssertion({}), [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a' }] }]],
    [
      'a JSON assertion checks an expected value',
      jsonAssertion({ JSONVALIDATION: 'true', EXPECTED_VALUE: '5' }),
      [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] }],
    ],
    [
      'a negated JSON assertion checks that a value is missing',
      jsonAssertion({ INVERT: 'true', JSONVALIDATION: 'false', EXPECTED_VALUE: '5' }),
      [{ name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', not: true }] }],
    ],
    [
      'a JSON assertion with a pattern compares plain text with a note',
      jsonAssertion({ JSONVALIDATION: 'true', EXPECTED_VALUE: '5', ISREGEX: 'true' }),
      [
        { name: 'R', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] },
        'changed X: It compares the value with a regular expression. The plan compares it as plain text.',
      ],
    ],
    [
      'a JSON assertion with several places is left out',
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
