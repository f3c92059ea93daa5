import { describe, expect, it } from 'vitest';
import {
  isHarmlessHeader,
  isSecretField,
  isSecretHeader,
  looksRandom,
  ISSUER_TOKEN_PATTERN,
  replaceBodySecrets,
  replaceCommandSecrets,
  replaceFieldSecrets,
} from './secretShapes.ts';

it('isSecretHeader: treats a header as secret unless its name is known to be harmless', () => {
  expect(['Accept', 'user-agent ', 'Content-Type'].every(isHarmlessHeader)).toBe(true);
  expect(['Authorization', 'X-Api-Key', 'Cookie', 'X-Anything'].some(isHarmlessHeader)).toBe(false);
});

it('isSecretHeader: recognizes a secret header by name or value', () => {
  for (const name of ['Authorization', 'Cookie', 'X-Auth', 'x-authenticated', 'Key', 'my-key', 'X-ApiKey', 'CSRF', 'Signature'])
    expect([name, isSecretHeader(name, 'x')]).toEqual([name, true]);
  for (const name of ['Keys', 'Monkey', 'Accept', 'X-Author'])
    expect([name, isSecretHeader(name, 'x')]).toEqual([name, name === 'X-Author']);
  for (const value of ['eyJhbGciOiJI.', 'Bearer x', 'Basic x', 'Token x']) expect(isSecretHeader('X-A', value)).toBe(true);
  for (const value of ['eyJhbG.', 'a Bearer x', 'Bearer', 'text']) expect(isSecretHeader('X-A', value)).toBe(false);
});

it('isSecretField: treats a field as secret by its name, except for flags', () => {
  expect(isSecretField('password') && isSecretField('password', '1234')).toBe(true);
  for (const value of ['0', '1', 'true', 'Off']) expect(isSecretField('pwd_empty', value)).toBe(false);
  for (const value of ['10', 'onto', 'y']) expect(isSecretField('pwd_empty', value)).toBe(true);
});

it.each([
  ['password', true],
  ['user_pass', true],
  ['passphrase', true],
  ['passwords', true],
  ['passage', false],
  ['bypass', false],
  ['compass', false],
  ['overpass', false],
  ['pwd', true],
  ['client_secret', true],
  ['csrfmiddlewaretoken', true],
  ['api-key', true],
  ['access_key', true],
  ['private key', false],
  ['keyword', false],
  ['pin', true],
  ['spin', false],
  ['sig', true],
  ['signature', true],
  ['design', false],
  ['auth', true],
  ['x-auth', true],
  ['author', false],
  ['session_id', true],
  ['sessionkey', true],
  ['session', false],
  ['sid', true],
  ['inside', false],
  ['login_data', true],
])('isSecretField: a field called %s is a secret: %s', (name, isSecret) => expect(isSecretField(name)).toBe(isSecret));

it('looksRandom: recognizes random tokens', () => {
  for (const text of ['9f8e7d6c5b4a3928', 'abcdefghijklmno1', 'A1~+=-_bcdefghij']) expect(looksRandom(text)).toBe(true);
  for (const text of ['9f8e7d6c5b4a392', 'abcdefghijklmnop', '1234567890123456', 'two words 123456789'])
    expect(looksRandom(text)).toBe(false);
});

it("ISSUER_TOKEN_PATTERN: recognizes tokens with an issuer's prefix", () => {
  const marked = [
    'eyJhbGciOiJI.eyJz.sig',
    'eyJhbGciOiJI.eyJz',
    'ghp_0123456789ab',
    'glpat-0123456789ab',
    'sk_live_0123456789ab',
    'AKIA0123456789ABCDEF',
  ];
  expect(`x ${marked.join(' y ')} z`.match(ISSUER_TOKEN_PATTERN)).toEqual(marked);
  expect('ghp_0123456789a sk_other_0123456789ab eyJh.x xghp_0123456789ab'.match(ISSUER_TOKEN_PATTERN)).toBeNull();
});

describe('replaceBodySecrets', () => {
  const hidden = (body: string): string => replaceBodySecrets(body, () => '*').text;

  it.each([
    ['a form', 'user=ada&password=open&n=1', 'user=ada&password=*&n=1'],
    ['a form whose names are encoded', 'user%5Bpassword%5D=a&user%5Bpass%77ord=open', 'user%5Bpassword%5D=a&user%5Bpass%77ord=*'],
    ['what only looks like a form', '<a b="password=c">', '<a b="password=c">'],
    ['JSON', '{"password" : "a\\"b", "user": "ada"}', '{"password" : "*", "user": "ada"}'],
    ['a number in JSON', '{"pin":1234,"n":5678}', '{"pin":*,"n":5678}'],
    ['a short number in JSON', '{"pin":123}', '{"pin":123}'],
    ['a list in JSON', '{"tokens":["a", "b"],"names":["c"]}', '{"tokens":["*", "*"],"names":["c"]}'],
    ['an element', '<s:password type="x">open</s:password><user>ada</user>', '<s:password type="x">*</s:password><user>ada</user>'],
    ['attributes', `<a user="ada" password="open" token='b'/>`, `<a user="ada" password="*" token='*'/>`],
    [
      'a part of a form',
      'name="user"\r\n\r\nada\r\n--x\r\nname="password"\r\n\r\nopen\r\n--x',
      'name="user"\r\n\r\nada\r\n--x\r\nname="password"\r\n\r\n*\r\n--x',
    ],
  ])('hides the secrets of %s', (_what, body, text) => expect(hidden(body)).toBe(text));

  it.each([
    ['password: open', true],
    ["api_key: 'x'", true],
    ['my token=abc', true],
    ['password: {{secret}}', false],
    ['password: null', false],
    ['password: "', false],
    ['compass: north', false],
    ['plain text', false],
  ])('reports whether a secret is left in another form in “%s”: %s', (body, isLeft) => {
    expect(replaceBodySecrets(`see ${body}`, () => '*').isSecretLeft).toBe(isLeft);
  });
});

it('replaceFieldSecrets: hides query fields by name', () => {
  expect(replaceFieldSecrets('?page=2&api_key=open&token=', () => '*')).toBe('?page=2&api_key=*&token=');
});

describe('replaceCommandSecrets', () => {
  const hidden = (line: string): string => replaceCommandSecrets(line, () => '*');

  it.each([
    ['run --password open --user ada', 'run --password * --user ada'],
    ["run --db-token='open' x", "run --db-token='*' x"],
    ['run -pass=open', 'run -pass=*'],
    ['PGPASSWORD=open psql', 'PGPASSWORD=* psql'],
    ['MY_TOKEN="open" run', 'MY_TOKEN="*" run'],
    ['curl -H "Authorization: Bearer open" x', 'curl -H "Authorization: Bearer *" x'],
    ['curl -H "Cookie: a=b" x', 'curl -H "Cookie: *" x'],
    ['curl http://ada:open@host/', 'curl http://ada:*@host/'],
  ])('hides the secrets of: %s', (line, text) => expect(hidden(line)).toBe(text));

  it.each([
    'run --password $SECRET',
    'run --password -x',
    'TOKEN=$OTHER run',
    'curl -H "Authorization: $TOKEN"',
    'curl http://ada:$PW@host/',
    'curl http://ada@host:80/',
    'run --passive 1',
    'run --password {{secret}}',
  ])('leaves %s unchanged', (line) => expect(hidden(line)).toBe(line));
});
