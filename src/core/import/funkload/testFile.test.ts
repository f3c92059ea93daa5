import { describe, expect, it } from 'vitest';
import { readImported, linesOfNotes, findRefusal } from '../testing/imported.ts';

const CONFIGURATION = `[main]
title=Shop
url=http://shop.example:8080/app
[test_shop]
description=Reads
nb=3
words=red:green
[bench]
cycles=2
duration=5
sleep_time=1
sleep_time_min=.5
sleep_time_max=.5
`;
const HEAD = `# -*- coding: utf-8 -*-
"""A test."""
import unittest
from funkload.FunkLoadTestCase import FunkLoadTestCase
from funkload.utils import Data, extract_token, xmlrpc_get_credential
from webunit.utility import Upload

class Shop(FunkLoadTestCase):
    def setUp(self):
        self.server_url = self.conf_get('main', 'url')

`;
const toTestForm = (...lines: string[]): string =>
  `${HEAD}    def test_shop(self):\n${lines.map((line) => `        ${line}\n`).join('')}\nif __name__ in ('main', '__main__'):\n    unittest.main()\n`;
const made = (...lines: string[]) => readImported(`${CONFIGURATION}\n${toTestForm(...lines)}`);
const stepsOf = (...lines: string[]) => made(...lines).plan.journey;

