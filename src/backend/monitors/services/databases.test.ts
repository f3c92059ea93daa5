import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { toProblem } from '#core/base/errors.ts';
import { storedSchema } from '#core/plan/schema/populate.ts';
import { collectValues } from '#core/machines/monitors/result.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { hasSshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { findProgram } from '#lab/programs/find.ts';
import { freePort } from '#lab/freePort.ts';
import { findPostgresql, startPostgresql } from '#lab/programs/postgresql.ts';
import { Supervisor } from '#lab/supervisor/supervisor.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { readCount, readList } from '#backend/services/runs/targetCounts.ts';
import { databaseRightsSchema, missingSql, privilegesQuery } from '#core/presets/database.ts';
import { LOCAL_WAY, wayThrough } from '../testing/ways.ts';
import { readConnection } from './connection.ts';
import { openMysql } from './mysql.ts';
import { askPostgres, openPostgres } from './postgres.ts';

let supervisor: Supervisor;
beforeAll(async () => {
  supervisor = await Supervisor.start(testSurroundings(), null);
});
afterAll(() => supervisor.stop());

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((end) => end())));

const hasPostgresql = (await findPostgresql(process.env)) !== null;
const SCHEME = { what: 'PostgreSQL', protocols: ['postgres:'], port: 5432, tls: { option: 'sslmode', values: ['disable', 'require'] } };

describe('readConnection', () => {
  it('reads a connection string with special characters in its password', () =>
    expect(readConnection('postgres://me:p%40ss%2Fw%3Ard@[::1]/db?sslmode=require', SCHEME)).toEqual({
      host: '::1',
      port: 5432,
      user: 'me',
      password: 'p@ss/w:rd',
      database: 'db',
      tls: 'require',
    }));

  it.each([
    'geheim',
    'mysql://me:geheim@db/x',
    'postgres://me:geheim%@db/x',
    'postgres:///geheim',
    'postgres://me:geheim@db/x?sslmode=requre',
  ])('does not repeat an invalid connection string in its error: %s', (text) => {
    const problem = toProblem(findRefusal(() => readConnection(text, SCHEME)));
    expect(problem.code).toBe('MONITOR_CONNECTION');
    expect(JSON.stringify(problem)).not.toContain('geheim');
  });
});

function findRefusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}

describe('openPostgres against a server that a plan names', () => {
  it('does not send environment variables of PostgreSQL clients', async () => {
    const reportedTexts: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        reportedTexts.push(bytes.toString('latin1'));
        // The reply asks for the password in clear text.
        if (reportedTexts.length === 1) socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]));
        else socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const own = {
      PGPASSWORD: 'own-password',
      PGOPTIONS: '-c own=option',
      PGAPPNAME: 'own-name',
      PGUSER: 'own-user',
      PGDATABASE: 'own-database',
    };
    for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const ask = (connection: string) => Promise.resolve().then(() => openPostgres({ kind: 'postgres', connection }, LOCAL_WAY));
    await expect(ask(`postgres://me@127.0.0.1:${port}/x`)).rejects.toThrow('Cannot read');
    expect(reportedTexts.length).toBeGreaterThan(1);
    expect(reportedTexts.join('')).not.toContain('own');
    await expect(ask(`postgres://127.0.0.1:${port}/x`)).rejects.toThrow('names no user');
  });
});

