import { expect, it } from 'vitest';
import { importText } from '../importText.ts';

/** What of a plan follows from the command, with its notes; or why there is none. */
function readOf(text: string): unknown[] {
  const result = importText(text);
  if (result.kind === 'refused')
    return [
      ...result.issues.map(({ path, message, hint }) => `refused ${path}: ${message} ${hint}`),
      ...result.notes.map(({ place, what, instead }) => `${place}: ${what} ${instead}`),
    ];
  const { written, notes } = result.imported;
  const { holdfast, name, load, ...plan } = written as Record<string, unknown>;
  const isUsual = JSON.stringify(load) === USUAL_LOAD;
  return [
    plan,
    ...(isUsual ? [] : [load]),
    ...notes.map(({ kind, place, what, instead }) => `${kind} ${place}: ${what} ${instead}`).filter((note) => note !== USUAL_NOTE),
  ];
}
const USUAL_LOAD = '{"model":"connections","stages":[{"name":"load","connections":1,"seconds":30}]}';
/** Of a single command of curl; each example with another has it. */
const USUAL_NOTE = 'assumed load: curl sends one request and defines no load. Proposed: 1 connection for 30 seconds.';

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
        targets: [{ url: 'http://a.example/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
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
        targets: [{ url: 'http://a.example/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } }],
        journey: [{ name: 'page', path: '' }],
      },
      'leftOut --digest: The login is negotiated with the server or is in a file. Holdfast supports user name and password of HTTP Basic only.',
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
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
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut --resolve: It sets the address that the server name resolves to. Requests are sent to the address that this system resolves, which may be another machine. Add the address to /etc/hosts, or use it in the URL and the name as the Host header.',
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
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'GET /', path: '/', headers: {} }] },
      { model: 'users', stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] },
      'leftOut request 2: It is for another server, http://b.example. A journey has one server.',
      'assumed load: curl commands define no load. Proposed: ten users who repeat all requests for a minute.',
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
  ["curl $'http://a.example/\\x41\\u00e9\\n'", [{ targets: [{ url: 'http://a.example/A%C3%A9' }], journey: [{ name: 'page', path: '' }] }]],
  [
    'ab -n 1000 -c 10 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { reuse: 'never' } },
      { model: 'connections', stages: [{ name: 'load', connections: 10, requests: 1_000 }] },
    ],
  ],
  [
    'ab -t 30 -c 10 -k http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'connections', stages: [{ name: 'load', connections: 10, seconds: 30 }] },
      'changed -t: ab ends after this time, or after 50,000 requests or those of a later -n. The load continues for the whole time.',
    ],
  ],
  [
    'ab -n 5 -c 10 http://a.example/',
    [
      'refused load.stages[0].connections: 10 connections cannot share 5 requests. Some would never send one. Use at most 5 connections, or more requests.',
    ],
  ],
  [
    'ab -n 10 -p body.txt -T text/plain http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'text/plain' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: { secret: 'file:body.txt' } }],
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
      'changed body: The body is read from the file body.txt. Holdfast reads it as text, without the final line feed, when the plan runs.',
    ],
  ],
  [
    'ab -n 10 -u body.txt http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'text/plain' } }],
        journey: [{ name: 'page', method: 'PUT', path: '', body: { secret: 'file:body.txt' } }],
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
      'changed body: The body is read from the file body.txt. Holdfast reads it as text, without the final line feed, when the plan runs.',
    ],
  ],
  [
    "ab -n 10 -H 'X-A: 1' -C a=b -A ada:pw http://a.example/",
    [
      {
        targets: [
          {
            url: 'http://a.example/',
            headers: { 'X-A': '1', Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } },
            cookie: { secret: 'env:HOLDFAST_COOKIE' },
          },
        ],
        journey: [{ name: 'page', path: '' }],
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      'secret cookie: “Cookie” may be a secret. Its value is not in the plan. Set HOLDFAST_COOKIE when the plan runs.',
    ],
  ],
  [
    'ab -n 10 -i http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', method: 'HEAD', path: '' }], connections: { reuse: 'never' } },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
    ],
  ],
  [
    'ab -n 10 -m DELETE -s 5 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', method: 'DELETE', path: '' }],
        timeoutSeconds: 5,
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
    ],
  ],
  [
    'ab -n 10 -X proxy:80 -B 127.0.0.2 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '' }],
        connections: { reuse: 'never', localAddresses: ['127.0.0.2'] },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
      'leftOut -X: The requests are sent through a proxy. Holdfast connects to the server directly, so the load does not include the proxy. To test the proxy, make it the target.',
    ],
  ],
  ['ab -n x http://a.example/', ['refused -n x: This number or time is invalid or 0. Enter a number. For a time, add s, m or h.']],
  ['ab -n 10 -c 0 http://a.example/', ['refused -c 0: This number or time is invalid or 0. Enter a number. For a time, add s, m or h.']],
  ['ab -n 10', ['refused ab: The command has no address. Example: ab -n 1000 -c 10 http://localhost:8080/']],
  [
    'wrk -t2 -c100 -d30s http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'connections', stages: [{ name: 'load', connections: 100, seconds: 30 }] },
    ],
  ],
  [
    "wrk -c10 -d2m --timeout 5s -H 'X-A: 1' http://a.example/",
    [
      { targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }], journey: [{ name: 'page', path: '' }], timeoutSeconds: 5 },
      { model: 'connections', stages: [{ name: 'load', connections: 10, seconds: 120 }] },
    ],
  ],
  [
    'wrk -c10 -d1h -s script.lua http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'connections', stages: [{ name: 'load', connections: 10, seconds: 3_600 }] },
      'leftOut -s: A script makes the requests. Holdfast never runs it. The plan requests only the address. Add what the script sends as steps.',
    ],
  ],
  [
    'wrk2 -c10 -d30s -R2000 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'arrivals', maxInFlight: 10, stages: [{ kind: 'constant', name: 'load', perSecond: 2_000, seconds: 30 }] },
      'changed rate: Connections that wait for responses send requests at a rate. The plan has arrivals at that rate, with at most as many in flight as connections.',
    ],
  ],
  ['wrk -d x http://a.example/', ['refused -d x: This number or time is invalid or 0. Enter a number. For a time, add s, m or h.']],
  [
    'hey -n 200 -c 50 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'text/html' } }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 10, mayEndAtLogin: true } }],
      },
      { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 200 }] },
    ],
  ],
  [
    'hey -z 10s -q 5 -c 2 -m POST -d \'{"a":1}\' -T application/json http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          {
            name: 'page',
            method: 'POST',
            path: '',
            json: { a: 1 },
            redirects: { follow: true, most: 10, mayEndAtLogin: true },
            headers: { 'Content-Type': 'application/json' },
          },
        ],
      },
      { model: 'arrivals', maxInFlight: 2, stages: [{ kind: 'constant', name: 'load', perSecond: 10, seconds: 10 }] },
      'changed rate: Connections that wait for responses send requests at a rate. The plan has arrivals at that rate, with at most as many in flight as connections.',
    ],
  ],
  [
    'hey -disable-keepalive -disable-redirects -h2 -t 3 -a ada:pw http://a.example/',
    [
      {
        targets: [
          { url: 'http://a.example/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' }, 'Content-Type': 'text/html' } },
        ],
        journey: [{ name: 'page', path: '' }],
        timeoutSeconds: 3,
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 200 }] },
      'secret header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      'leftOut HTTP/2: Without TLS, HTTP/2 is used only if the server offers an upgrade. The plan uses HTTP/1.1.',
    ],
  ],
  [
    'autocannon -c 10 -d 20 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'connections', stages: [{ name: 'load', connections: 10, seconds: 20 }] },
    ],
  ],
  [
    'autocannon -c 10 -a 1000 -m POST -b x -H X-A=1 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'x' }],
      },
      { model: 'connections', stages: [{ name: 'load', connections: 10, requests: 1_000 }] },
    ],
  ],
  [
    'autocannon -R 500 -p 4 http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      { model: 'arrivals', maxInFlight: 10, stages: [{ kind: 'constant', name: 'load', perSecond: 500, seconds: 10 }] },
      'leftOut -p: It pipelines several requests on one connection. The plan sends one at a time. For more, raise the number of connections.',
      'changed rate: Connections that wait for responses send requests at a rate. The plan has arrivals at that rate, with at most as many in flight as connections.',
    ],
  ],
  [
    'siege -c 25 -t 1M http://a.example/',
    [
      'refused : The format was not recognized. Holdfast reads ab, wrk, wrk2, hey, oha, autocannon and curl commands, and HAR, OpenAPI 3, Postman, Artillery, JMeter and FunkLoad files. Example: ab -n 1000 -c 10 http://localhost:8080/',
    ],
  ],
  [
    'oha -n 100 -c 5 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 10, mayEndAtLogin: true } }],
      },
      { model: 'connections', stages: [{ name: 'load', connections: 5, requests: 100 }] },
    ],
  ],
  [
    'oha -z 10s -q 50 http://a.example/',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', redirects: { follow: true, most: 10, mayEndAtLogin: true } }],
      },
      { model: 'arrivals', maxInFlight: 50, stages: [{ kind: 'constant', name: 'load', perSecond: 50, seconds: 10 }] },
      'changed rate: Connections that wait for responses send requests at a rate. The plan has arrivals at that rate, with at most as many in flight as connections.',
    ],
  ],
  ['Invoke-WebRequest -Uri http://a.example/', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] }]],
  [
    'Invoke-WebRequest -Uri "http://a.example/" -Method POST -Body "a=1" -ContentType "text/x"',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'text/x' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'a=1' }],
      },
    ],
  ],
  [
    'Invoke-RestMethod http://a.example/ -Headers @{ "X-A" = "1"; \'X-B\' = \'2\' } -TimeoutSec 5',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'X-A': '1', 'X-B': '2' } }],
        journey: [{ name: 'page', path: '' }],
        timeoutSeconds: 5,
      },
    ],
  ],
  [
    'Invoke-WebRequest http://a.example/ -InFile a.txt -Method Put',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        journey: [{ name: 'page', method: 'PUT', path: '', body: { secret: 'file:a.txt' } }],
      },
      'changed body: The body is read from the file a.txt. Holdfast reads it as text, without the final line feed, when the plan runs.',
      'changed -X: The method is written Put. PUT is sent.',
    ],
  ],
  [
    'Invoke-WebRequest http://a.example/ -UserAgent x -MaximumRedirection 0 -SkipCertificateCheck',
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'User-Agent': 'x' } }],
        journey: [{ name: 'page', path: '' }],
        tls: { verify: false },
      },
    ],
  ],
  [
    'Invoke-WebRequest http://a.example/ -Credential $c -Proxy http://p.example',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -credential: It is an unknown option. Nothing replaces it.',
      'leftOut -proxy: It is an unknown option. Nothing replaces it.',
    ],
  ],
  [
    'Invoke-WebRequest -UseBasicParsing -Uri http://a.example/ -WebSession $session -Unknown 1',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut -unknown: It is an unknown option. Nothing replaces it.',
    ],
  ],
  [
    'curl.exe http://a.example/ -H "X-A: 1"',
    [{ targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }], journey: [{ name: 'page', path: '' }] }],
  ],
  [
    'curl "http://a.example/" ^\n  -H "X-A: 1"',
    [{ targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }], journey: [{ name: 'page', path: '' }] }],
  ],
  [
    "curl 'http://a.example/' \\\n  -H 'X-A: 1' \\\n  -d 'a=1'",
    [
      {
        targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' } }],
        journey: [{ name: 'page', method: 'POST', path: '', form: { a: '1' } }],
      },
    ],
  ],
  [
    'cd /tmp && curl http://a.example/ | jq .',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut cd: This is another program. Holdfast does not run it.',
      'leftOut jq: This is another program. Holdfast does not run it.',
    ],
  ],
  [
    'for i in 1 2; do curl http://a.example/; done',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut for: This is another program. Holdfast does not run it.',
      'leftOut done: This is another program. Holdfast does not run it.',
      'leftOut do: It comes before curl. Holdfast sends the load itself.',
    ],
  ],
  [
    'sudo time curl http://a.example/',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut sudo: It comes before curl. Holdfast sends the load itself.',
    ],
  ],
  ['URL=http://a.example; curl $URL/a', [{ targets: [{ url: 'http://a.example/a' }], journey: [{ name: 'page', path: '' }] }]],
  [
    'A=1 curl http://a.example/ -H "X-A: $A"',
    [
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [{ name: 'page', path: '', headers: { 'X-A': '{{A}}' } }],
        variables: { A: { kind: 'secret', secret: 'ask:A' } },
      },
      'leftOut A: It comes before curl. Holdfast sends the load itself.',
      'changed $A: It is a shell variable. Holdfast asks for A when the plan runs. To read it from your environment, write env:A into the plan.',
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
  ['# comment\ncurl http://a.example/', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] }]],
  [
    '$ curl http://a.example/\n{"a":1}',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut {a:1}: This is another program. Holdfast does not run it.',
    ],
  ],
])('reads %s', (text, expected) => {
  expect(readOf(text)).toEqual(expected);
});
