import { describe, expect, it } from 'vitest';
import { HAPROXY_CATALOGUE, MAX_INSTANCES, parseHaproxy, NGINX_CATALOGUE, parseNginx, parseVarnish, VARNISH_CATALOGUE } from './proxies.ts';
import { MYSQL_CATALOGUE, MYSQL_QUESTIONS, readMysql, POSTGRES_CATALOGUE, readPostgres, parseRedis, REDIS_CATALOGUE } from './databases.ts';
import { readLimits, namedValues } from './reading.ts';

const parsers = { nginx: parseNginx, Varnish: parseVarnish, Redis: parseRedis, HAProxy: parseHaproxy };

describe('service catalogues', () => {
  const catalogues = [NGINX_CATALOGUE, VARNISH_CATALOGUE, REDIS_CATALOGUE, HAPROXY_CATALOGUE, POSTGRES_CATALOGUE, MYSQL_CATALOGUE];
  it.each(catalogues)(
    'have unique ids, existing limits and shares, and one unit per chart: %s',
    ({ quantities, shares = [], limits = [] }) => {
      const ids = [...quantities, ...limits].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(shares.flatMap(({ id, part, whole }) => [id, ...part, ...whole]).filter((id) => !ids.includes(id))).toEqual([]);
      const charts = new Set(quantities.map(({ chart }) => chart));
      expect(limits.filter(({ chart }) => !charts.has(chart))).toEqual([]);
      expect(new Set([...quantities, ...limits].map(({ chart, unit }) => `${chart} ${unit}`)).size).toBe(charts.size);
    },
  );

  it('draw limits as lines, unless there are too many', () => {
    expect(readLimits(NGINX_CATALOGUE, { 'nginx.connections': 3, 'nginx.limit': 512 })).toEqual([
      { chart: 'Connections', value: 512, words: 'worker_connections of all workers' },
    ]);
    expect(readLimits(HAPROXY_CATALOGUE, { 'haproxy.mostSessions:app/one': 2 })).toEqual([
      { chart: 'Sessions', value: 2, words: 'maxconn of app/one', instance: 'app/one' },
    ]);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`haproxy.mostSessions:app/${index}`, 2]));
    expect(readLimits(HAPROXY_CATALOGUE, many)).toEqual([]);
  });
});

describe.each(Object.entries(parsers))('missing values of %s', (_, parse) => {
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
  ])('are not made up: %j', (text) => expect(parse(text)).toBeNull());
});

describe('nginx', () => {
  const text =
    'Active connections: 291 \nserver accepts handled requests\n 16630948 16630940 31070465 \nReading: 6 Writing: 179 Waiting: 106 \n';

  it('reports connections and calculates dropped ones', () =>
    expect(parseNginx(text, 1_024)).toEqual({
      gauges: { 'nginx.connections': 291, 'nginx.reading': 6, 'nginx.writing': 179, 'nginx.waiting': 106, 'nginx.limit': 1_024 },
      counters: { 'nginx.accepts': 16_630_948, 'nginx.dropped': 8, 'nginx.requests': 31_070_465 },
    }));

  it('has no limit unless one is given', () => expect(parseNginx(text)?.gauges).not.toHaveProperty('nginx.limit'));
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
  ])('reads hits, misses and threads in the form of %s', (_, written) =>
    expect(parseVarnish(JSON.stringify(written), 10_000)).toEqual({
      gauges: { 'varnish.threads': 200, 'varnish.limit': 10_000 },
      counters: { 'varnish.hits': 7, 'varnish.misses': 3 },
    }),
  );
});

describe('Redis', () => {
  const text = (more: string): string => `# Server\r\nuptime_in_seconds:8\r\n\r\n# Clients\r\nconnected_clients:3\r\n${more}`;

  it('reports clients and memory with their limits', () =>
    expect(parseRedis(text('maxclients:10000\r\nused_memory:941640\r\nmaxmemory:2000000\r\nkeyspace_hits:4\r\nused_cpu_sys:1.5'))).toEqual({
      gauges: { 'redis.clients': 3, 'redis.mostClients': 10_000, 'redis.memory': 941_640, 'redis.mostMemory': 2_000_000 },
      counters: { 'redis.hits': 4, 'redis.system': 1.5 },
    }));

  it('has no limit if it is 0', () => expect(parseRedis(text('maxmemory:0\r\n'))?.gauges).toEqual({ 'redis.clients': 3 }));
});