describe('importFunkload with a test', () => {
  it('reads a test with its configuration in either order: requests, parameters and names', () => {
    const test = toTestForm(
      'server_url = self.server_url',
      "self.get(server_url + '/', description='Home')",
      "self.get('%s/list' % server_url, params=[['q', 'a b'], ['page', 2]], description='List')",
      'self.post(server_url + "/save", {"name": "A&B", "tags": ["x", "y"]}, description="Save")',
      "self.post(server_url + '/api', params=Data('application/json', '{\"a\":1}'))",
    );
    const { plan } = readImported(`${CONFIGURATION}\n${test}`);
    expect(readImported(`${test}\n${CONFIGURATION}`, { kind: 'funkload' }).plan).toEqual(plan);
    expect(plan.name).toBe('Shop');
    expect(plan.targets[0]?.url).toBe('http://shop.example:8080/');
    expect(plan.journey.map(({ name, method, path }) => [name, method, path])).toEqual([
      ['Home', 'GET', '/app/'],
      ['List', 'GET', '/app/list?q=a+b&page=2'],
      ['Save', 'POST', '/app/save'],
      ['POST /app/api', 'POST', '/app/api'],
    ]);
    expect(plan.journey[2]).toMatchObject({
      body: 'name=A%26B&tags=x&tags=y',
      resources: { reads: 'tags' },
      redirects: { follow: true },
      required: true,
    });
    expect(plan.journey[3]).toMatchObject({ json: { a: 1 } });
  });

  it('adds pauses after each page, after the last page of a test, and at sleep calls', () => {
    const [first, second, third] = stepsOf(
      "self.get(self.server_url, description='a')",
      'time.sleep(2)',
      "self.get(self.server_url, description='b')",
      "self.get(self.server_url, description='c')",
    );
    expect(first?.thinkTime).toEqual({ kind: 'fixed', seconds: 2.5 });
    expect(second?.thinkTime).toBeUndefined();
    expect(third?.thinkTime).toEqual({ kind: 'fixed', seconds: 1.5 });
  });

  it('repeats loops with equal requests, and unrolls loops whose requests differ', () => {
    const same = made("for i in range(self.conf_getInt('test_shop', 'nb')):", "    self.get(self.server_url, description='Page')");
    expect(same.plan.journey.map(({ name, thinkTime }) => [name, thinkTime?.kind])).toEqual([
      ['Page', undefined],
      ['Page (2)', 'fixed'],
    ]);
    expect(same.plan.flow).toEqual([{ repeat: 2, flow: ['Page'] }, 'Page (2)']);
    const other = stepsOf(
      "for word in self.conf_getList('test_shop', 'words'):",
      "    self.get(self.server_url + '/' + word)",
      'for i in xrange(2):',
      "    self.get('%s/%02d' % (self.server_url, i))",
    );
    expect(other.map(({ path }) => path)).toEqual(['/app/red', '/app/green', '/app/00', '/app/01']);
  });

  it('follows functions, known branches and arguments that control fetching', () => {
    const steps = readImported(
      `${CONFIGURATION}\n${HEAD}    def read(self, name, times=1):
        for i in range(times):
            self.get(self.server_url + '/' + name, load_auto_links=False)
    def test_shop(self):
        if self.conf_getInt('test_shop', 'nb') > 2:
            self.read('many', times=2)
        else:
            self.read('few')
        self.get(self.server_url, ok_codes=[200, 404], follow_redirect=False)
`,
    ).plan;
    expect(
      steps.journey.map(({ path, resources, expectStatus, redirects }) => [
        path,
        resources !== undefined,
        expectStatus,
        redirects !== undefined,
      ]),
    ).toEqual([
      ['/app/many', false, [200], true],
      ['/app', true, [200, 404], false],
    ]);
    expect(steps.flow).toEqual([{ repeat: 2, flow: ['GET /app/many'] }, 'GET /app']);
  });

  it('captures values from pages, checks them, and logs in with accounts of a file', () => {
    const { plan, notes } = made(
      "self.get(self.server_url + '/login')",
      `token = extract_token(self.getBody(), 'name="csrf" value="', '"')`,
      "login, pwd = xmlrpc_get_credential('localhost', 8007, 'members')",
      "self.post(self.server_url + '/login', params=[['user', login], ['password', pwd], ['csrf', token]])",
      "self.assert_('Welcome ' + login in self.getBody(), 'not logged in')",
      "self.assertTrue('error' not in self.getBody())",
      "self.assertEquals(self.getLastUrl(), 'x')",
      "self.get(self.server_url + '/logout')",
    );
    expect(plan.journey[0]).toMatchObject({
      captures: [{ from: 'between', as: 'token', after: 'name="csrf" value="', before: '"' }],
      redirects: { mayEndAtLogin: true },
    });
    expect(plan.journey[1]).toMatchObject({
      form: { user: '{{accounts.username}}', password: '{{accounts.password}}', csrf: '{{token}}' },
      checks: [
        { kind: 'contains', text: 'Welcome {{accounts.username}}' },
        { kind: 'contains', text: 'error', not: true },
      ],
      redirects: { mayEndAtLogin: false },
    });
    expect(plan.journey[2]?.redirects).toMatchObject({ mayEndAtLogin: true });
    expect(plan.feeds).toMatchObject({ accounts: { file: 'accounts.txt', format: 'credentials' } });
    expect(notes.map(({ kind, location }) => `${kind} ${location}`)).toEqual(['changed line 15', 'leftOut line 19']);
  });

  it('keeps passwords of HTTP logins out of the plan, and sends each header with the requests after it is set', () => {
    const { plan, secrets } = made(
      "self.setBasicAuth('ada', 'love')",
      "self.setHeader('Accept-Language', 'de')",
      "self.get(self.server_url, description='a')",
      'self.clearBasicAuth()',
      "self.setHeader('Accept-Language', None)",
      "self.get(self.server_url, description='b')",
    );
    expect([...secrets.values()]).toEqual(['love']);
    expect(plan.journey.map(({ auth, headers }) => [auth?.user, Object.keys(headers)])).toEqual([
      ['ada', ['Accept-Language']],
      [undefined, []],
    ]);
  });

  it('logs in with values of the configuration and with rows of accounts', () => {
    const configured = readImported(
      `${CONFIGURATION.replace('[bench]', '[shop]\nlogin=ada\npassword=%(login)s-love\n[bench]')}\n${toTestForm(
        "self.setBasicAuth(self.conf_get('shop', 'login'), self.conf_get('shop', 'password'))",
        "self.get(self.server_url, description='a')",
      )}`,
    );
    expect(configured.plan.journey[0]?.auth).toEqual({ user: 'ada', password: '{{password}}' });
    expect([...configured.secrets.values()]).toEqual(['ada-love']);
    const ofRows = stepsOf(
      "login, password = xmlrpc_get_credential('localhost', 8007, 'members')",
      'self.setBasicAuth(login, password)',
      "self.get(self.server_url, description='a')",
    );
    expect(ofRows[0]?.auth).toEqual({ user: '{{accounts.username}}', password: '{{accounts.password}}' });
  });

  it('sends files and generated values', () => {
    const { plan } = made(
      'import random',
      "self.post(self.server_url + '/up', params=[['title', 'x'], ['file', Upload('a.png')]])",
      "self.get('%s/item/%d' % (self.server_url, random.randint(1, 9)))",
      "self.get(self.server_url + '/' + random.choice(['a', 'b']))",
    );
    expect(plan.journey[0]?.multipart).toMatchObject([
      { name: 'title', value: 'x' },
      { name: 'file', file: 'a.png' },
    ]);
    expect(plan.journey.slice(1).map(({ path }) => path)).toEqual(['/app/item/{{number}}', '/app/{{item}}']);
    expect(plan.variables).toMatchObject({ number: { kind: 'integer', from: 1, to: 9 }, item: { of: ['a', 'b'] } });
  });

  it('notes values that are known only in a run, with an alternative', () => {
    const imported = made(
      "self.get(self.server_url, description='a')",
      "href = self.listHref('next')[0]",
      'self.get(self.server_url + href)',
      "if 'x' in self.getBody():",
      "    self.get(self.server_url + '/x')",
      "self.get('http://elsewhere.example/')",
    );
    expect(imported.plan.journey.map(({ path }) => path)).toEqual(['/app', '{{an_address}}', '/app/x']);
    const lines = linesOfNotes(imported);
    expect(
      lines.some((line) => /line \d+: an address: .* Holdfast asks for an_address\. To take it from a response, add a capture/.test(line)),
    ).toBe(true);
    expect(lines.some((line) => line.includes('The plan takes the first branch.'))).toBe(true);
    expect(lines.some((line) => line.includes('elsewhere.example'))).toBe(true);
  });

  it('refuses a test without a server, and reports the line of a syntax error', () => {
    expect(findRefusal(toTestForm('self.get(self.server_url)'))).toEqual(['NO_ADDRESS']);
    expect(findRefusal(`${CONFIGURATION}\n${toTestForm('self.get(self.server_url')}`)).toEqual(['UNREAD_TEST line 15']);
    expect(readImported(toTestForm("self.get('http://shop.example/a')")).plan.journey.map(({ path }) => path)).toEqual(['/a']);
  });

  it('limits its work for any program', () => {
    const endless = ['def test_shop(self):', '    self.test_shop()'];
    expect(findRefusal(`${CONFIGURATION}\n${HEAD}${endless.map((line) => `    ${line}\n`).join('')}`)).toEqual([
      expect.stringContaining('UNREAD_TEST'),
    ]);
    const loops = Array.from({ length: 6 }, (_, depth) => `${'    '.repeat(depth)}for i${depth} in range(1000):`);
    expect(findRefusal(`${CONFIGURATION}\n${toTestForm(...loops, `${'    '.repeat(6)}x = 1`)}`)).toEqual([
      expect.stringContaining('UNREAD_TEST'),
    ]);
    expect(stepsOf('for i in range(900):', "    self.get(self.server_url + '/%d' % i)")).toHaveLength(200);
  });
});