describe.skipIf(!hasPostgresql)('a monitor of PostgreSQL (sudo apt-get install --yes postgresql)', () => {
  let connection = '';
  beforeAll(async () => {
    connection = await startPostgresql(supervisor, 10);
  });

  it("reads the number that a plan's query selects", async () => {
    const read = (sql: string) =>
      readCount(storedSchema.parse({ name: 'rows', step: 'upload', sql, connection }), {
        way: LOCAL_WAY,
        signal: AbortSignal.timeout(30_000),
        clean: (text) => text,
      });
    expect(await read('select count(*) from generate_series(1, 12345)')).toBe(12_345);
    const listed = storedSchema.parse({
      name: 'rows',
      step: 'upload',
      marker: '{{id}}',
      sql: 'select n from generate_series(1, 3) n -- of this test',
      connection,
    });
    const parts = { way: LOCAL_WAY, signal: AbortSignal.timeout(30_000), clean: (text: string) => text };
    expect([await readCount(listed, parts), await readList(listed, parts)]).toEqual([3, ['1', '2', '3']]);
    await expect(read('select 1 from nothing_like_it')).rejects.toMatchObject({
      code: 'MONITOR_REFUSED',
      message: expect.stringContaining('nothing_like_it') as unknown,
      hint: expect.stringContaining('No such table') as unknown,
    });
    const client = await connect();
    await client.query("CREATE TABLE hidden (id int); CREATE ROLE blind LOGIN PASSWORD 'b'");
    const blind = new URL(connection);
    blind.username = 'blind';
    blind.password = 'b';
    const asBlind = storedSchema.parse({ name: 'rows', step: 'upload', sql: 'select count(*) from hidden', connection: blind.href });
    const way = { way: LOCAL_WAY, signal: AbortSignal.timeout(30_000), clean: (text: string) => text };
    await expect(readCount(asBlind, way)).rejects.toMatchObject({ hint: expect.stringContaining('GRANT SELECT') as unknown });
    await expect(read("select 'many'")).rejects.toMatchObject({ code: 'STORED_UNREADABLE' });
  });

  it.each([
    'DELETE FROM kept RETURNING 1',
    'WITH gone AS (DELETE FROM kept RETURNING 1) SELECT count(*) FROM gone',
    'SELECT 1; COMMIT; DELETE FROM kept',
    "SELECT set_config('transaction_read_only', 'off', true); DELETE FROM kept",
    "COPY kept TO PROGRAM 'false'",
    "DO $$ BEGIN EXECUTE 'DELETE FROM kept'; END $$",
    '/* only looks */ (DELETE FROM kept RETURNING 1)',
    'COMMIT',
  ])('rejects every writing statement of a plan: %s', async (sql) => {
    const client = await connect();
    await client.query('CREATE TABLE IF NOT EXISTS kept (n int); DELETE FROM kept; INSERT INTO kept VALUES (1)');
    const way = { way: LOCAL_WAY, signal: AbortSignal.timeout(30_000), clean: (text: string) => text };
    const count = { name: 'rows', step: 'upload', sql, connection };
    await expect(readCount(storedSchema.parse(count), way)).rejects.toThrow();
    const listed = storedSchema.parse({ ...count, marker: '{{id}}' });
    for (const read of [readCount, readList]) await expect(read(listed, way)).rejects.toThrow();
    expect((await client.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 1 }]);
  });

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: connection });
    client.on('error', () => {});
    await client.connect();
    cleanups.push(() => client.end());
    return client;
  }

  it('reports connections by state, with the limit for applications', async () => {
    const source = await openPostgres({ kind: 'postgres', connection: { secret: connection } }, LOCAL_WAY);
    onTestFinished(() => source.close());
    const before = { ...(await source.read()), atMs: 0 };
    await connect();
    const [busy, waits] = [await connect(), await connect()];
    await busy.query('CREATE TABLE IF NOT EXISTS t (n int)');
    await busy.query('BEGIN');
    await busy.query('LOCK TABLE t');
    const locked = waits.query('SELECT * FROM t');
    const read = async () => (await source.read()).gauges['postgres.locked'];
    await expect.poll(read).toBe(1);
    const values = collectValues(before, { ...(await source.read()), atMs: 1_000 }, source.catalogue);
    expect(values).toMatchObject({
      'postgres.connections': 4,
      'postgres.active': 2,
      'postgres.idle': 1,
      'postgres.idleInTransaction': 1,
      'postgres.locked': 1,
    });
    expect(source.limits?.()).toMatchObject([{ chart: 'Connections', value: 7 }]);
    expect(values['postgres.longest']).toBeGreaterThan(0);
    expect(values['postgres.commits']).toBeGreaterThan(0);
    // Besides the monitor, four clients have connected. Each counts once the response to its first query has arrived, or a moment later.
    await expect.poll(async () => (await source.read()).counters['postgres.newConnections']).toBeGreaterThanOrEqual(4);
    await busy.query('COMMIT');
    await locked;
  });

  it("reads what the user's rights allow, and offers SQL that grants the missing rights", async () => {
    const admin = await connect();
    await admin.query('CREATE TABLE IF NOT EXISTS submissions (id int, secret text)');
    await admin.query("DO $$ BEGIN CREATE ROLE looker LOGIN PASSWORD 'x'; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    const counted = { table: 'submissions', column: 'id' };
    const asLooker = connection.replace(/lab:[^@]*@/, 'looker:x@');
    const readRights = async (of: typeof counted) =>
      databaseRightsSchema.parse((await askPostgres(asLooker, LOCAL_WAY, privilegesQuery(of)))[0]);
    const before = await readRights(counted);
    expect(before).toMatchObject({ user: 'looker', seesStates: false, counts: 'forbidden' });
    expect(await readRights({ ...counted, table: 'nothing_such' })).toMatchObject({ counts: 'noTable' });
    await admin.query(missingSql(before, counted));
    const after = await readRights(counted);
    expect(after).toMatchObject({ seesStates: true, counts: 'yes' });
    expect(missingSql(after, counted)).toBe('');
    expect(await askPostgres(asLooker, LOCAL_WAY, 'select count(*) from submissions')).toEqual(['0']);
    await expect(askPostgres(asLooker, LOCAL_WAY, 'select secret from submissions')).rejects.toThrow(/permission denied/);
  });

  it("counts other users' connections although their activity is hidden from the monitor's user", async () => {
    const admin = await connect();
    await admin.query("CREATE ROLE outsider LOGIN PASSWORD 'o'");
    await connect();
    const source = await openPostgres({ kind: 'postgres', connection: connection.replace(/lab:[^@]*@/, 'outsider:o@') }, LOCAL_WAY);
    onTestFinished(() => source.close());
    const { gauges } = await source.read();
    expect(gauges).toMatchObject({ 'postgres.connections': 3, 'postgres.notTold': 2 });
    // A user who may see only their own session reports no connection counts at all, not even zeros.
    for (const unseen of ['active', 'idle', 'idleInTransaction', 'locked', 'longest'])
      expect(gauges).not.toHaveProperty([`postgres.${unseen}`]);
  });

  it('reconnects after the server has ended the connection', async () => {
    const source = await openPostgres({ kind: 'postgres', connection }, LOCAL_WAY);
    onTestFinished(() => source.close());
    const other = await connect();
    await other.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdfast monitor'");
    await expect.poll(async () => (await source.read().catch(() => null))?.gauges['postgres.connections']).toBe(2);
  });

  it('reports a full server, and reports a wrong password without repeating it', async () => {
    await (await connect()).query("DO $$ BEGIN CREATE ROLE app LOGIN PASSWORD 'geheim'; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    const asApp = connection.replace(/lab:[^@]*@/, 'app:geheim@');
    for (let more = 0; more < 6; more += 1) await connect();
    await expect(openPostgres({ kind: 'postgres', connection: asApp }, LOCAL_WAY)).rejects.toMatchObject({
      code: 'MONITOR_REFUSED',
      hint: expect.stringContaining('All its connections are in use'),
    });
    const wrong = await openPostgres({ kind: 'postgres', connection: connection.replace(/lab:[^@]*@/, 'lab:falsch@') }, LOCAL_WAY).catch(
      toProblem,
    );
    expect(wrong).toMatchObject({ code: 'MONITOR_REFUSED', hint: expect.stringContaining('password') });
    expect(JSON.stringify(wrong)).not.toContain('falsch');
  });

  it.skipIf(!hasSshServer)('reaches a hosted database through an SSH host', async () => {
    const server = await startSshServer({ hasNode: false });
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
    const host = await connectTo(server, directory);
    onTestFinished(async () => {
      host.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    });
    const source = await openPostgres({ kind: 'postgres', connection }, wayThrough(host));
    expect((await source.read()).gauges).toMatchObject({ 'postgres.connections': 1, 'postgres.active': 1 });
    source.close();
  });
});

