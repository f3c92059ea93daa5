import { expect, it } from 'vitest';
import { readImported, writtenBeside } from '../testing/imported.ts';
import { readOfCommand } from './testing/readOfCommand.ts';

/** Returns the kind, the load and the rest of the imported plan, without its name. */
function importedJourney(text: string): unknown[] {
  const imported = readImported(text);
  return [imported.kind, imported.written['load'], writtenBeside(imported, 'holdfast', 'name', 'load')];
}

const page = { targets: [{ url: 'http://a.example/' }], journey: [{ name: 'page', path: '' }] };
const followed = { name: 'page', path: '', redirects: { follow: true, most: 10, mayEndAtLogin: true } };

it.each<[string, unknown[]]>([
  [
    'siege -c 20 -t 30S -b http://a.example/',
    [
      'siege',
      { model: 'connections', stages: [{ name: 'load', connections: 20, seconds: 30 }] },
      { ...page, journey: [followed], connections: { reuse: 'never' } },
    ],
  ],
  [
    'siege -c5 -t1 -d 3 http://a.example/',
    [
      'siege',
      { model: 'users', thinkTime: { kind: 'uniform', fromSeconds: 0, toSeconds: 3 }, stages: [{ name: 'load', users: 5, seconds: 60 }] },
      { ...page, journey: [followed], connections: { reuse: 'never' } },
    ],
  ],
  [
    `siege -r 10 -c 4 --content-type "application/json" 'http://a.example/orders POST {"a":1}'`,
    [
      'siege',
      { model: 'connections', stages: [{ name: 'load', connections: 4, requests: 40 }] },
      {
        targets: [{ url: 'http://a.example/orders' }],
        journey: [{ ...followed, method: 'POST', headers: { 'Content-Type': 'application/json' }, json: { a: 1 } }],
        connections: { reuse: 'never' },
      },
    ],
  ],
  [
    'echo "GET http://a.example/" | vegeta attack -rate=120/1m -duration=30s -header "X-A: b" | vegeta report',
    [
      'vegeta',
      { model: 'arrivals', maxInFlight: 10_000, stages: [{ kind: 'constant', name: 'load', perSecond: 2, seconds: 30 }] },
      { targets: [{ url: 'http://a.example/', headers: { 'X-A': 'b' } }], journey: [followed] },
    ],
  ],
  [
    'vegeta attack -duration=10s <<EOF\nGET http://a.example/a\nX-A: 1\n\nPOST http://a.example/b\n@body.json\nEOF',
    [
      'vegeta',
      { model: 'arrivals', maxInFlight: 10_000, stages: [{ kind: 'constant', name: 'load', perSecond: 25, seconds: 10 }] },
      {
        targets: [{ url: 'http://a.example/' }],
        journey: [
          { ...followed, name: 'GET /a', path: '/a', headers: { 'X-A': '1' } },
          { ...followed, name: 'POST /b', method: 'POST', path: '/b', headers: {}, body: { secret: 'file:body.json' } },
        ],
      },
    ],
  ],
  [
    'bombardier -c 50 -d 20s -m POST -b a=1 -H "Content-Type: text/plain" http://a.example/',
    [
      'bombardier',
      { model: 'connections', stages: [{ name: 'load', connections: 50, seconds: 20 }] },
      {
        targets: [{ url: 'http://a.example/', headers: { 'Content-Type': 'text/plain' } }],
        journey: [{ name: 'page', method: 'POST', path: '', body: 'a=1' }],
      },
    ],
  ],
  [
    'bombardier -n 1000 -r 200 http://a.example/',
    ['bombardier', { model: 'arrivals', maxInFlight: 125, stages: [{ kind: 'count', name: 'load', arrivals: 1_000, seconds: 5 }] }, page],
  ],
  [
    'h2load -n 1000 -c 10 -m 5 https://a.example/',
    [
      'h2load',
      { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 1_000 }] },
      { targets: [{ url: 'https://a.example/' }], journey: [{ name: 'page', path: '' }], connections: { protocol: 'h2', streams: 5 } },
    ],
  ],
  [
    'h2load --h1 -D 10 -c 10 http://a.example/',
    ['h2load', { model: 'connections', stages: [{ name: 'load', connections: 10, seconds: 10 }] }, page],
  ],
  [
    'wget -qO- --method=PUT --body-data=a=1 --header="X-A: b" http://a.example/',
    [
      'wget',
      { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 30 }] },
      {
        targets: [{ url: 'http://a.example/', headers: { 'X-A': 'b' } }],
        journey: [{ name: 'page', method: 'PUT', path: '', form: { a: '1' }, redirects: { follow: true, most: 20, mayEndAtLogin: true } }],
      },
    ],
  ],
  [
    'http POST a.example/orders X-A:b name=ada age:=33 page==2',
    [
      'httpie',
      { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 30 }] },
      {
        targets: [{ url: 'http://a.example/orders?page=2', headers: { 'X-A': 'b', Accept: 'application/json, */*;q=0.5' } }],
        journey: [
          { name: 'page', method: 'POST', path: '', headers: { 'Content-Type': 'application/json' }, json: { name: 'ada', age: 33 } },
        ],
      },
    ],
  ],
  [
    'https --form PUT a.example name=ada',
    [
      'httpie',
      { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 30 }] },
      { targets: [{ url: 'https://a.example/' }], journey: [{ name: 'page', method: 'PUT', path: '', form: { name: 'ada' } }] },
    ],
  ],
  [
    'xh :3000/a',
    [
      'httpie',
      { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 30 }] },
      { targets: [{ url: 'http://localhost:3000/a' }], journey: [{ name: 'page', path: '' }] },
    ],
  ],
])('importCommands: imports %s', (text, expected) => {
  expect(importedJourney(text)).toEqual(expected);
});

