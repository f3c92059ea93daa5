import { describe, expect, it } from 'vitest';
import { listMade } from '../testing/imported.ts';

describe('importArtillery', () => {
  const buildFlow = (...flow: readonly unknown[]): unknown[] =>
    listMade({ config: { target: 'http://a.example', phases: [{ duration: 5, arrivalRate: 1 }] }, scenarios: [{ flow }] });
  const capturing = (...capture: readonly unknown[]): unknown[] => buildFlow({ get: { url: '/', followRedirect: false, capture } });

  it.each<[string, readonly unknown[], unknown[]]>([
    ['a value of JSON', [{ json: '$.a', as: 'x' }], [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a' }] }]],
    [
      'a random item of a list',
      [{ json: '$.a[*]', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'random' }] }],
    ],
    [
      'a whole list',
      [{ json: '$.a[*]', as: 'x', multiple: false }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }],
    ],
    [
      'a member of every item of a list',
      [
        { json: '$.a[*].id', as: 'x' },
        { json: '$.a[*].id', as: 'y', multiple: false },
      ],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [
            { from: 'json', as: 'x', path: '$.a[*].id', which: 'random' },
            { from: 'json', as: 'y', path: '$.a[*].id', which: 'all' },
          ],
        },
      ],
    ],
    [
      'nothing from a path with several places',
      [{ json: '$..a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The JSONPath $..a can match several places. A plan takes the value at one place, such as $.items[0].id, or one of every item: $.items[*].id.',
      ],
    ],
    [
      'a pattern',
      [{ regexp: 'a(b)', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)', group: 0 }] }],
    ],
    [
      'the first group of a pattern',
      [{ regexp: 'a(b)', as: 'x', group: 1 }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)' }] }],
    ],
    [
      'the second group of a pattern',
      [{ regexp: '(a)(b)', as: 'x', group: 2, flags: 'gi' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a)(b)', flags: 'i', group: 2 }] }],
    ],
    [
      'the whole match for a missing group',
      [{ regexp: 'a(b)', as: 'x', group: 3 }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)', group: 0 }] }],
    ],
    [
      'a named group',
      [{ regexp: '(?<y>b)', as: 'x', group: 'y' }],
      [
        { name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(?<y>b)' }] },
        'changed scenarios[0].flow[0].capture[0].group: It selects a group by name. The plan uses the first group.',
      ],
    ],
    [
      'a pattern without groups',
      [{ regexp: 'ab', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'ab' }] }],
    ],
    [
      'nothing with an invalid pattern',
      [{ regexp: '(', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The regular expression is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    [
      'a header',
      [{ header: 'Location', as: 'x', strict: false }],
      [
        { name: 'GET /', path: '/', captures: [{ from: 'header', as: 'x', name: 'Location' }] },
        'changed scenarios[0].flow[0].capture[0].strict: It may find nothing without failing. A capture that finds nothing ends the journey.',
      ],
    ],
    ['a cookie', [{ cookie: 'sid', as: 'x' }], [{ name: 'GET /', path: '/', captures: [{ from: 'cookie', as: 'x', name: 'sid' }] }]],
    [
      'nothing without a header name',
      [{ header: '', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: This kind of capture is unknown. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'the value of an input element',
      [{ selector: 'input[name="a.b"]', attr: 'value', as: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'body', as: 'x', pattern: String.raw`(?:name|id)=["']?a\.b["']?[^>]*\svalue=["']([^"']*)`, html: true }],
        },
        'changed scenarios[0].flow[0].capture[0]: The selector input[name="a.b"] selects a part of the page. A regular expression finds it if the name comes before the value.',
      ],
    ],
    [
      'a meta element',
      [{ selector: 'meta[id=t]', attr: 'content', as: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'body', as: 'x', pattern: String.raw`(?:name|id)=["']?t["']?[^>]*\scontent=["']([^"']*)`, html: true }],
        },
        'changed scenarios[0].flow[0].capture[0]: The selector meta[id=t] selects a part of the page. A regular expression finds it if the name comes before the value.',
      ],
    ],
    [
      'nothing with another selector',
      [{ selector: 'p.a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The selector p.a has no equivalent. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'nothing with XPath',
      [{ xpath: '//a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: This kind of capture is unknown. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'values without a name',
      [{ json: '$.a' }, { json: '$.b', transform: 't' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [
            { from: 'json', as: 'captured_1', path: '$.a' },
            { from: 'json', as: 't', path: '$.b' },
          ],
        },
      ],
    ],
  ])('captures %s', (_name, capture, expected) => {
    expect(capturing(...capture)).toEqual(expected);
  });

  it.each<[string, object, unknown[]]>([
    [
      'expects statuses',
      { expect: [{ statusCode: [200, 404, 99, 600] }, { statusCode: 200 }] },
      [{ name: 'POST /', method: 'POST', path: '/', expectStatus: [200, 404] }],
    ],
    [
      'expects values',
      { expect: [{ hasProperty: 'a.b' }, { matchesRegexp: 'a+' }, { matchesRegexp: '(' }, { contentType: 'json' }] },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          checks: [
            { kind: 'json', path: '$.a.b' },
            { kind: 'matches', pattern: 'a+' },
          ],
        },
        'leftOut scenarios[0].flow[0].expect[2]: This expectation has no equivalent. A plan can check for texts, patterns, JSON values and sizes.',
        'leftOut scenarios[0].flow[0].expect[3]: This expectation has no equivalent. A plan can check for texts, patterns, JSON values and sizes.',
      ],
    ],
    [
      'matches values',
      { match: [{ json: '$.a', value: '5' }, { json: '$..a', value: '5' }, { json: '$.a' }] },
      [
        { name: 'POST /', method: 'POST', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] },
        'leftOut scenarios[0].flow[0].match[1]: This match has no equivalent. It was left out.',
        'leftOut scenarios[0].flow[0].match[2]: This match has no equivalent. It was left out.',
      ],
    ],
    [
      'sends JSON',
      { json: { a: [1, '{{ $uuid }}', '{{'] } },
      [
        { name: 'POST /', method: 'POST', path: '/', json: { a: [1, '{{uuid}}', String.raw`\{{`] } },
        { variables: { uuid: { kind: 'uuid' } } },
      ],
    ],
    ['sends a form', { form: { a: 1, b: 'c d' } }, [{ name: 'POST /', method: 'POST', path: '/', form: { a: '1', b: 'c d' } }]],
    [
      'sends parts',
      { formData: { a: '1', f: { fromFile: 'a.png' }, v: { value: '2' }, n: {} } },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'a', value: '1' },
            { name: 'f', file: 'a.png' },
            { name: 'v', value: '2' },
            { name: 'n', value: '' },
          ],
        },
      ],
    ],
    [
      'sends a body',
      { body: 'a=1', headers: { 'content-type': 'text/x', 'X-A': 2 } },
      [{ name: 'POST /', method: 'POST', path: '/', headers: { 'content-type': 'text/x', 'X-A': '2' }, body: 'a=1' }],
    ],
    [
      'sends a query and cookies',
      { qs: { a: 1, '': 2 }, cookie: { c: 'd', e: 'f' }, gzip: true },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          headers: { 'Accept-Encoding': 'gzip, deflate', Cookie: { secret: 'env:HOLDFAST_COOKIE' } },
          query: { a: '1' },
        },
        'secret scenarios[0].flow[0].headers: “Cookie” may be a secret. Its value is not in the plan. Set HOLDFAST_COOKIE when the plan runs.',
      ],
    ],
    [
      'logs in',
      { auth: { user: 'ada', pass: 'pw' } },
      [
        { name: 'POST /', method: 'POST', path: '/', auth: { user: 'ada', password: '{{password}}' } },
        { variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'secret scenarios[0].flow[0].headers: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'logs in with values',
      { auth: { username: '{{ $uuid }}', password: 'pw' } },
      [
        { name: 'POST /', method: 'POST', path: '/', auth: { user: '{{uuid}}', password: '{{password}}' } },
        { variables: { uuid: { kind: 'uuid' }, password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'secret scenarios[0].flow[0].headers: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'has hooks',
      { beforeRequest: 'f', ifTrue: 'x', what: 1 },
      [
        { name: 'POST /', method: 'POST', path: '/' },
        'leftOut scenarios[0].flow[0].beforeRequest: It calls a function of a script. It was left out.',
        'leftOut scenarios[0].flow[0].ifTrue: The request depends on a condition. The plan always sends the request.',
        'leftOut scenarios[0].flow[0].what: This part of a request is unknown. It was left out.',
      ],
    ],
    ['has a name', { name: 'Named' }, [{ name: 'Named', method: 'POST', path: '/' }]],
  ])('%s', (_name, more, expected) => {
    expect(buildFlow({ post: { url: '/', followRedirect: false, ...more } })).toEqual(expected);
  });

  it.each<[string, readonly unknown[], unknown[]]>([
    [
      'with other addresses',
      [
        { get: { url: 'http://a.example' } },
        { get: { url: 'http://a.example/x?y' } },
        { get: { url: 'http://b.example/' } },
        { get: 'b' },
        { head: { uri: '/h', match: { json: '$.a', value: 1 } } },
      ],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /x', path: '/x?y', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET / (2)', target: 'b', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /b', path: '/b', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'HEAD /h', method: 'HEAD', path: '/h', redirects: { follow: true, mayEndAtLogin: true } },
        { namedTargets: { b: 'http://b.example/' } },
        'changed scenarios[0].flow[3]: “b” does not begin with a slash. Artillery refuses it. The plan adds the slash.',
      ],
    ],
    [
      'with pauses',
      [{ think: 1 }, { get: { url: '/' } }, { think: 'x' }, { think: '500ms' }, { think: 2 }],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true }, thinkTime: { kind: 'fixed', seconds: 2.5 } },
        'leftOut scenarios[0].flow[0]: A pause comes before the first request or after a loop. In a plan, pauses follow a request.',
        'leftOut scenarios[0].flow[2]: The pause x is not a valid time. It was left out.',
      ],
    ],
    [
      'with loops',
      [
        { loop: [{ get: { url: '/' } }], count: 3 },
        { loop: [{ get: { url: '/b' } }], whileTrue: 'f' },
        { loop: [], count: 2 },
        { loop: [{ get: { url: '/c' } }], over: 'nothing' },
      ],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /b', path: '/b', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /c', path: '/c', redirects: { follow: true, mayEndAtLogin: true } },
        { flow: [{ repeat: 3, flow: ['GET /'] }, 'GET /b', 'GET /c'] },
        'leftOut scenarios[0].flow[1].whileTrue: A script function ends the loop. It runs once, or as often as its count says.',
        'changed scenarios[0].flow[1]: The loop has no valid count. It runs once.',
        'leftOut {{ nothing }}: Nothing that Holdfast reads in the script sets it. Script functions are not run. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
        'leftOut scenarios[0].flow[3].over: “nothing” is not a list that a step captures. The steps of the loop run once.',
      ],
    ],
    [
      'with a loop over a random item',
      [{ get: { url: '/', capture: { json: '$.a[*]', as: 'x' } } }, { loop: [{ get: { url: '/{{ $loopElement }}' } }], over: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }],
          redirects: { follow: true, mayEndAtLogin: true },
        },
        { name: 'GET /{{item}}', path: '/{{item}}', redirects: { follow: true, mayEndAtLogin: true } },
        { flow: ['GET /', { forEach: 'x', as: 'item', flow: ['GET /{{item}}'] }] },
        'changed scenarios[0].flow[1].over: “x” is one random item, not a list. Artillery never runs this loop. The plan loops over all items.',
      ],
    ],
    [
      'with other actions',
      [{ parallel: [{ get: { url: '/' } }] }, { log: 'x' }, { function: 'f' }, { jump: 1 }, 'x'],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        'changed scenarios[0].flow[0]: These requests run in parallel. The plan sends them one after the other.',
        'leftOut scenarios[0].flow[1]: It prints a line. It was left out.',
        'leftOut scenarios[0].flow[2]: It calls a function of a script. Holdfast never runs code from an import.',
        'leftOut scenarios[0].flow[3]: “jump” is unknown. It was left out.',
        'leftOut scenarios[0].flow[4]: “x” is unknown. It was left out.',
      ],
    ],
  ])('reads a flow %s', (_name, flow, expected) => {
    expect(buildFlow(...flow)).toEqual(expected);
  });

  it('keeps the types of JSON body values that are a single placeholder', () => {
    const made = buildFlow(
      {
        get: {
          url: '/',
          followRedirect: false,
          capture: [
            { json: '$.age', as: 'age' },
            { json: '$.name', as: 'name' },
          ],
        },
      },
      { post: { url: '/', followRedirect: false, json: { age: '{{ age }}', text: 'is {{ age }}', name: '{{ name }}', '{{ name }}': 1 } } },
    );
    expect(made.slice(0, 2)).toEqual([
      {
        name: 'GET /',
        path: '/',
        captures: [
          { from: 'json', as: 'age', path: '$.age' },
          { from: 'json', as: 'name', path: '$.name' },
          { from: 'json', as: 'age_json', path: '$.age', typed: true },
          { from: 'json', as: 'name_json', path: '$.name', typed: true },
        ],
      },
      {
        name: 'POST /',
        method: 'POST',
        path: '/',
        json: { age: '{{age_json|raw}}', text: 'is {{age}}', name: '{{name_json|raw}}', '{{name}}': 1 },
      },
    ]);
  });
});
