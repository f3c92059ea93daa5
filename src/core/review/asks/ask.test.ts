import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import { listConsentsInFile, askKey, listAsks, isOnlyRead, openAsks, readAskKey } from './ask.ts';
import { ASK_KINDS } from './fields.ts';
import { formatPurposes } from './labels.ts';

const keys = (changes: Partial<PlanInput>): string[] => listAsks({ plan: planWith(changes) }).map(askKey);
const open = (changes: Partial<PlanInput>): string[] => openAsks(listAsks({ plan: planWith(changes) }), []).map(askKey);

describe('askKey and readAskKey', () => {
  it('read a key as it was written, and reject any other text', () => {
    const names = ['shop.example', '[2001:db8::1]', '/home/me/a:b', 'one\ntwo', ':'];
    for (const kind of ASK_KINDS) for (const name of names) expect(readAskKey(askKey({ kind, name }))).toEqual({ kind, name });
    for (const text of ['', 'host', 'host:', 'Host:a', ' host:a', 'hosts:a', 'ask:Password'])
      expect([text, readAskKey(text)]).toEqual([text, null]);
  });
});

describe('listAsks', () => {
  it('lists nothing that needs consent if the load stays on this computer', () => {
    expect(keys({})).toEqual(['host:127.0.0.1']);
    expect(open({})).toEqual([]);
    for (const host of ['localhost', 'shop.localhost', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])
      expect([host, open({ targets: [{ url: `http://${host}/` }] })]).toEqual([host, []]);
  });

  it('finds private and public hosts, including names without a dot', () => {
    const targets = [{ url: 'http://192.168.1.1/' }, { url: 'http://ai/' }, { url: 'https://Shop.Example.org:8443/x' }];
    expect(open({ targets })).toEqual(['host:192.168.1.1', 'host:ai', 'host:shop.example.org']);
    expect(listConsentsInFile(listAsks({ plan: planWith({ targets }) }))).toEqual(['host:192.168.1.1']);
  });

  it('finds hosts of monitors, databases and stored counts, for any kind of monitor', () => {
    expect(
      open({
        monitors: [
          { kind: 'nginx', url: 'http://a.example/status' },
          { kind: 'haproxy', address: 'b.example:9000' },
          { kind: 'haproxy', address: 'https://c.example/stats' },
          { kind: 'redis', address: '10.0.0.5:6379' },
          { kind: 'postgres', connection: 'postgres://u:p@d.example/x' },
          { kind: 'mysql', connection: 'mysql://u:p@[2001:db8::1]:3306/x' },
          { kind: 'prometheus', url: 'http://e.example/metrics', metrics: ['up'] },
          { kind: 'cacheHeaders', url: 'http://f.example/' },
        ],
        stored: [{ name: 'rows', step: 'page', url: 'http://g.example/count' }],
        watch: [{ name: 'jobs', url: 'http://h.example/jobs' }],
      }),
    ).toEqual([
      'host:h.example',
      'host:g.example',
      'host:a.example',
      'host:e.example',
      'host:f.example',
      'host:b.example',
      'host:c.example',
      'host:10.0.0.5',
      'host:d.example',
      'host:[2001:db8::1]',
    ]);
  });

  it('marks a database that is only monitored or counted as read-only and without load', () => {
    const connection = 'postgres://u:p@db.example/x';
    const asks = listAsks({
      plan: planWith({
        targets: [{ url: 'http://shop.example/' }],
        monitors: [
          { kind: 'postgres', connection: { secret: 'env:DATABASE' } },
          { kind: 'postgres', connection },
        ],
        stored: [{ name: 'rows', step: 'page', sql: 'select 1', connection }],
      }),
    });
    expect(asks.map((ask) => [askKey(ask), formatPurposes(ask), isOnlyRead(ask)])).toEqual([
      ['host:shop.example', 'sends load to it', false],
      ['host:db.example', 'counts rows in a database, watches a database (only reads, never writes)', true],
      ['env:DATABASE', 'watches a database (only reads, never writes)', true],
      ['query:select 1', 'counts rows in a database (only reads, never writes)', true],
    ]);
  });

  it('finds the key file that a monitor would send as its password', () => {
    const redis = { kind: 'redis' as const, address: '127.0.0.1:6379', password: { secret: 'file:/home/me/.ssh/id_rsa' } };
    expect(open({ monitors: [redis] })).toEqual(['file:/home/me/.ssh/id_rsa']);
  });

  it('finds targets behind a Unix socket, and the socket', () => {
    const plan = { targets: [{ url: 'http://docker.example/' }], connections: { socketPath: '/var/run/docker.sock' } };
    expect(open(plan)).toEqual(['host:docker.example', 'socket:/var/run/docker.sock']);
    expect(open({ monitors: [{ kind: 'redis', address: '/run/redis.sock' }] })).toEqual(['socket:/run/redis.sock']);
  });

  it('uses the pinned address of a host instead of its name', () => {
    const pinned = (url: string, pin: string) => open({ targets: [{ url }], connections: { resolve: [pin] } });
    expect(pinned('http://localhost/', 'localhost:80:203.0.113.7')).toEqual(['host:203.0.113.7']);
    expect(pinned('http://localhost/', 'localhost:80:[2001:db8::7]')).toEqual(['host:[2001:db8::7]']);
    expect(pinned('http://127.0.0.1/', '127.0.0.1:80:127.0.0.2')).toEqual([]);
  });

  it('finds variables, files and folders of this computer that a step sends', () => {
    expect(
      open({
        variables: { key: { kind: 'secret', secret: 'env:AWS_SECRET_ACCESS_KEY' } },
        journey: [
          { name: 'one', method: 'POST', body: { secret: 'file:/home/me/.ssh/id_rsa' }, headers: { 'X-Key': { secret: 'env:TOKEN' } } },
          {
            name: 'two',
            method: 'POST',
            multipart: [
              { name: 'a', file: '/etc/passwd' },
              { name: 'b', folder: '/home/me' },
            ],
          },
        ],
        targets: [{ url: 'http://127.0.0.1/', cookie: { secret: 'ask:Cookie' } }],
      }),
    ).toEqual(['file:/home/me/.ssh/id_rsa', 'file:/etc/passwd', 'file:/home/me', 'env:TOKEN', 'env:AWS_SECRET_ACCESS_KEY']);
  });

  it('finds queries, commands and load generators', () => {
    const plan = planWith({
      stored: [
        { name: 'rows', step: 'page', sql: 'DELETE FROM users RETURNING 1', connection: 'postgres://u@127.0.0.1/x' },
        { name: 'files', step: 'page', command: 'ls | wc -l' },
      ],
      monitors: [{ kind: 'machine', host: 'web1' }],
    });
    const asks = listAsks({ plan, on: ['here', 'load1'] });
    expect(openAsks(asks, []).map(askKey)).toEqual(['ssh:web1', 'ssh:load1', 'query:DELETE FROM users RETURNING 1', 'command:ls | wc -l']);
    expect(openAsks(asks, asks.map(askKey))).toEqual([]);
  });

  it('finds the host of an absolute path', () => {
    for (const path of [
      'http://oracle.example/x',
      '//oracle.example/x',
      'https://oracle.example/{{answer}}',
      String.raw`\\oracle.example/x`,
    ])
      expect([path, open({ journey: [{ name: 'page', path }] })]).toEqual([path, ['host:oracle.example']]);
    expect(open({ journey: [{ name: 'page', path: '/a/{{b}}' }] })).toEqual([]);
  });
});