it.each<[string, unknown]>([
  ['a[b]=c a[d][]:=1 a[d][]:=2', { a: { b: 'c', d: [1, 2] } }],
  ['order[items][0][id]:=7 order[items][0][name]=x order[items][2]=y', { order: { items: [{ id: 7, name: 'x' }, null, 'y'] } }],
  ['[]:=1 []=two', [1, 'two']],
  ['a[__proto__][polluted]:=true', { a: {} }],
])('importCommands: builds the nested JSON of http a.example %s', (items, json) => {
  expect(readImported(`http a.example ${items}`).plan.journey[0]).toMatchObject({ method: 'POST', json });
  expect({}).not.toHaveProperty('polluted');
});

it('importCommands: does not write a login of wget or HTTPie into the plan', () => {
  for (const text of [
    'wget --user=ada --password=hush http://a.example/',
    'http -a ada:hush a.example',
    'http -A bearer -a hush a.example',
  ]) {
    const { written, secrets, notes } = readImported(text);
    expect(JSON.stringify([written, notes])).not.toMatch(/hush|YWRhOmh1c2g/);
    expect(secrets.size).toBe(1);
  }
});

it.each([
  ['vegeta attack -rate=5', 'Paste its targets with it.'],
  ['siege -c 5 http://a.example/', 'It runs until it is stopped. The plan ends after a minute.'],
  ['siege -f urls.txt http://a.example/', 'Addresses are in a file.'],
  [
    'siege -c 10 -f urls.txt',
    'refused siege: It takes its addresses from the file urls.txt. Import that list, and set the load in the plan: holdfast import urls urls.txt',
  ],
  ['wget -q -i /tmp/urls.txt', 'refused wget: It takes its addresses from the file /tmp/urls.txt. Import that list'],
  ['cat urls.txt | xargs -P 4 -I{} curl -s {}', 'refused xargs: It puts each line of its input in place of {}, and this input is unknown.'],
  [
    'cat ids | xargs -I % curl http://a.example/%',
    'refused xargs: It puts each line of its input in place of %, and this input is unknown.',
  ],
  ['xargs --replace curl http://a.example/{} < ids', 'refused xargs: It puts each line of its input in place of {}'],
  ['seq 9 | xargs --replace=@ curl http://a.example/@', 'refused xargs: What it replaces by a line of its input is unknown.'],
  ["cat ids | xargs -I{} sh -c 'curl http://a.example/{}'", 'refused xargs: It puts each line of its input in place of {}'],
  ['parallel -j4 curl http://a.example/{} ::: 1 2', 'refused parallel: It sends different requests at the same time.'],
  ['xargs -n 1 curl -s < urls.txt', 'refused xargs: It adds the addresses of its input to the command, and this input is unknown.'],
  ['seq 9 | xargs -I{} -P 3 curl http://a.example/', 'leftOut xargs: It comes before curl. Holdfast sends the load itself.'],
  ['wget -r http://a.example/', 'It follows the links of the page. The plan requests only the address.'],
  ['http a.example a=d a[b]=c', 'The names of members contradict each other, or a bracket is missing.'],
  ['http a.example a[b=c', 'The names of members contradict each other, or a bracket is missing.'],
  ['http a.example a[99999]=c', 'The names of members contradict each other, or a bracket is missing.'],
])('importCommands: reports what is missing in %s', (text, expected) => {
  expect(JSON.stringify(readOfCommand(text)).replaceAll('\\"', '"')).toContain(expected);
});

it.each(['http is a protocol', 'The http request failed', 'Use https for logins'])(
  'importCommands: does not read “%s” as a command of HTTPie',
  (text) => {
    expect(readOfCommand(text)[0]).toContain('The format was not recognized.');
  },
);