const mariadb = await findProgram('mariadbd', process.env);
const install = await findProgram('mariadb-install-db', process.env);
// MariaDB is too large to install for this test alone, so the test is skipped without it (sudo apt-get install --yes mariadb-server). A
// recorded response of MariaDB is tested in src/core.
if (mariadb !== null && install !== null)
  describe('a monitor of MySQL', () => {
    it('reports connections against their limit, and refused connections', { timeout: 60_000 }, async () => {
      const data = join(supervisor.directory, 'mariadb');
      mkdirSync(data);
      const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
      execFileSync(install, [
        '--no-defaults',
        `--datadir=${data}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...asRoot,
      ]);
      const port = await freePort();
      const socket = join(supervisor.directory, 'mariadb.sock');
      const where = [`--datadir=${data}`, `--socket=${socket}`, '--bind-address=127.0.0.1', `--port=${port}`, '--pid-file=mariadb.pid'];
      const program = await supervisor.program({
        name: 'MariaDB',
        file: mariadb,
        args: ['--no-defaults', ...where, '--max-connections=10', ...asRoot],
      });
      await program.until((output) => output.includes('ready for connections'), 30_000);
      const connect = async (password = '') => {
        const client = await createConnection({ host: '127.0.0.1', port, user: password === '' ? 'root' : 'app', password });
        cleanups.push(() => client.end());
        return client;
      };
      await (await connect()).query("CREATE USER app@'%' IDENTIFIED BY 'ge:he@im'");
      const connection = `mysql://app:ge%3Ahe%40im@127.0.0.1:${port}`;
      const listed = storedSchema.parse({
        name: 'rows',
        step: 'upload',
        marker: '{{id}}',
        sql: "select 'a' as id union all select 'b'",
        connection,
      });
      const parts = { way: LOCAL_WAY, signal: AbortSignal.timeout(30_000), clean: (text: string) => text };
      expect([await readCount(listed, parts), await readList(listed, parts)]).toEqual([2, ['a', 'b']]);
      const source = await openMysql({ kind: 'mysql', connection }, LOCAL_WAY);
      onTestFinished(() => source.close());
      const before = { ...(await source.read()), atMs: 0 };
      for (let more = 0; more < 8; more += 1) await connect('ge:he@im');
      await expect(connect('ge:he@im')).rejects.toMatchObject({ code: 'ER_CON_COUNT_ERROR' });
      const values = collectValues(before, { ...(await source.read()), atMs: 1_000 }, source.catalogue);
      // MariaDB counts clients that it refuses after the login as failed connections.
      expect(values).toMatchObject({ 'mysql.connections': 10, 'mysql.failed': 1 });
      expect(source.limits?.()).toEqual([{ chart: 'Connections', value: 10, words: 'max_connections' }]);
      await expect(openMysql({ kind: 'mysql', connection }, LOCAL_WAY)).rejects.toMatchObject({
        hint: expect.stringContaining('All its connections are in use'),
      });
      await Promise.all(cleanups.splice(0, 3).map((end) => end()));
      const wrong = await openMysql({ kind: 'mysql', connection: connection.replace('ge%3Ahe%40im', 'falsch') }, LOCAL_WAY).catch(
        toProblem,
      );
      expect(wrong).toMatchObject({ code: 'MONITOR_REFUSED', hint: expect.stringContaining('password') });
      expect(JSON.stringify(wrong)).not.toContain('falsch');
    });
  });
