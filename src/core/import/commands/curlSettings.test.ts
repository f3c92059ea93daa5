import { expect, it } from 'vitest';
import { readOfCommand } from './testing/readOfCommand.ts';

it.each<[string, unknown[]]>([
  ['curl http://a.example/', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] }]],
  ['curl -v -s -o /dev/null http://a.example/a', [{ targets: [{ url: 'http://a.example/a' }], journey: [{ name: 'page', path: '' }] }]],
  [
    "curl 'http://a.example/[1-3]'",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /1', path: '/1', headers: {} },
          { name: 'GET /2', path: '/2', headers: {} },
          { name: 'GET /3', path: '/3', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'changed http://a.example/[1-3]: curl expands its brackets to 3 addresses. So does the plan. To use them unchanged, add -g.',
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    "curl 'http://a.example/[01-10:3]'",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /01', path: '/01', headers: {} },
          { name: 'GET /04', path: '/04', headers: {} },
          { name: 'GET /07', path: '/07', headers: {} },
          { name: 'GET /10', path: '/10', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'changed http://a.example/[01-10:3]: curl expands its brackets to 4 addresses. So does the plan. To use them unchanged, add -g.',
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    "curl 'http://a.example/[a-c]'",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /a', path: '/a', headers: {} },
          { name: 'GET /b', path: '/b', headers: {} },
          { name: 'GET /c', path: '/c', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'changed http://a.example/[a-c]: curl expands its brackets to 3 addresses. So does the plan. To use them unchanged, add -g.',
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    "curl 'http://a.example/[c-a]'",
    [
      { targets: [{ url: 'http://a.example/[c-a]' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/[c-a]: curl refuses the brackets of this address without -g. The plan requests it as it is written.',
    ],
  ],
  [
    "curl 'http://a.example/[1-3:0]'",
    [
      { targets: [{ url: 'http://a.example/[1-3:0]' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/[1-3:0]: curl refuses the brackets of this address without -g. The plan requests it as it is written.',
    ],
  ],
  [
    "curl 'http://a.example/{x,y}/[1-2]'",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /x/1', path: '/x/1', headers: {} },
          { name: 'GET /x/2', path: '/x/2', headers: {} },
          { name: 'GET /y/1', path: '/y/1', headers: {} },
          { name: 'GET /y/2', path: '/y/2', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'changed http://a.example/{x,y}/[1-2]: curl expands its brackets to 4 addresses. So does the plan. To use them unchanged, add -g.',
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    "curl 'http://a.example/{x'",
    [
      { targets: [{ url: 'http://a.example/%7Bx' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/{x: curl refuses the brackets of this address without -g. The plan requests it as it is written.',
    ],
  ],
  ["curl -g 'http://a.example/[1-3]'", [{ targets: [{ url: 'http://a.example/[1-3]' }], journey: [{ name: 'page', path: '' }] }]],
  ["curl 'http://[::1]:81/'", [{ targets: [{ url: 'http://[::1]:81/' }], journey: [{ name: 'page', path: '' }] }]],
  [
    "curl 'http://a.example/[5-5]'",
    [
      { targets: [{ url: 'http://a.example/5' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/[5-5]: curl expands its brackets to another address. So does the plan. To use them unchanged, add -g.',
    ],
  ],
  [
    "curl 'http://a.example/[1-z]'",
    [
      { targets: [{ url: 'http://a.example/[1-z]' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/[1-z]: curl refuses the brackets of this address without -g. The plan requests it as it is written.',
    ],
  ],
  [
    'curl -L http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 50, mayEndAtLogin: true } }],
      },
    ],
  ],
  [
    'curl -L --max-redirs 3 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 3, mayEndAtLogin: true } }],
      },
    ],
  ],
  [
    'curl -L --max-redirs -1 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 50, mayEndAtLogin: true } }],
      },
    ],
  ],
  ['curl -L --max-redirs x http://a.example/', ['refused --max-redirs: This is not a number of redirects. Enter a whole number.']],
  [
    'curl -k https://a.example/',
    [{ targets: [{ url: 'https://a.example/' }], journey: [{ name: 'page', path: '' }], tls: { verify: false } }],
  ],
  [
    'curl -m 7 --connect-timeout 2 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '' }],
        timeoutSeconds: 7,
        connections: { connectSeconds: 2 },
      },
    ],
  ],
  [
    'curl -m 0 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -m: There is no time limit. The plan uses Holdfast’s default of 120 s.',
    ],
  ],
  ['curl -m x http://a.example/', ['refused -m x: This is not a time. Enter seconds, or a number followed by s, m or h.']],
  [
    'curl --compressed http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Accept-Encoding': 'gzip, deflate, br' } }],
        journey: [{ name: 'page', path: '' }],
      },
    ],
  ],
  [
    'curl -r 0-99 http://a.example/',
    [{ targets: [{ url: 'http://a.example/', headers: { Range: 'bytes=0-99' } }], journey: [{ name: 'page', path: '' }] }],
  ],
  [
    'curl --http2 https://a.example/',
    [{ targets: [{ url: 'https://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { protocol: 'h2' } }],
  ],
  [
    'curl --http1.0 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut --http1.0: It sets a version of HTTP, TLS or IP. Holdfast uses HTTP/1.1 and leaves the rest to the system.',
    ],
  ],
  [
    'curl --unix-socket /run/a.sock http://a.example/',
    [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { socketPath: '/run/a.sock' } }],
  ],
  [
    'curl --interface 127.0.0.2 http://a.example/',
    [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { localAddresses: ['127.0.0.2'] } }],
  ],
  [
    'curl --resolve a.example:80:127.0.0.1 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '' }],
        connections: { resolve: ['a.example:80:127.0.0.1'] },
      },
    ],
  ],
  [
    'curl -x http://proxy.example:3128 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -x: The requests are sent through a proxy. Holdfast connects to the server directly, so the load does not include the proxy. To test the proxy, make it the target.',
    ],
  ],
  [
    'curl --cacert ca.pem -E c.pem --key k.pem https://a.example/',
    [
      { targets: [{ url: 'https://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut --cacert: A certificate or its key is in a file. Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
      'leftOut -E: A certificate or its key is in a file. Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
      'leftOut --key: A certificate or its key is in a file. Name the file when the plan runs: holdfast run PLAN --ca FILE, or --cert FILE --key FILE.',
    ],
  ],
  [
    'curl --retry 3 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut --retry: It retries what fails. The plan sends each request once and counts failures.',
    ],
  ],
  [
    'curl --unknown-option http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut --unknown-option: This option is unknown. It was left out.',
    ],
  ],
  ['curl a.example:8080/x', [{ targets: [{ url: 'http://a.example:8080/x' }], journey: [{ name: 'page', path: '' }] }]],
  [
    'curl ftp://a.example/',
    [
      'refused ftp://a.example/: This is not an http or https address. It may be the value of an unknown option, or longer than 2,048 characters.',
    ],
  ],
  ['curl', ['refused curl: The command has no address. Example: ab -n 1000 -c 10 http://localhost:8080/']],
  [
    'curl http://a.example/ http://a.example/b',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /', path: '/', headers: {} },
          { name: 'GET /b', path: '/b', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    'curl http://a.example/ http://b.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        namedTargets: { b: 'http://b.example/' },
        journey: [
          { name: 'GET /', path: '/', headers: {} },
          { name: 'GET / (2)', target: 'b', path: '/', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    'curl "http://a.example/$HOME"',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '/{{HOME}}' }],
        variables: { HOME: { kind: 'secret', secret: 'ask:HOME' } },
      },
      'changed $HOME: It is a shell variable. Holdfast asks for HOME when the plan runs. To read it from your environment, write env:HOME into the plan.',
    ],
  ],
  [
    'curl "http://a.example/${NAME:-x}"',
    [
      { targets: [{ url: 'http://a.example/x' }], journey: [{ name: 'page', path: '' }] },
      'assumed $NAME: It is a shell variable with a default in the text. It is x in the plan.',
    ],
  ],
  [
    'curl http://a.example/$(date)',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '/{{output_of_date}}' }],
        variables: { output_of_date: { kind: 'secret', secret: 'ask:output_of_date' } },
      },
      'changed $(…): It is a command substitution; the command was not run. Holdfast asks for output_of_date when the plan runs. To read it from your environment, write env:output_of_date into the plan.',
    ],
  ],
  [
    "curl 'http://a.example/{{x}}'",
    [
      { targets: [{ url: 'http://a.example/%7B%7Bx%7D%7D' }], journey: [{ name: 'page', path: '' }] },
      'changed http://a.example/{{x}}: curl refuses the brackets of this address without -g. The plan requests it as it is written.',
    ],
  ],
  [
    'curl http://a.example/{a,b}',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /a', path: '/a', headers: {} },
          { name: 'GET /b', path: '/b', headers: {} },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  ['curl http://a.example/ > out.txt 2>&1', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] }]],
])('importCommands, settings of curl: imports %s', (text, expected) => {
  expect(readOfCommand(text)).toEqual(expected);
});
