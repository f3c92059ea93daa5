import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { importText } from '../importText.ts';
import { COMMAND_CORPUS } from '../testing/commandCorpus.ts';
import { readImported, listNotes, findRefusal } from '../testing/imported.ts';

const buildLoad = ({ load }: Plan): string => {
  const [stage] = load.stages;
  if (load.model === 'connections' && stage !== undefined && 'connections' in stage)
    return `${stage.connections} connections ${stage.requests === undefined ? `${stage.seconds ?? 0} s` : `${stage.requests} requests`}`;
  if (stage !== undefined && 'users' in stage) return `${stage.users} users ${stage.seconds} s`;
  return stage !== undefined && 'perSecond' in stage ? `${stage.perSecond}/s ${stage.seconds} s` : JSON.stringify(stage);
};
const urlOf = ({ targets, journey }: Plan): string => new URL(journey[0]?.path ?? '', targets[0]?.url).href;
const stepOf = (text: string) => readImported(text).plan.journey[0];

describe('importCommands', () => {
  it('is tested with at least 60 commands', () => {
    expect(COMMAND_CORPUS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(COMMAND_CORPUS)('imports $text', ({ text, kind, method = 'GET', url, load }) => {
    const imported = readImported(text);
    expect({
      kind: imported.kind,
      method: imported.plan.journey[0]?.method,
      url: urlOf(imported.plan),
      load: buildLoad(imported.plan),
    }).toEqual({ kind, method, url, load });
  });

  it('imports an ab command', () => {
    const { written, secrets, notes } = readImported(
      'ab -n 100000 -c 50 -C "login=abc|def" http://contest.example.org/tasks/a/description',
    );
    expect(written).toEqual({
      holdfast: 1,
      name: 'ab of contest.example.org',
      targets: [{ url: 'http://contest.example.org/tasks/a/description', cookie: { secret: 'env:HOLDFAST_COOKIE' } }],
      journey: [{ name: 'page', path: '' }],
      load: { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 100_000 }] },
      connections: { reuse: 'never' },
    });
    expect([...secrets]).toEqual([['HOLDFAST_COOKIE', 'login=abc|def']]);
    expect(notes).toHaveLength(1);
  });

  it('opens a connection for each request if the tool does', () => {
    expect(readImported('ab -k -n 5 http://a.example/').plan.connections.reuse).toBe('always');
    expect(readImported('ab -n 5 http://a.example/').plan.connections.reuse).toBe('never');
    expect(readImported('wrk -H "Connection: close" http://a.example/').plan.connections.reuse).toBe('never');
    expect(readImported('wrk http://a.example/').plan.connections.reuse).toBe('always');
  });

  it('uses HTTP/2 if the command does', () => {
    const readProtocol = (text: string) => readImported(text).plan.connections.protocol;
    expect(readProtocol('curl --http2 https://a.example/')).toBe('h2');
    expect(readProtocol('curl --http2-prior-knowledge http://a.example/')).toBe('h2');
    expect(readProtocol('hey -h2 https://a.example/')).toBe('h2');
    expect(readProtocol('oha --http2 http://a.example/')).toBe('h2');
    expect(readProtocol('curl https://a.example/')).toBeUndefined();
    // Without TLS, curl only offers the server an upgrade to HTTP/2.
    expect(readProtocol('curl --http2 http://a.example/')).toBeUndefined();
    expect(listNotes(readImported('curl --http2 http://a.example/')).join(' ')).toContain('leftOut HTTP/2');
  });

  it('follows redirects if the tool does', () => {
    expect(stepOf('curl http://a.example/')?.redirects).toBeUndefined();
    expect(stepOf('curl -L http://a.example/')?.redirects).toEqual({ follow: true, most: 50, mayEndAtLogin: true });
    expect(stepOf('hey http://a.example/')?.redirects?.most).toBe(10);
    expect(stepOf('hey -disable-redirects http://a.example/')?.redirects).toBeUndefined();
    expect(stepOf('oha -r 3 http://a.example/')?.redirects?.most).toBe(3);
    expect(stepOf('oha -r 0 http://a.example/')?.redirects).toBeUndefined();
  });

  it('converts a rate to arrivals', () => {
    expect(readImported('hey -n 1000 -c 10 -q 5 http://a.example/').plan.load).toMatchObject({
      model: 'arrivals',
      maxInFlight: 10,
      stages: [{ kind: 'count', arrivals: 1_000, seconds: 20 }],
    });
    expect(readImported('autocannon -c 4 -R 500 -r 2.5 -d 5 http://a.example').plan.load).toMatchObject({
      maxInFlight: 4,
      stages: [{ kind: 'constant', perSecond: 10 }],
    });
  });

  it('keeps bodies unchanged', () => {
    expect(stepOf('curl -d a=1 -d "b=x y" http://a.example/')).toMatchObject({ method: 'POST', body: 'a=1&b=x y' });
    expect(stepOf('curl -d a=1 -d b=x+y http://a.example/')).toMatchObject({ form: { a: '1', b: 'x y' } });
    expect(stepOf('curl --data-urlencode "text=a&b" http://a.example/')).toMatchObject({ form: { text: 'a&b' } });
    expect(stepOf('curl -d a=1 -d a=2 http://a.example/')).toMatchObject({ body: 'a=1&a=2' });
    expect(stepOf(`curl --json '{"a":[1,{"b":null}]}' http://a.example/`)).toMatchObject({ json: { a: [1, { b: null }] } });
    expect(stepOf(`curl --json '{ "a": 1.0 }' http://a.example/`)).toMatchObject({ body: '{ "a": 1.0 }' });
    expect(stepOf('curl --data-binary @file.bin -H "Content-Type: image/png" http://a.example/')).toMatchObject({
      body: { secret: 'file:file.bin' },
    });
    expect(stepOf('ab -p f.txt -n 5 http://a.example/')).toMatchObject({ method: 'POST', body: { secret: 'file:f.txt' } });
    expect(stepOf('curl -F "a=@x.png;type=image/png;filename=y.png" -F b=c http://a.example/')).toMatchObject({
      multipart: [
        { name: 'a', file: 'x.png', type: 'image/png', fileName: 'y.png' },
        { name: 'b', value: 'c' },
      ],
    });
  });

  it('escapes double braces in bodies and addresses', () => {
    const step = stepOf(`curl --data-raw 'hello {{name}}' -H 'Content-Type: text/plain' 'http://a.example/?q={{x}}'`);
    expect(step?.body).toBe(String.raw`hello \{{name}}`);
    expect(step?.path).toBe(String.raw`/?q=\{{x}}`);
    expect([...readImported('curl "http://a.example/?token=a{{b"').secrets]).toEqual([['HOLDFAST_TOKEN', 'a{{b']]);
  });

  it('keeps secrets out of the plan', () => {
    const { written, secrets } = readImported(
      `curl 'https://a.example/?token=t0ken' -u me:hush -H 'Accept: text/html' -H 'X-Api-Key: k3y' -H 'Cookie: sid=1' --cookie 'x=2'`,
    );
    const text = JSON.stringify(written);
    for (const secret of ['t0ken', 'hush', btoa('me:hush'), 'k3y', 'sid=1']) expect(text).not.toContain(secret);
    expect(secrets.get('HOLDFAST_COOKIE')).toBe('sid=1');
    expect(secrets.get('HOLDFAST_PASSWORD')).toBe('hush');
    expect(written).toMatchObject({
      journey: [{ path: '/?token={{token}}' }],
      targets: [{ headers: { Accept: 'text/html' }, auth: { user: 'me' } }],
    });
  });

  it.each([
    [`curl -H 'Authorization: Basic ${btoa('me:a:b')}' http://a.example/`, [{ user: 'me' }, 'a:b']],
    ['http -a me:hush a.example', [{ user: 'me' }, 'hush']],
    ['wget --user me --password hush http://a.example/', [{ user: 'me' }, 'hush']],
    [`curl -H 'Authorization: Basic ${btoa('no colon')}' http://a.example/`, [undefined, undefined]],
    [`curl -H 'Authorization: Basic ${btoa('a\u0001:b')}' http://a.example/`, [undefined, undefined]],
  ])('reads the login of HTTP Basic: %s', (command, expected) => {
    const { plan, secrets } = readImported(command);
    const [target] = plan.targets;
    expect([target?.auth && { user: target.auth.user }, secrets.get('HOLDFAST_PASSWORD')]).toEqual(expected);
  });

  it('converts shell variables to variables of the plan', () => {
    const { plan } = readImported('curl -H "Authorization: Bearer ${TOKEN}" "http://a.example/users/$USER_ID?x=$X"');
    expect(plan.journey[0]?.headers).toEqual({ Authorization: 'Bearer {{TOKEN}}' });
    expect(plan.journey[0]?.path).toBe('/users/{{USER_ID}}?x={{X}}');
    expect(plan.variables?.['TOKEN']).toEqual({ kind: 'secret', secret: 'ask:TOKEN' });
    expect(findRefusal('curl "http://$HOST/x"')).toEqual(['COMMAND_UNREADABLE $HOST']);
  });

  it.each([
    ['curl --resolve a.example:80:b.example http://a.example/', /no IP address.*may be another machine.*\/etc\/hosts/],
    ['curl --resolve -a.example:80 http://a.example/', /no IP address/],
    ['curl --connect-to a.example:80:b.example:80 http://a.example/', /may be another machine.*\/etc\/hosts/],
    ['curl --connect-to nothing http://a.example/', /may be another machine.*\/etc\/hosts/],
    ['oha --connect-to a.example:80:b.example:81 http://a.example/', /another port.*sent to the port of the URL/],
    ['curl -x proxy:3128 http://a.example/', /connects to the server directly, so the load does not include the proxy/],
    ['curl --proxy-http2 -x proxy:3128 http://a.example/', /connects to the server directly, so the load does not include the proxy/],
    ['curl --doh-url https://d.example/q http://a.example/', /resolved by this system/],
  ])('reports that requests are sent to another address or without a proxy: %s', (command, expected) => {
    const { notes } = readImported(command);
    expect(notes.map(({ what, instead }) => `${what} ${instead ?? ''}`).join('\n')).toMatch(expected);
  });

  it.each([
    ['curl --resolve A.example:080:192.0.2.1 http://a.example/', ['a.example:80:192.0.2.1']],
    [
      'curl --resolve +a.example:443:192.0.2.1,[2001:db8::1] https://a.example/',
      ['a.example:443:192.0.2.1', 'a.example:443:[2001:db8::1]'],
    ],
    [
      'curl --resolve a.example:80:192.0.2.1 --resolve a.example:443:192.0.2.2 https://a.example/',
      ['a.example:80:192.0.2.1', 'a.example:443:192.0.2.2'],
    ],
    ['curl --resolve a.example:80:192.0.2.1 --resolve a.example:80:192.0.2.2 http://a.example/', ['a.example:80:192.0.2.2']],
    ['curl --resolve *:80:192.0.2.1 http://a.example/', ['a.example:80:192.0.2.1']],
    ['curl --connect-to a.example:80:192.0.2.1:80 http://a.example/', ['a.example:80:192.0.2.1']],
    ['curl --connect-to ::[::1]: http://a.example:8080/', ['a.example:8080:[::1]']],
    ['curl --connect-to ::localhost: http://a.example/', ['a.example:80:127.0.0.1']],
    [
      'curl --connect-to c.example::192.0.2.9: --connect-to ::192.0.2.1: --connect-to ::192.0.2.2: http://a.example/',
      ['a.example:80:192.0.2.1'],
    ],
    [
      'curl --connect-to ::b.example: --resolve b.example:80:192.0.2.3 http://a.example/',
      ['b.example:80:192.0.2.3', 'a.example:80:192.0.2.3'],
    ],
    [
      'oha --connect-to a.example:80:192.0.2.1:80 --connect-to a.example:80:192.0.2.2:80 http://a.example/',
      ['a.example:80:192.0.2.1', 'a.example:80:192.0.2.2'],
    ],
    ['h2load --connect-to 192.0.2.1 http://a.example/', ['a.example:80:192.0.2.1']],
    ['echo "GET http://a.example/" | vegeta attack -connect-to a.example:80:192.0.2.1:80', ['a.example:80:192.0.2.1']],
    ['xh --resolve a.example:192.0.2.1 http://a.example/', ['a.example:80:192.0.2.1']],
  ])('sets the address of a host: %s', (command, expected) => {
    expect(readImported(command).plan.connections.resolve).toEqual(expected);
  });

  it('notes that several commands set different addresses of a host', () => {
    const { plan, notes } = readImported('curl --resolve a.example:80:192.0.2.1 http://a.example/; curl http://a.example/b');
    expect(plan.connections.resolve).toEqual(['a.example:80:192.0.2.1']);
    expect(notes.map(({ what }) => what)).toContain('The requests set different addresses for hosts.');
  });

  it('converts several curl commands to a journey, with further servers as named targets', () => {
    const { plan } = readImported(`curl 'http://a.example/' ;\ncurl 'http://a.example/api/me' -X POST ;\ncurl 'http://b.example/'`);
    expect(plan.journey.map(({ name, method, path, target }) => [name, method, path, target])).toEqual([
      ['GET /', 'GET', '/', undefined],
      ['POST /api/me', 'POST', '/api/me', undefined],
      ['GET / (2)', 'GET', '/', 'b'],
    ]);
    expect(plan.namedTargets?.['b']?.url).toBe('http://b.example/');
  });

  it.each([
    ['ab -X proxy:1 -E cert -b 1 -Z x http://a.example/', ['leftOut -X', 'leftOut -E', 'leftOut -b', 'leftOut -Z']],
    ['wrk -s x.lua http://a.example/', ['leftOut -s']],
    [
      'curl --retry 3 --limit-rate 1k --frobnicate http://a.example/',
      ['leftOut --retry', 'leftOut --limit-rate', 'leftOut --frobnicate', 'assumed load'],
    ],
    ['curl -b jar.txt --digest http://a.example/', ['leftOut --digest', 'leftOut -b', 'assumed load']],
    ['ab -t 5 -n 7 http://a.example/', ['changed -t']],
    ['ab -n 5 http://a.example/ && rm -rf /', ['leftOut rm']],
    ['hey -n 5 -z 3s http://a.example/', ['leftOut -n']],
    ['wrk https://a.example/', ['changed https']],
    ['curl "http://a.example/$(whoami)"', ['changed $(…)', 'assumed load']],
    ['curl -m 0.2 http://a.example/', ['assumed load', 'changed -m']],
    ['curl -u me http://a.example/', ['leftOut -u', 'assumed load']],
    ['curl -F "a=b;type=text/$KIND" http://a.example/', ['leftOut -F', 'assumed load']],
    ['curl -F "a=@b;type=text/$KIND" http://a.example/', ['leftOut -F', 'assumed load']],
    ['curl -F "a=b;c" http://a.example/', ['leftOut -F', 'assumed load']],
    ['curl --url-query a@b.txt http://a.example/', ['leftOut --url-query', 'assumed load']],
    ['curl --path-as-is http://a.example/b/../c', ['changed address', 'assumed load']],
    ['curl -X post http://a.example/', ['changed -X', 'assumed load']],
    ['curl --frobnicate 200 http://a.example/', ['leftOut --frobnicate', 'assumed load']],
    ['curl "http://a.example/{b,c}"', ['changed http://a.example/{b,c}', 'assumed load']],
    ['curl "http://a.example/{{b}}"', ['changed http://a.example/{{b}}', 'assumed load']],
    ['curl -d x=1 -b a=1 -H "Cookie: b=2" http://a.example/', ['leftOut -b', 'secret cookie', 'assumed load']],
    ['ab -C a=1 -C b=2 http://a.example/', ['leftOut -C', 'secret cookie']],
  ])('reports options of %j that a plan does not support', (text, notes) => {
    expect(listNotes(readImported(text)).toSorted()).toEqual(notes.toSorted());
  });

  it.each([
    ['ab -n abc http://a.example/', ['COMMAND_UNREADABLE -n abc']],
    ['ab -n 1e5 -c x http://a.example/', ['COMMAND_UNREADABLE -c x', 'COMMAND_UNREADABLE -n 1e5']],
    ['wrk2 -R 0 http://a.example/', ['COMMAND_UNREADABLE -R 0']],
    ['ab -m BREW http://a.example/', ['COMMAND_UNREADABLE -m BREW']],
    ['ab http://a.example/ -n', ['COMMAND_UNREADABLE -n']],
    ['ab -n 10', ['COMMAND_UNREADABLE ab']],
    ['ab -h', ['COMMAND_UNREADABLE ab', 'COMMAND_UNREADABLE ab']],
    ['hey http://a.example/ http://b.example/', ['COMMAND_UNREADABLE http://b.example/']],
    ['curl -d a=1 -F b=2 http://a.example/', ['COMMAND_UNREADABLE -d -F']],
    ['curl -I -T x http://a.example/', ['COMMAND_UNREADABLE -T -I']],
    ['curl ftp://a.example/', ['COMMAND_UNREADABLE ftp://a.example/']],
    ['', ['EMPTY']],
    ['hello', ['UNKNOWN_KIND']],
    ['rm -rf http', ['UNKNOWN_KIND']],
    ['what is this http://a.example/', ['UNKNOWN_KIND']],
    ['ab -c 100000 -n 1 http://a.example/', ['TOO_LARGE load.stages[0].connections']],
  ])('refuses %j with all reasons', (text, reasons) => {
    expect(findRefusal(text)).toEqual(reasons);
  });

  it('refuses a command of another kind than the requested one', () => {
    expect(findRefusal('ab -n 1 http://a.example/', { kind: 'curl' })).toEqual(['OTHER_KIND']);
    expect(readImported('wrk -R 5 http://a.example/', { kind: 'wrk2' }).kind).toBe('wrk2');
  });

  it('does not repeat a password in a refusal or a note', () => {
    const kinds = [
      'curl -u hush -x http://u:hush@p -H hush -b hush http://a.example/',
      'curl -u a:hush -d pw=hush --cookie sid=hush http://a.example/ -m x',
      'curl -u a:hush -d pw=hush --cookie sid=hush "http://a.example/?token=hush"',
      'PASSWORD=hush curl http://a.example/',
      'PGPASSWORD=hush psql\ncurl http://a.example/',
      'curl ftp://u:hush@a.example/?token=hush',
      'hey http://u:hush@a.example/ http://u:hush@b.example/',
    ].map((text) => {
      const result = importText(text);
      // Only the plan may contain secrets. The rest is shown to people.
      const reported = result.kind === 'refused' ? result : { ...result.imported, secrets: null, plan: null, written: null };
      expect(JSON.stringify(reported), text).not.toContain('hush');
      return result.kind;
    });
    expect(kinds).toEqual(['imported', 'refused', 'imported', 'imported', 'imported', 'refused', 'refused']);
  });

  it('reports an assignment before a command by its name only', () => {
    expect(listNotes(readImported('PASSWORD=hush curl http://a.example/'))).toContain('leftOut PASSWORD');
    expect(listNotes(readImported('PGPASSWORD=hush psql\ncurl http://a.example/'))).toContain('leftOut PGPASSWORD');
  });

  it('reads a command with many here-documents and backquotes in linear time', () => {
    const write = (count: number) =>
      `ab -H "X: ${Array.from({ length: count }, (_, row) => `<<E${row}OF\n\``).join('')}" http://a.example/`;
    expect(measureGrowth((count) => void importText(write(count)), 2_000)).toBeLessThan(MAX_GROWTH);
  });

  it('sends the same body and headers to all addresses, and each login only to its own address', () => {
    const { plan } = readImported("curl -d 'a=1' -H 'X-Shop: 1' http://a.example/1 http://u:p@a.example/2 http://a.example/3");
    expect(plan.journey.map(({ form, headers, auth }) => [form, Object.keys(headers), auth?.user])).toEqual([
      [{ a: '1' }, ['X-Shop'], undefined],
      [{ a: '1' }, ['X-Shop'], 'u'],
      [{ a: '1' }, ['X-Shop'], undefined],
    ]);
  });

  it.each([
    ['-F a=b -d c', true],
    ['-F a=b -G --data-urlencode c', true],
    ['-T file -G -d c', true],
    ['-I -d c', true],
    ['-F a=b -I', true],
    ['-G -I -d c', false],
    ['-F a=b -G', false],
    ['-T file -G', false],
    ['-F a=b --form-string c=d', false],
  ])('refuses only options that curl does not combine: %s', (options, isRefused) => {
    expect(importText(`curl ${options} https://a.example/`).kind === 'refused').toBe(isRefused);
  });

  it.each([`-d 'a=1 '`, `-d ' '`, `--data-raw 'a= b'`])(
    'encodes spaces in appended data and reports that curl refuses them: -G %s',
    (data) => {
      const imported = readImported(`curl -G ${data} http://a.example/`);
      expect(urlOf(imported.plan)).toBe(`http://a.example/?${data.slice(data.indexOf("'") + 1, -1).replace(' ', '%20')}`);
      expect(listNotes(imported)).toContain('changed address');
    },
  );

  it('refuses a line break in data that -G appends to the address', () => {
    expect(findRefusal(`printf 'a=1\n' | curl -G --data-binary @- http://a.example/`)).toEqual(['COMMAND_UNREADABLE http://a.example/']);
  });

  it('reports a multipart form whose Content-Type is removed', () => {
    expect(readImported("curl -H 'content-type:' -F a=b https://a.example/").notes).toContainEqual(
      expect.objectContaining({ kind: 'leftOut', what: 'It removes the type of a multipart form.' }),
    );
  });

  it('imports at most 200 headers', () => {
    const given = Array.from({ length: 210 }, (_, row) => `-H 'X-${row}: 1'`).join(' ');
    const imported = readImported(`curl ${given} http://a.example/`);
    expect(Object.keys(imported.plan.targets[0]?.headers ?? {})).toHaveLength(200);
    expect(listNotes(imported)).toContain('leftOut header');
  });
});
