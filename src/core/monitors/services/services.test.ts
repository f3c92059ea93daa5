import { describe, expect, it } from 'vitest';
import { parseHaproxyStat } from './haproxy.ts';
import { MYSQL_QUESTIONS, readMysql } from './mysql.ts';
import { namedValues } from './namedValues.ts';
import { parseNginxStatus } from './nginx.ts';
import { readPostgresql } from './postgresql.ts';
import { parseRedisInfo } from './redis.ts';
import { parseVarnishStat } from './varnish.ts';

const parsers = { nginx: parseNginxStatus, Varnish: parseVarnishStat, Redis: parseRedisInfo, HAProxy: parseHaproxyStat };

describe.each(Object.entries(parsers))('what %s does not say', (_, parse) => {
  it.each([
    '',
    '<html><h1>404 Not Found</h1></html>',
    '{}',
    '[]',
    'null',
    '{"MAIN.uptime":{"value":"x"}}',
    'a:1\nb:2',
    '# pxname\n1',
    '\u0000',
  ])('is not made up: %j', (text) => expect(parse(text)).toBeNull());
});

describe('nginx', () => {
  const text =
    'Active connections: 291 \nserver accepts handled requests\n 16630948 16630940 31070465 \nReading: 6 Writing: 179 Waiting: 106 \n';

  it('tells its connections, and by the difference those that it dropped', () =>
    expect(parseNginxStatus(text, 1_024)).toEqual({
      gauges: { connections: 291, reading: 6, writing: 179, waiting: 106 },
      counters: { accepts: 16_630_948, dropped: 8, requests: 31_070_465 },
      limits: { connections: 1_024 },
    }));

  it('has no limit that nobody told', () => expect(parseNginxStatus(text)?.limits).toEqual({}));
});

describe('Varnish', () => {
  const values = {
    'MAIN.uptime': { value: 5 },
    'MAIN.cache_hit': { value: 7 },
    'MAIN.cache_miss': { value: 3 },
    'MAIN.threads': { value: 200 },
  };

  it.each([
    ['since 6.5', { version: 1, timestamp: '2026-11-22T01:20:08', counters: values }],
    ['before', { timestamp: '2016-11-22T01:20:08', ...values }],
  ])('tells hits, misses and threads in the form %s', (_, written) =>
    expect(parseVarnishStat(JSON.stringify(written), 10_000)).toEqual({
      gauges: { threads: 200 },
      counters: { hits: 7, misses: 3 },
      limits: { threads: 10_000 },
    }),
  );
});

describe('Redis', () => {
  const text = (more: string): string => `# Server\r\nuptime_in_seconds:8\r\n\r\n# Clients\r\nconnected_clients:3\r\n${more}`;

  it('tells clients and memory against their limits', () =>
    expect(
      parseRedisInfo(text('maxclients:10000\r\nused_memory:941640\r\nmaxmemory:2000000\r\nkeyspace_hits:4\r\nused_cpu_sys:1.5')),
    ).toEqual({
      gauges: { clients: 3, memory: 941_640 },
      counters: { hits: 4, 'processor of the system': 1.5 },
      limits: { clients: 10_000, memory: 2_000_000 },
    }));

  it('has no limit where it is 0', () => expect(parseRedisInfo(text('maxmemory:0\r\n'))?.limits).toEqual({}));
});

describe('HAProxy', () => {
  const head =
    '# pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq,dresp,ereq,econ,eresp,wretr,wredis,status,qlimit,lbtot,rtime,last_chk,';

  it('tells queue, sessions and errors of each frontend, backend and server, with the limits that refuse', () => {
    const text = [
      head,
      'web,FRONTEND,,,12,20,1000,40,217,434,0,0,3,,,,,OPEN,,,,,',
      'app,one,4,9,2,2,2,10,1,1,,0,,1,0,3,0,UP,128,10,25,"Layer4 check passed, ""ok""",',
      'app,BACKEND,5,9,2,3,100,11,1,1,0,0,,1,2,6,1,UP,,0,0,,',
      '',
    ].join('\n');
    const { gauges, counters, limits } = parseHaproxyStat(text) ?? { gauges: {}, counters: {}, limits: {} };
    expect(gauges).toEqual({
      'web (frontend) sessions': 12,
      'app/one queue': 4,
      'app/one sessions': 2,
      'app/one response time': 25,
      'app queue': 5,
      'app sessions': 2,
    });
    expect(counters).toMatchObject({
      'web (frontend) request errors': 3,
      'app/one connection errors': 1,
      'app response errors': 2,
      'app retries': 6,
      'app sent to another server': 1,
    });
    expect(limits).toEqual({ 'web (frontend) sessions': 1_000, 'app/one sessions': 2, 'app/one queue': 128 });
  });
});

describe('PostgreSQL', () => {
  it('tells connections by state, and the limit that applications meet', () => {
    const answer = namedValues([
      ['connections active', 3],
      ['connections idle in transaction', '2'],
      ['connections not told', 4n],
      ['waiting for a lock', 1],
      ['longest transaction', '12.5'],
      ['max_connections', 100],
      ['superuser_reserved_connections', 3],
      ['reserved_connections', 5],
      ['commits', '981'],
      ['deadlocks', null],
    ]);
    expect(readPostgresql(answer)).toEqual({
      gauges: {
        connections: 9,
        active: 3,
        idle: 0,
        'idle in transaction': 2,
        'not told': 4,
        'waiting for a lock': 1,
        'longest transaction': 12.5,
      },
      counters: { commits: 981 },
      limits: { connections: 92 },
    });
  });

  it('is not made up from another answer', () => expect(readPostgresql(namedValues([['connections active', 3]]))).toBeNull());
});

describe('MySQL', () => {
  // As MariaDB 10.11 answers, by `mysql --batch --skip-column-names`.
  const rows = 'Aborted_connects\t2\nConnection_errors_max_connections\t7\nThreads_connected\t3\nThreads_running\t1\nmax_connections\t151';

  it('tells its threads against their limit', () =>
    expect(readMysql(namedValues(rows.split('\n').map((row): [unknown, unknown] => [row.split('\t')[0], row.split('\t')[1]])))).toEqual({
      gauges: { connections: 3, running: 1 },
      counters: { 'refused by the limit': 7, 'connections failed': 2 },
      limits: { connections: 151 },
    }));

  it('is not made up from another answer, and asks for what it reads', () => {
    expect(readMysql(namedValues([['max_connections', 151]]))).toBeNull();
    expect(MYSQL_QUESTIONS[0]).toContain("'threads_connected', 'threads_running'");
  });
});
