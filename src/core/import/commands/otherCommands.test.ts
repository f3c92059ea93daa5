import { expect, it } from 'vitest';
import { readOfCommand } from './testing/readOfCommand.ts';

it.each<[string, unknown[]]>([
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
            headers: { 'X-A': '1' },
            auth: { user: 'ada', password: { secret: 'env:HOLDFAST_PASSWORD' } },
            cookie: { secret: 'env:HOLDFAST_COOKIE' },
          },
        ],
        journey: [{ name: 'page', path: '' }],
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 10 }] },
      'secret -A: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
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
          {
            url: 'http://a.example/',
            headers: { 'Content-Type': 'text/html' },
            auth: { user: 'ada', password: { secret: 'env:HOLDFAST_PASSWORD' } },
          },
        ],
        journey: [{ name: 'page', path: '' }],
        timeoutSeconds: 3,
        connections: { reuse: 'never' },
      },
      { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 200 }] },
      'leftOut HTTP/2: Without TLS, HTTP/2 is used only if the server offers an upgrade. The plan uses HTTP/1.1.',
      'secret -a: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
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
    'slowhttptest -c 25 -u http://a.example/',
    [expect.stringMatching(/^refused : The format was not recognized\. Holdfast reads ab, .* files\. Example: ab /)],
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
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { reuse: 'never' } },
      { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 2 }] },
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
  ['# comment\ncurl http://a.example/', [{ targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] }]],
  [
    '$ curl http://a.example/\n{"a":1}',
    [
      { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] },
      'leftOut {a:1}: This is another program. Holdfast does not run it.',
    ],
  ],
])('importCommands: imports %s', (text, expected) => {
  expect(readOfCommand(text)).toEqual(expected);
});