describe('HAProxy', () => {
  const head =
    '# pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq,dresp,ereq,econ,eresp,wretr,wredis,status,qlimit,lbtot,rtime,last_chk,';

  it('reports queue, sessions and errors of each frontend, backend and server, with the limits that refuse connections', () => {
    const text = [
      head,
      'web,FRONTEND,,,12,20,1000,40,217,434,0,0,3,,,,,OPEN,,,,,',
      'app,one,4,9,2,2,2,10,1,1,,0,,1,0,3,0,UP,128,10,25,"Layer4 check passed, ""ok""",',
      'app,BACKEND,5,9,2,3,100,11,1,1,0,0,,1,2,6,1,UP,,0,0,,',
      '',
    ].join('\n');
    const { gauges, counters } = parseHaproxy(text) ?? { gauges: {}, counters: {} };
    expect(gauges).toEqual({
      'haproxy.sessions:web (in)': 12,
      'haproxy.mostSessions:web (in)': 1_000,
      'haproxy.queue:app/one': 4,
      'haproxy.mostQueue:app/one': 128,
      'haproxy.sessions:app/one': 2,
      'haproxy.mostSessions:app/one': 2,
      'haproxy.answerTime:app/one': 25,
      'haproxy.queue:app': 5,
      'haproxy.sessions:app': 2,
    });
    expect(counters).toMatchObject({
      'haproxy.requestErrors:web (in)': 3,
      'haproxy.connectionErrors:app/one': 1,
      'haproxy.answerErrors:app': 2,
      'haproxy.retries:app': 6,
      'haproxy.redispatches:app': 1,
    });
  });

  it('limits the number of proxies and the length of names', () => {
    const proxies = Array.from({ length: 2 * MAX_INSTANCES }, (_, index) => `app${index},BACKEND,3,9`);
    const { gauges } = parseHaproxy([head, `${'x'.repeat(300)},BACKEND,3,9`, ...proxies].join('\n')) ?? { gauges: {} };
    expect(Object.keys(gauges).filter((key) => key.startsWith('haproxy.queue:'))).toHaveLength(MAX_INSTANCES - 1);
  });

  it('reads a text with 20,000 columns and 50,000 rows', () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => `column${index}`);
    const { gauges } = parseHaproxy(
      [`${head},${columns.join(',')}`, ...Array.from({ length: 50_000 }, () => 'a,b'), 'app,BACKEND,3'].join('\n'),
    ) ?? { gauges: {} };
    expect(gauges).toEqual({ 'haproxy.queue:app': 3 });
  });

  it('reports only the backend if it has hundreds of servers', () => {
    const servers = Array.from({ length: 200 }, (_, index) => `app,shard${index},0,0,1,1,,1`);
    const { gauges } = parseHaproxy([head, ...servers, 'app,BACKEND,3,9,200,3,100,11'].join('\n')) ?? { gauges: {} };
    expect(gauges).toEqual({ 'haproxy.queue:app': 3, 'haproxy.sessions:app': 200 });
  });
});

describe('PostgreSQL', () => {
  it('reports connections by state and the limit for applications', () => {
    const response = namedValues([
      ['connections active', 3],
      ['connections idle in transaction', '2'],
      ['connections not visible', 4n],
      ['waiting for a lock', 1],
      ['longest transaction', '12.5'],
      ['max_connections', 100],
      ['superuser_reserved_connections', 3],
      ['reserved_connections', 5],
      ['commits', '981'],
      ['sessions', 44],
      ['deadlocks', null],
    ]);
    expect(readPostgres(response)).toEqual({
      gauges: {
        'postgres.connections': 9,
        'postgres.active': 3,
        'postgres.idle': 0,
        'postgres.idleInTransaction': 2,
        'postgres.notTold': 4,
        'postgres.locked': 1,
        'postgres.longest': 12.5,
        'postgres.mostConnections': 92,
      },
      counters: { 'postgres.commits': 981, 'postgres.newConnections': 44 },
    });
  });

  it('returns null for other rows', () => expect(readPostgres(namedValues([['connections active', 3]]))).toBeNull());
});

describe('MySQL', () => {
  // The text is output of `mysql --batch --skip-column-names` of MariaDB 10.11.
  const rows = 'Aborted_connects\t2\nConnection_errors_max_connections\t7\nThreads_connected\t3\nThreads_running\t1\nmax_connections\t151';

  it('reports threads with their limit', () =>
    expect(readMysql(namedValues(rows.split('\n').map((row): [unknown, unknown] => [row.split('\t')[0], row.split('\t')[1]])))).toEqual({
      gauges: { 'mysql.connections': 3, 'mysql.running': 1, 'mysql.mostConnections': 151 },
      counters: { 'mysql.refused': 7, 'mysql.failed': 2 },
    }));

  it('returns null for other rows, and its queries name all values', () => {
    expect(readMysql(namedValues([['max_connections', 151]]))).toBeNull();
    expect(MYSQL_QUESTIONS[0]).toContain("'threads_connected', 'threads_running'");
  });
});
