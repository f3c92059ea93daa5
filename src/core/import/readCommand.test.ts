import { describe, expect, it } from 'vitest';
import { loadSchema } from '../plan/loadSchema.ts';
import { planSchema } from '../plan/schema.ts';
import { readCommand } from './readCommand.ts';

const taken = (text: string) => {
  const reading = readCommand(text);
  if (reading?.kind !== 'command') throw new Error(`not taken: ${JSON.stringify(reading)}`);
  return reading.command;
};
const loadOf = (text: string) => loadSchema.parse(taken(text).load);
const stageOf = (text: string) => taken(text).load.stages[0];
const refusedOf = (text: string) => {
  const reading = readCommand(text);
  return reading?.kind === 'refused' ? reading.refused.map(({ what, reason }) => `${what}: ${reason}`) : reading;
};

describe('readCommand', () => {
  it("reads the report's ab line", () => {
    const command = taken('ab -n 100000 -c 50 -C "login=abc|def" http://contest.example.org/tasks/a/description');
    expect(command).toEqual({
      name: 'ab of contest.example.org',
      target: { url: 'http://contest.example.org/tasks/a/description', headers: {} },
      secretHeaders: {},
      cookie: 'login=abc|def',
      method: 'GET',
      settings: {},
      load: { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 100_000 }] },
    });
  });

  it.each([
    ['ab -k -n 10 -c 2 http://a.example/', { connections: 2, requests: 10 }],
    ['ab -kn10 -c2 http://a.example/', { connections: 2, requests: 10 }],
    ['ab -n 5 http://a.example/', { connections: 1, requests: 5 }],
    ['wrk -t4 -c400 -d30s --latency http://127.0.0.1:8080/index.html', { connections: 400, seconds: 30 }],
    ['wrk --connections=8 --duration 2m http://a.example/', { connections: 8, seconds: 120 }],
    ['wrk http://a.example/', { connections: 10, seconds: 10 }],
    ['hey -z 90s -c 5 https://a.example/', { connections: 5, seconds: 90 }],
    ['hey https://a.example/', { connections: 50, requests: 200 }],
    ['oha -c 5 https://a.example/', { connections: 5, requests: 200 }],
    ['hey -z 5s -n 10 https://a.example/', { connections: 50, seconds: 5 }],
    ['autocannon -c 100 -d 10 http://a.example', { connections: 100, seconds: 10 }],
    ['autocannon -a 10 -d 10 http://a.example', { connections: 10, requests: 10 }],
    ['autocannon http://a.example', { connections: 10, seconds: 10 }],
    ['curl -sSv -o /dev/null https://a.example/x', { connections: 1, seconds: 30 }],
    ['http://a.example/', { connections: 10, seconds: 30 }],
    ['a.example/page', { connections: 10, seconds: 30 }],
  ])('reads the load of %j', (text, stage) => {
    expect(stageOf(text)).toEqual({ name: 'load', ...stage });
  });

  it.each([
    ['wrk2 -t4 -c100 -d30s -R2000 http://a.example/', 100, { kind: 'constant', perSecond: 2_000, seconds: 30 }],
    ['hey -z 10s -c 5 -q 20 http://a.example/', 5, { kind: 'constant', perSecond: 100, seconds: 10 }],
    ['hey -n 1000 -c 10 -q 5 http://a.example/', 10, { kind: 'count', arrivals: 1_000, seconds: 20 }],
    ['oha -z 10s -c 5 -q 20 http://a.example/', 5, { kind: 'constant', perSecond: 20, seconds: 10 }],
    ['oha -n 100 -q 40 --no-tui http://a.example/', 50, { kind: 'count', arrivals: 100, seconds: 2.5 }],
    ['autocannon -R 500 -d 5 http://a.example', 10, { kind: 'constant', perSecond: 500, seconds: 5 }],
    ['autocannon -c 4 -R 500 -r 2.5 -d 5 http://a.example', 4, { kind: 'constant', perSecond: 10, seconds: 5 }],
  ])('makes arrivals of the rate of %j', (text, maxInFlight, stage) => {
    expect(loadOf(text)).toEqual({
      model: 'arrivals',
      spacing: 'uniform',
      maxInFlight,
      stages: [{ name: 'load', counted: true, ...stage }],
    });
  });

  it.each([
    ['curl -I http://a.example/', 'HEAD'],
    ['curl -i http://a.example/', 'GET'],
    ['ab -i http://a.example/', 'HEAD'],
    ['ab -m POST http://a.example/', 'POST'],
    ['hey -m put http://a.example/', 'PUT'],
    ['curl -X DELETE http://a.example/', 'DELETE'],
    ['curl -XOPTIONS http://a.example/', 'OPTIONS'],
  ])('carries over the method of %j', (text, method) => {
    expect(taken(text).method).toBe(method);
  });

  it.each(['ab -A user:pässword http://a.example/', 'curl -u user:pässword http://a.example/', 'hey -a user:pässword http://a.example/'])(
    'makes a secret header of the login in %j',
    (text) => {
      const encoded = Buffer.from('user:pässword').toString('base64');
      expect(taken(text).secretHeaders).toEqual({ Authorization: `Basic ${encoded}` });
    },
  );

  it('carries over the time limit, the unchecked certificate and named headers', () => {
    const command = taken('curl -k -m 5 --compressed -A me -e http://b.example/ https://a.example/');
    expect(command.settings).toEqual({ tls: { verify: false }, timeoutSeconds: 5 });
    expect(command.target.headers).toEqual({ 'User-Agent': 'me', Referer: 'http://b.example/', 'Accept-Encoding': 'gzip, deflate, br' });
  });

  it.each([
    '$ ab -n 5 http://a.example/',
    'ab -n 5 http://a.example/ > out.txt',
    'ab -n 5 http://a.example/ >out.txt 2>&1',
    'ab -n 5 http://a.example/ 2>/dev/null',
    'ab -n 5 http://a.example/ &> all.txt',
    'ab -n 5 http://a.example/ | tee x',
    'ab -n 5 http://a.example/ 2>&1 | grep Requests',
    'ab -n 5 http://a.example/;',
  ])('takes the shell around %j for what it is', (text) => {
    expect(taken(text).target.url).toBe('http://a.example/');
    expect(stageOf(text)).toEqual({ name: 'load', connections: 1, requests: 5 });
  });

  it('keeps an address with & whole', () => {
    expect(taken('curl http://a.example/?a=1&b=2;c').target.url).toBe('http://a.example/?a=1&b=2;c');
  });

  it.each([
    ['curl -X POST -d a=1 http://a.example/', ['-d: body']],
    ['ab -p f -T t http://a.example/', ['-p: body']],
    ['ab -u f -X proxy:1 -P u:p -E cert http://a.example/', ['-u: body', '-X: proxy', '-P: proxy', '-E: certificate']],
    ['ab -m BREW http://a.example/', ['-m BREW: method']],
    ['curl -u user http://a.example/', ['-u: login']],
    ['curl -b jar.txt -L http://a.example/', ['-L: redirects', '-b: cookieFile']],
    ['curl -H Accept http://a.example/', ['-H: header']],
    ['curl --frobnicate http://a.example/', ['--frobnicate: unknown']],
    ['curl http://a.example/ http://b.example/', ['http://a.example/ http://b.example/: addresses']],
    ['ab -n abc http://a.example/', ['-n abc: number']],
    ['ab -n 1e5 -c x http://a.example/', ['-c x: number', '-n 1e5: number']],
    ['wrk -d soon -s x.lua http://a.example/', ['-s: script', '-d soon: number']],
    ['wrk2 -R 0 http://a.example/', ['-R 0: number']],
    ['hey -q 5 -h2 http://a.example/', ['-h2: unknown']],
    ['curl --limit-rate 10k http://a.example/', ['--limit-rate: rate']],
    ['oha -r 3 --burst-delay 1s http://a.example/', ['-r: redirects', '--burst-delay: unknown']],
    ['autocannon -p 10 -b x http://a.example', ['-p: pipelining', '-b: body']],
    ['ab -n 5 -t 5 http://a.example/', ['-n -t: twoEnds']],
    ['ab http://a.example/ -n', ['-n: noValue']],
    ['ab http://a.example/ && ab http://b.example/', ['&&: nextCommand']],
    ['curl "$HOST/x"', ['$HOST: variable']],
    ["curl 'http://a.example/", ["': quote"]],
    ['curl http://a.example/ < body.txt', ['<: input']],
  ])('refuses what it would have to leave out of %j', (text, refused) => {
    expect(refusedOf(text)).toEqual(refused);
  });

  it('never repeats a password in a refusal', () => {
    expect(JSON.stringify(readCommand('curl -d pw=hush -u hush -U a:hush -H hush http://a.example/'))).not.toContain('pw=hush');
    expect(JSON.stringify(readCommand('curl -u hush -x http://u:hush@p -H hush http://a.example/'))).not.toContain('hush');
  });

  it('keeps secrets apart from what a plan may hold', () => {
    const command = taken(
      `curl 'https://a.example/' \\\n  -H 'Accept: text/html' -H "Authorization: Bearer t0k" -H 'Cookie: sid=1' --cookie 'x=2'`,
    );
    expect(command.target.headers).toEqual({ Accept: 'text/html' });
    expect(command.secretHeaders).toEqual({ Authorization: 'Bearer t0k' });
    expect(command.cookie).toBe('x=2; sid=1');
  });

  it.each(['', 'hello', 'holdfast: 1\nname: x', 'ab -n 10', 'rm -rf http', 'what is this http://a.example/'])(
    'takes nothing from %j',
    (text) => {
      expect(readCommand(text)).toBeNull();
    },
  );

  it('makes what a plan accepts', () => {
    const command = taken('ab -n 100 -c 5 localhost:8080/');
    const plan = { holdfast: 1, name: command.name, targets: [command.target], journey: [{ name: 'page' }], load: command.load };
    expect(planSchema.safeParse(plan).success).toBe(true);
  });
});
