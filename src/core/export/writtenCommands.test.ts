import { describe, expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import type { ExportKind } from './exported.ts';
import { exportPlan } from './exportPlan.ts';

type PlanChanges = Partial<PlanInput>;
type Step = Partial<PlanInput['journey'][number]>;

function planFrom(given: PlanChanges) {
  return planSchema.parse({
    holdfast: 1,
    name: 'P',
    targets: [{ url: 'http://a.example/app/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ name: 'load', connections: 5, requests: 100 }] },
    ...given,
  });
}
const withStep = (step: Step, more: PlanChanges = {}): PlanChanges => ({ journey: [{ name: 'page', ...step }], ...more });

/** Returns the text and its notes, or the reasons for a refusal. */
function written(kind: ExportKind, given: PlanChanges): unknown[] {
  const result = exportPlan(kind, planFrom(given));
  if (result.kind === 'refused') return result.issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`);
  const { text, files, environment, notes } = result.exported;
  return [
    text,
    ...files.map(({ path, content }) => `${path}: ${content}`),
    ...environment.map((name) => `environment: ${name}`),
    ...notes.filter((note) => !note.startsWith('curl sends each request once') && !note.startsWith('ab uses HTTP/1.0')),
  ];
}

const POLL: Step['poll'] = { until: [{ kind: 'contains', text: 'done' }] };
const SECRETS = { variables: { token: { kind: 'secret', secret: 'env:TOKEN' } } } as const;
const DRAWN = { variables: { n: { kind: 'integer', from: 1, to: 5 } } } as const;

describe('curl export', () => {
  it.each<[string, PlanChanges, unknown[]]>([
    ['requests a page', {}, ['curl http://a.example/app/\n']],
    [
      'requests each step',
      {
        journey: [
          { name: 'a', path: 'a' },
          { name: 'b', path: '/b?c=[1]', query: { d: 'e f', g: '' } },
        ],
      },
      ["curl http://a.example/app/a\ncurl -g 'http://a.example/b?c=[1]&d=e%20f&g='\n"],
    ],
    ['requests the head of a page', withStep({ method: 'HEAD' }), ['curl --head http://a.example/app/\n']],
    ['sends no body with a method', withStep({ method: 'DELETE' }), ['curl -X DELETE http://a.example/app/\n']],
    [
      'sends a form',
      withStep({ method: 'POST', form: { a: "it's", 'b c': '&' } }),
      ["curl --data-raw 'a=it%27s&b+c=%26' http://a.example/app/\n"],
    ],
    [
      'sends JSON',
      withStep({ method: 'PUT', json: { a: 1 } }),
      ["curl -X PUT -H 'Content-Type: application/json' --data-raw '{\"a\":1}' http://a.example/app/\n"],
    ],
    ['sends a text', withStep({ method: 'POST', body: 'a' }), ['curl -H Content-Type: --data-raw a http://a.example/app/\n']],
    [
      'sends a text with a type',
      withStep({ method: 'POST', body: 'a', headers: { 'content-type': 'text/x' } }),
      ["curl -H 'content-type: text/x' --data-raw a http://a.example/app/\n"],
    ],
    ['sends a body with GET', withStep({ body: 'a' }), ['curl -X GET -H Content-Type: --data-raw a http://a.example/app/\n']],
    [
      'sends a file',
      withStep({ method: 'POST', body: { secret: 'file:-' } }),
      ['curl -H Content-Type: --data-binary @./- http://a.example/app/\n'],
    ],
    [
      'sends a secret body',
      withStep({ method: 'POST', body: { secret: 'env:BODY' } }),
      ['curl -H Content-Type: --data-raw "$BODY" http://a.example/app/\n', 'environment: BODY'],
    ],
    [
      'sends parts',
      withStep({
        method: 'POST',
        multipart: [
          { name: 'a', value: '<x' },
          { name: 'b', value: 'say "x"', type: 'text/x' },
          { name: 'c', file: 'a;b.png', type: 'image/png' },
          { name: 'd', file: 'plain.txt', fileName: 'other.txt' },
        ],
      }),
      [
        "curl \\\n  --form-string 'a=<x' \\\n  -F 'b=\"say \\\"x\\\"\";type=text/x' \\\n  -F 'c=@\"a;b.png\";type=image/png' \\\n  -F 'd=@plain.txt;type=application/octet-stream;filename=other.txt' \\\n  http://a.example/app/\n",
      ],
    ],
    [
      'refuses parts that are made or picked',
      withStep({ method: 'POST', multipart: [{ name: 'a', bytes: 5 }] }),
      [
        'journey[0].multipart: “page” sends files that are generated or picked from a folder. curl sends files by name. Name a file: {name: …, file: PATH}.',
      ],
    ],
    [
      'refuses a part whose name contains =',
      withStep({ method: 'POST', multipart: [{ name: 'a=b', value: '1' }] }),
      ['journey[0].multipart: “page” sends a part whose name contains =. curl ends the name there. Export it for k6.'],
    ],
    [
      'refuses a head with a body',
      withStep({ method: 'HEAD', body: 'a' }),
      ['journey[0].method: “page” sends HEAD with a body, which curl refuses. Export it for k6.'],
    ],
    [
      'refuses values that change',
      withStep({ path: '/{{n}}/{{n}}' }, DRAWN),
      ['journey[0]: “page” needs {{n}}. curl sends the same text every time. Export it for k6, or replace the values with text.'],
    ],
    [
      'refuses links of a page',
      withStep({ captures: [{ from: 'body', as: 'x', pattern: '(a)', address: true }] }),
      ['journey[0]: “page” needs links resolved against their page, which curl does not support. Export it for k6.'],
    ],
    [
      'refuses a fallback for a missing value',
      withStep({ captures: [{ from: 'body', as: 'x', pattern: '(a)', otherwise: '1' }] }),
      ['journey[0]: “page” needs a fallback for what a page does not contain, which curl does not support. Export it for k6.'],
    ],
    [
      'takes secrets from the environment',
      withStep({ path: '/{{token}}', query: { t: 'a{{token}}' }, headers: { 'X-T': '{{token}}' } }, SECRETS),
      ['curl -H \'X-T: \'"$TOKEN" -g http://a.example/"$TOKEN"\'?t=a\'"$TOKEN"\n', 'environment: TOKEN'],
    ],
    [
      'sends headers of the target, which a step can replace',
      withStep(
        { headers: { 'x-b': '', 'X-C': '3' } },
        { targets: [{ url: 'http://a.example/', headers: { 'X-A': { secret: 'env:A' }, 'X-B': '2' } }] },
      ),
      ["curl -H 'X-A: '\"$A\" -H 'x-b;' -H 'X-C: 3' http://a.example/\n", 'environment: A'],
    ],
    ['sends a cookie', { targets: [{ url: 'http://a.example/', cookie: 'a=b' }] }, ['curl -b a=b http://a.example/\n']],
    [
      'sends a cookie that is secret',
      { targets: [{ url: 'http://a.example/', cookie: { secret: 'env:COOKIE' } }] },
      ['curl -H \'Cookie: \'"$COOKIE" http://a.example/\n', 'environment: COOKIE'],
    ],
    [
      'follows redirects',
      withStep({ redirects: { follow: true, most: 3 } }),
      ['curl -L --max-redirs 3 http://a.example/app/\n', 'curl also follows redirects to login pages and other servers.'],
    ],
    [
      'follows redirects to a login',
      withStep({ redirects: { follow: true, mayEndAtLogin: true } }),
      ['curl -L --max-redirs 10 http://a.example/app/\n'],
    ],
    [
      'leaves out checks',
      withStep({ checks: [{ kind: 'contains', text: 'a' }] }),
      ['curl http://a.example/app/\n', 'curl does not check responses. Expected statuses and checks are left out.'],
    ],
    [
      'leaves out expected statuses',
      withStep({ expectStatus: [404] }),
      ['curl http://a.example/app/\n', 'curl does not check responses. Expected statuses and checks are left out.'],
    ],
    [
      'leaves out polls',
      withStep({ poll: POLL }),
      ['curl http://a.example/app/\n', 'curl does not check responses. Expected statuses and checks are left out.'],
    ],
    [
      'leaves out files of a page',
      withStep({ resources: {} }),
      ['curl http://a.example/app/\n', 'Files that pages link to are not fetched.'],
    ],
    [
      'sends requests to the first server',
      { targets: [{ url: 'http://a.example/' }, { url: 'http://b.example/' }] },
      ['curl http://a.example/\n', 'Requests are sent to the first of 2 servers.'],
    ],
    [
      'sends steps in the order of the plan',
      { flow: [{ repeat: 2, flow: ['page'] }] },
      ['curl http://a.example/app/\n', 'Each step is sent once, in the order of the plan.'],
    ],
    [
      'trusts any certificate',
      { tls: { verify: false }, timeoutSeconds: 7, targets: [{ url: 'https://a.example/' }] },
      ['curl -k -m 7 https://a.example/\n'],
    ],
    [
      'leaves certificates out',
      { tls: { ca: 'ca.pem' }, targets: [{ url: 'https://a.example/' }] },
      ['curl https://a.example/\n', 'Certificates are left out. Name their files with --cacert, --cert and --key.'],
    ],
    [
      'leaves client certificates out',
      { tls: { clientCertificate: { certificate: 'c.pem', key: { secret: 'file:k.pem' } } }, targets: [{ url: 'https://a.example/' }] },
      ['curl https://a.example/\n', 'Certificates are left out. Name their files with --cacert, --cert and --key.'],
    ],
    [
      'limits the time for connecting',
      { connections: { connectSeconds: 2, firstByteSeconds: 3 } },
      ['curl --connect-timeout 2 http://a.example/app/\n', 'curl has no time limit for the first byte.'],
    ],
    ['closes its connections', { connections: { reuse: 'never' } }, ["curl -H 'Connection: close' http://a.example/app/\n"]],
    ['speaks HTTP/2', { connections: { protocol: 'h2' } }, ['curl --http2-prior-knowledge http://a.example/app/\n']],
    [
      'speaks HTTP/2 over TLS',
      { connections: { protocol: 'h2' }, targets: [{ url: 'https://a.example/' }] },
      ['curl --http2 https://a.example/\n'],
    ],
    [
      'connects to a socket',
      { connections: { socketPath: '/run/a b.sock' } },
      ["curl --unix-socket '/run/a b.sock' http://a.example/app/\n"],
    ],
    [
      'connects from an address',
      { connections: { localAddresses: ['127.0.0.2', '127.0.0.3'] } },
      ['curl --interface 127.0.0.2 http://a.example/app/\n'],
    ],
    [
      'refuses a NUL character',
      withStep({ method: 'POST', body: 'a\0' }),
      [
        'journey: A text of the plan contains a NUL character, which is impossible in a command. Export it for k6, or put the body into a file: body: {secret: file:PATH}.',
      ],
    ],
    [
      'refuses an event stream',
      withStep({ stream: { kind: 'events' } }),
      ['journey[0].stream: No other tool holds event streams. Export the plan without the step.'],
    ],
  ])('%s', (_name, given, expected) => {
    expect(written('curl', given)).toEqual(expected);
  });
});

describe('ab export', () => {
  const buildLoad = (...stages: object[]): PlanChanges => ({ load: { model: 'connections', stages } as never });

  it.each<[string, PlanChanges, unknown[]]>([
    ['sends a number of requests', {}, ['ab -n 100 -c 5 -l -r -k -s 120 http://a.example/app/\n']],
    [
      'sends requests for a duration',
      buildLoad({ connections: 20, seconds: 0.4 }),
      ['ab -t 1 -n 5000000 -c 20 -l -r -k -s 120 http://a.example/app/\n', 'It ends after 1 s or 5,000,000 requests.'],
    ],
    [
      'sends the stage that counts',
      buildLoad({ name: 'warm-up', connections: 1, seconds: 5, counted: false }, { name: 'main', connections: 20, seconds: 60 }),
      [
        'ab -t 60 -n 5000000 -c 20 -l -r -k -s 120 http://a.example/app/\n',
        'Left out: “warm-up”.',
        'It ends after 60 s or 5,000,000 requests.',
      ],
    ],
    [
      'sends the first stage if none counts',
      buildLoad({ connections: 1, seconds: 5, counted: false }),
      ['ab -t 5 -n 5000000 -c 1 -l -r -k -s 120 http://a.example/app/\n', 'It ends after 5 s or 5,000,000 requests.'],
    ],
    [
      'refuses several stages',
      buildLoad({ connections: 1, seconds: 5 }, { connections: 2, seconds: 5 }),
      ['load.stages: ab supports one stage. The plan counts several. Export one at a time, or all for k6.'],
    ],
    [
      'refuses users',
      { load: { model: 'users', stages: [{ users: 5, seconds: 5 }] } },
      ['load.model: ab supports fixed connections only. The plan has users. Export it for k6.'],
    ],
    [
      'refuses several steps',
      { journey: [{ name: 'a' }, { name: 'b' }] },
      [
        'journey: ab requests one address. The journey of the plan has several steps. Export it for k6 or Artillery, or each step separately.',
      ],
    ],
    [
      'refuses a flow',
      { flow: [{ repeat: 2, flow: ['page'] }] },
      [
        'journey: ab requests one address. The journey of the plan has several steps. Export it for k6 or Artillery, or each step separately.',
      ],
    ],
    [
      'refuses HTTP/2 and sockets',
      { connections: { protocol: 'h2', socketPath: '/run/a.sock' } },
      [
        'connections.protocol: ab speaks HTTP/1.1 only. Export it for k6 or curl.',
        'connections.socketPath: ab connects over the network only. If the server also listens on a port, remove it.',
      ],
    ],
    [
      'refuses values that change',
      withStep({ path: '/{{n}}' }, DRAWN),
      ['journey[0]: The request needs {{n}}. ab sends the same request every time. Export it for k6, or replace the values with text.'],
    ],
    [
      'refuses parts',
      withStep({ method: 'POST', multipart: [{ name: 'a', value: '1' }] }),
      ['journey[0].multipart: ab does not support forms with files. Export it for curl or k6.'],
    ],
    [
      'refuses redirects',
      withStep({ redirects: { follow: true } }),
      ['journey[0].redirects: ab does not follow redirects. Use the address that they lead to.'],
    ],
    ['refuses a poll', withStep({ poll: POLL }), ['journey[0].poll: ab does not read responses, so it cannot poll. Export it for k6.']],
    [
      'refuses files of a page',
      withStep({ resources: {} }),
      ['journey[0].resources: ab does not fetch the files of a page. Remove resources, or export it for k6.'],
    ],
    [
      'refuses a secret body',
      withStep({ method: 'POST', body: { secret: 'env:BODY' } }),
      [
        'journey[0].body: ab reads the body from a file. The body of the plan is a secret, which Holdfast does not write to files. Put it into a file yourself: body: {secret: file:PATH}.',
      ],
    ],
    [
      'refuses a secret in a body',
      withStep({ method: 'POST', form: { a: '{{token}}' } }, SECRETS),
      [
        'journey[0]: ab reads the body from a file. Holdfast does not write secrets to files. Put the body into a file yourself: body: {secret: file:PATH}.',
      ],
    ],
    [
      'sends secrets in headers',
      withStep({ path: '/{{token}}', headers: { 'X-T': '{{token}}' } }, SECRETS),
      ['ab -n 100 -c 5 -l -r -k -s 120 -H \'X-T: \'"$TOKEN" http://a.example/"$TOKEN"\n', 'environment: TOKEN'],
    ],
    [
      'sends a form',
      withStep({ method: 'POST', form: { a: "it's", 'b c': '&' } }),
      [
        'ab -n 100 -c 5 -l -r -k -s 120 -p body.txt -T application/x-www-form-urlencoded http://a.example/app/\n',
        'body.txt: a=it%27s&b+c=%26',
      ],
    ],
    [
      'sends JSON',
      withStep({ method: 'PUT', json: { a: String.raw`\{{x}}` } }),
      ['ab -n 100 -c 5 -l -r -k -s 120 -u body.txt -T application/json http://a.example/app/\n', 'body.txt: {"a":"{{x}}"}'],
    ],
    [
      'sends a text',
      withStep({ method: 'PATCH', body: 'a', headers: { 'Content-Type': 'text/x', 'X-A': '1' } }),
      ["ab -n 100 -c 5 -l -r -k -s 120 -p body.txt -m PATCH -T text/x -H 'X-A: 1' http://a.example/app/\n", 'body.txt: a'],
    ],
    [
      'sends a file',
      withStep({ method: 'POST', body: { secret: 'file:a b.txt' } }),
      ["ab -n 100 -c 5 -l -r -k -s 120 -p 'a b.txt' http://a.example/app/\n"],
    ],
    ['requests the head of a page', withStep({ method: 'HEAD' }), ['ab -n 100 -c 5 -l -r -k -s 120 -i http://a.example/app/\n']],
    ['sends another method', withStep({ method: 'DELETE' }), ['ab -n 100 -c 5 -l -r -k -s 120 -m DELETE http://a.example/app/\n']],
    [
      'sends headers and a cookie of the target',
      { targets: [{ url: 'http://a.example/', headers: { 'X-A': '1' }, cookie: 'a=b' }] },
      ["ab -n 100 -c 5 -l -r -k -s 120 -H 'X-A: 1' -C a=b http://a.example/\n"],
    ],
    [
      'notes what ab does differently',
      withStep(
        { expectStatus: [404], thinkTime: { kind: 'fixed', seconds: 1 } },
        { targets: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }], connections: { connectSeconds: 2 } },
      ),
      [
        'ab -n 100 -c 5 -l -r -k -s 120 https://a.example/\n',
        'Requests are sent to the first of 2 servers.',
        'ab does not check responses: any 2xx is successful.',
        'ab does not verify certificates.',
        'Time limits for connecting and for the first byte are left out.',
        'ab does not pause.',
      ],
    ],
    [
      'notes that responses are not checked',
      withStep({ checks: [{ kind: 'contains', text: 'a' }] }, { connections: { firstByteSeconds: 2 } }),
      [
        'ab -n 100 -c 5 -l -r -k -s 120 http://a.example/app/\n',
        'ab does not check responses: any 2xx is successful.',
        'Time limits for connecting and for the first byte are left out.',
      ],
    ],
    [
      'does not verify certificates, like ab',
      { targets: [{ url: 'https://a.example/' }], tls: { verify: false } },
      ['ab -n 100 -c 5 -l -r -k -s 120 https://a.example/\n'],
    ],
    [
      'closes its connections, and rounds time limits to seconds',
      { connections: { reuse: 'never', localAddresses: ['127.0.0.2'] }, timeoutSeconds: 2.5 },
      ['ab -n 100 -c 5 -l -r -s 3 -B 127.0.0.2 http://a.example/app/\n'],
    ],
    [
      'refuses a NUL character',
      withStep({ headers: { 'X-A': 'b' } }, { targets: [{ url: 'http://a.example/', cookie: 'a=\0' }] }),
      [
        'journey: A text of the plan contains a NUL character, which is impossible in a command. Export it for k6, or put the body into a file: body: {secret: file:PATH}.',
      ],
    ],
  ])('%s', (_name, given, expected) => {
    expect(written('ab', given)).toEqual(expected);
  });
});
