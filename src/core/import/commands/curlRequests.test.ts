import { expect, it } from 'vitest';
import { readOfCommand } from './testing/readOfCommand.ts';

it.each<[string, unknown[]]>([
  [
    'curl -d a=1 http://a.example/',
    [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'POST', path: '', form: { a: '1' } }] }],
  ],
  [
    'curl -d a=1 -d b=2 http://a.example/',
    [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'POST', path: '', form: { a: '1', b: '2' } }] }],
  ],
  [
    'curl -d @data.txt http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: { secret: 'file:data.txt' } }],
      },
      'changed -d: curl removes the line breaks of this file. The plan sends them, except the last one.',
      'changed body: The body is read from the file data.txt. Holdfast reads it as text, without the final line feed, when the plan runs.',
    ],
  ],
  [
    'curl -d @- http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '' }],
      },
      'leftOut -d: The body is read from standard input. That part was left out.',
    ],
  ],
  [
    'curl --data-raw @a http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: '@a' }],
      },
    ],
  ],
  [
    "curl --data-binary @a.bin -H 'Content-Type: image/png' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'image/png' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: { secret: 'file:a.bin' } }],
      },
      'changed body: The body is read from the file a.bin. Holdfast reads it as text, without the final line feed, when the plan runs.',
    ],
  ],
  [
    "curl --data-urlencode 'a=b c' http://a.example/",
    [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'POST', path: '', form: { a: 'b c' } }] }],
  ],
  [
    "curl --data-urlencode 'b c' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'b+c' }],
      },
    ],
  ],
  [
    "curl --data-urlencode '=b c' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'b+c' }],
      },
    ],
  ],
  [
    "curl --data-urlencode 'a@f.txt' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '' }],
      },
      'leftOut --data-urlencode: A value is in a file and must be encoded. That part was left out.',
    ],
  ],
  [
    'curl --json \'{"a": 1}\' http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { Accept: 'application/json', 'Content-Type': 'application/json' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: '{"a": 1}' }],
      },
    ],
  ],
  [
    "curl -d '{\"a\": 1}' -H 'Content-Type: application/json' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/json' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: '{"a": 1}' }],
      },
    ],
  ],
  [
    "curl -d 'not a form' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'not a form' }],
      },
    ],
  ],
  [
    "curl -G -d a=1 -d 'b=c d' http://a.example/?x=1",
    [
      { targets: [{ url: 'http://a.example/?x=1&a=1&b=c%20d' }], journey: [{ name: 'page', path: '' }] },
      'changed address: The address contains a space, which curl refuses. It is sent as %20.',
    ],
  ],
  ['curl -I http://a.example/', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'HEAD', path: '' }] }]],
  [
    'curl -X PUT -d a http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'PUT', path: '', body: 'a' }],
      },
    ],
  ],
  [
    'curl -X PROPFIND http://a.example/',
    ['refused -X PROPFIND: Plans do not support this method. They support GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.'],
  ],
  [
    'curl -T file.bin http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/file.bin' }],
        journey: [{ name: 'page', method: 'PUT', path: '', body: { secret: 'file:file.bin' } }],
      },
      'changed body: The body is read from the file file.bin. Holdfast reads it as text, without the final line feed, when the plan runs.',
    ],
  ],
  [
    "curl -F a=1 -F 'b=@f.png;type=image/png;filename=x.png' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          {
            name: 'page',
            method: 'POST',
            path: '',
            multipart: [
              { name: 'a', value: '1' },
              { name: 'b', file: 'f.png', type: 'image/png', fileName: 'x.png' },
            ],
          },
        ],
      },
    ],
  ],
  [
    "curl -F 'a=<f.txt' -F '=x' -F 'b=@f.txt,g.txt' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', method: 'POST', path: '', multipart: [{ name: 'b', file: 'f.txt', type: 'text/plain' }] }],
      },
      'leftOut -F: A form field has its value from a file. Plans send files as files only.',
      'leftOut -F: A form part has no name. It was left out.',
      'leftOut -F: The form field b has more than one file, which plans do not support. It was left out.',
    ],
  ],
  [
    "curl -F 'a=\"x;y\";type=text/x' --form-string 'c=@d' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          {
            name: 'page',
            method: 'POST',
            path: '',
            multipart: [
              { name: 'a', value: 'x;y', type: 'text/x' },
              { name: 'c', value: '@d' },
            ],
          },
        ],
      },
    ],
  ],
  [
    "curl -F 'a=@-' http://a.example/",
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'POST', path: '' }] },
      'leftOut -F: The form field a is read from standard input. It was left out.',
    ],
  ],
  [
    'curl -F a http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'POST', path: '' }] },
      'leftOut -F: A form part has no name. It was left out.',
    ],
  ],
  [
    "curl -H 'X-A: 1' -H 'X-B;' -H 'Accept:' -H @h.txt http://a.example/",
    [
      { targets: [{ url: 'http://a.example/', headers: { 'X-A': '1', 'X-B': '' } }], journey: [{ name: 'page', path: '' }] },
      'leftOut -H: curl removes the header Accept, which it otherwise sends. Holdfast sends its own.',
      'leftOut -H: A header has no name or is in a file. It was left out.',
    ],
  ],
  [
    'curl -H X-A http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -H: A header has no name or is in a file. It was left out.',
    ],
  ],
  [
    "curl -H 'Authorization: Bearer abc' http://a.example/",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
    ],
  ],
  [
    "curl -H 'Host: b.example' http://a.example/",
    [{ targets: [{ url: 'http://a.example/', headers: { Host: 'b.example' } }], journey: [{ name: 'page', path: '' }] }],
  ],
  [
    "curl -H 'Cookie: a=b' -b c=d http://a.example/",
    [
      { targets: [{ url: 'http://a.example/', cookie: { secret: 'env:HOLDFAST_COOKIE' } }], journey: [{ name: 'page', path: '' }] },
      'leftOut -b: Both an option and a header set cookies. As with curl, the header is used.',
      'secret cookie: “Cookie” may be a secret. Its value is not in the plan. Set HOLDFAST_COOKIE when the plan runs.',
    ],
  ],
  [
    'curl -b jar.txt -c jar.txt http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -b: Cookies are in a file. Holdfast does not read the file. Log in on the page Target, or enter the cookie itself.',
    ],
  ],
  [
    'curl -A agent -e http://r.example/ http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'User-Agent': 'agent', Referer: 'http://r.example/' } }],
        journey: [{ name: 'page', path: '' }],
      },
    ],
  ],
  [
    'curl -u ada:pw http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', auth: { user: 'ada', password: { secret: 'env:HOLDFAST_PASSWORD' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'secret -u: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
    ],
  ],
  [
    'curl -u ada http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -u: The login has a name but no password. The program would ask for it. No login is sent. Enter name:password, or a header.',
    ],
  ],
  [
    'curl --digest -u ada:pw http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', auth: { user: 'ada', password: { secret: 'env:HOLDFAST_PASSWORD' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'leftOut --digest: The login is negotiated with the server or is in a file. Holdfast supports user name and password of HTTP Basic only.',
      'secret -u: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
    ],
  ],
  [
    'curl --oauth2-bearer abc http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
    ],
  ],
  [
    'curl http://a.example/ --next -d x http://a.example/b',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { name: 'GET /', path: '/', headers: {} },
          { name: 'POST /b', method: 'POST', path: '/b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'x' },
        ],
      },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
    ],
  ],
  [
    'curl.exe http://a.example/ -H "X-A: 1"',
    [{ targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }], journey: [{ name: 'page', path: '' }] }],
  ],
])('importCommands, a curl command: imports %s', (text, expected) => {
  expect(readOfCommand(text)).toEqual(expected);
});
