import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import { findPostgresql, startPostgresql } from '#lab/programs/postgresql.ts';
import { Supervisor } from '#lab/supervisor/supervisor.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';

let test: TestBackend;
beforeAll(async () => {
  test = await startTestBackend();
});
afterAll(() => test.close());

/** Returns the finding about the databases that a plan monitors. */
async function checkRights(...connections: (string | { secret: string })[]) {
  const plan = planFor('http://127.0.0.1:1/', { monitors: connections.map((connection) => ({ kind: 'postgres', connection })) });
  const findings = await test.client.call('checks.machine', { plan, agreed: listAsks({ plan }).map(askKey) });
  return findings.find(({ id }) => id === 'databaseRights');
}

describe('a monitored database', () => {
  it('is not connected to before the user has agreed, or for a plan that does not monitor it', async () => {
    expect(await checkRights()).toBeUndefined();
    const plan = planFor('http://127.0.0.1:1/', { monitors: [{ kind: 'postgres', connection: 'postgres://me:x@db.example.org/x' }] });
    const findings = await test.stranger.call('checks.machine', { plan });
    expect(findings.map(({ id }) => id)).not.toContain('databaseRights');
  });

  it('is reported as a problem before the run if the login fails', async () => {
    expect(await checkRights('postgres://me:geheim@127.0.0.1:1/x')).toMatchObject({
      level: 'problem',
      title: expect.stringContaining('127.0.0.1:1'),
      remedy: { text: expect.stringMatching(/\w/) },
    });
  });

  it('has unknown rights before the run if the user enters the address only when the run starts', async () => {
    expect(await checkRights({ secret: 'ask:database' })).toMatchObject({
      level: 'unknown',
      evidence: expect.stringContaining('entered when the run starts'),
    });
  });

  it('never has its password shown, whatever its server sends', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        const fields = Buffer.from('SFATAL\0C28P01\0Mno entry with geheim\0\0');
        const length = Buffer.alloc(4);
        length.writeUInt32BE(fields.length + 4);
        socket.end(Buffer.concat([Buffer.from('E'), length, fields]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const finding = await checkRights(`postgres://me:geheim@127.0.0.1:${port}/x`);
    expect(finding).toMatchObject({ level: 'problem', title: expect.stringContaining('no entry with') });
    expect(JSON.stringify(finding)).not.toContain('geheim');
  });
});

describe.skipIf((await findPostgresql(process.env)) === null)('monitoring rights (sudo apt-get install --yes postgresql)', () => {
  let supervisor: Supervisor;
  let admin: Client;
  let as: (user: string) => string;
  beforeAll(async () => {
    supervisor = await Supervisor.start(testSurroundings(), null);
    const connection = await startPostgresql(supervisor, 20);
    as = (user) => connection.replace(/lab:[^@]*@/, `${user}:x@`);
    admin = new Client({ connectionString: connection });
    admin.on('error', () => {});
    await admin.connect();
    await admin.query("CREATE ROLE looker LOGIN PASSWORD 'x'; CREATE ROLE app LOGIN PASSWORD 'x'");
  });
  afterAll(async () => {
    await admin.end();
    await supervisor.stop();
  });

  it('are reported if other connections are hidden from the user, and the suggested SQL grants the missing right', async () => {
    const before = await checkRights({ secret: await keepSecret(as('looker')) });
    expect(before).toMatchObject({
      level: 'warning',
      title: 'PostgreSQL hides the state of other roles’ connections from “looker”',
      evidence: 'Hidden now: 1 of 1 other connections.',
      remedy: { command: 'GRANT pg_read_all_stats TO "looker";', undo: 'REVOKE pg_read_all_stats FROM "looker";' },
    });
    await admin.query(before?.remedy?.command ?? '');
    expect(await checkRights(as('looker'))).toMatchObject({ level: 'ok', remedy: null });
    await admin.query(before?.remedy?.undo ?? '');
    await admin.query('GRANT pg_monitor TO looker');
    expect(await checkRights(as('looker'))).toMatchObject({
      level: 'ok',
      evidence: 'PostgreSQL: “looker” sees the connections of all roles.',
    });
  });

  it('are reported with the name of the database if there are several', async () => {
    expect(await checkRights(as('looker'), as('app'))).toMatchObject({
      level: 'warning',
      remedy: { command: 'GRANT pg_read_all_stats TO "app";' },
    });
  });

  const keepSecret = async (value: string): Promise<string> => (await test.client.call('secrets.keep', { value })).secret;
});
