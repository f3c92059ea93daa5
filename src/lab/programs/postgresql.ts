import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Missing } from '#core/base/lab/listing.ts';
import { partFailed, startProgram } from '../supervisor/program.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { findProgram, installCommand } from './find.ts';
import { freePort } from '../freePort.ts';

/** Folder in which Debian puts the server programs, in a separate folder for each version and outside of PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const READY_WITHIN_MS = 20_000;
const ATTEMPTS = 3;
/** Accounts under which root starts PostgreSQL, because PostgreSQL refuses to run as root. */
const UNPRIVILEGED = ['postgres', 'nobody'];

interface Programs {
  readonly server: string;
  readonly initdb: string;
}

export async function findPostgresql(environment: NodeJS.ProcessEnv): Promise<Programs | null> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const folders = versions.sort((left, right) => Number(right) - Number(left)).map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  const server = await findProgram('postgres', environment, folders);
  const initdb = await findProgram('initdb', environment, folders);
  return server !== null && initdb !== null ? { server, initdb } : null;
}

/** Returns what this machine lacks for PostgreSQL. `without` explains what does not work in that case. */
export async function missingPostgresql(environment: NodeJS.ProcessEnv, without: string): Promise<Missing[]> {
  if ((await findPostgresql(environment)) !== null) return [];
  return [{ what: 'PostgreSQL', why: without, install: await installCommand('postgresql', environment), needed: false }];
}

/**
 * Starts PostgreSQL in the directory of the practice server and resolves with the database's address
 * (`postgres://user:password@127.0.0.1:port/postgres`). The data is deleted with the directory, so crash safety is off. Throws
 * `PART_FAILED`.
 */
export async function startPostgresql(supervisor: Supervisor, maxConnections: number): Promise<string> {
  const programs = await findPostgresql(supervisor.environment);
  if (!programs) throw partFailed('PostgreSQL', 'There is none.');
  const directory = join(supervisor.directory, 'postgresql');
  const data = join(directory, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(directory, 'password');
  const user = await findUnprivilegedUser();
  const as = user ? { user } : {};
  await mkdir(directory, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [directory, passwordFile]) await chown(path, user.uid, user.gid);
  const init = await startProgram({
    name: 'initdb',
    file: programs.initdb,
    args: ['-D', data, '-U', 'lab', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--locale=C', '--no-sync'],
    environment: supervisor.environment,
    directory,
    ...as,
  });
  await init.ended;
  if (init.child.exitCode !== 0) throw partFailed('PostgreSQL', init.getOutput().trim());
  await rm(passwordFile);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    let isReady = false;
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: maxConnections,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
    };
    const program = await supervisor.program({
      name: 'PostgreSQL',
      file: programs.server,
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      // Stops quickly, without waiting until all clients have disconnected.
      stopSignal: 'SIGINT',
      isExpectedToEnd: () => !isReady,
      ...as,
    });
    try {
      await program.until((output) => output.includes('database system is ready to accept connections'), READY_WITHIN_MS);
      isReady = true;
      return `postgres://lab:${password}@127.0.0.1:${port}/postgres`;
    } catch (thrown) {
      if (attempt === ATTEMPTS || !program.getOutput().includes('Address already in use')) throw thrown;
    }
  }
}

/**
 * Creates a role without administrator rights, which therefore cannot use the reserved connections. Resolves with the database's address
 * for this role.
 */
export async function addRole(adminUrl: string, name: string): Promise<string> {
  const password = randomBytes(12).toString('hex');
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'; GRANT CREATE ON SCHEMA public TO ${name}`);
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

async function findUnprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of UNPRIVILEGED) {
    const ids = await Promise.all(['-u', '-g'].map((which) => promisify(execFile)('id', [which, name]))).catch(() => null);
    const [uid, gid] = ids?.map(({ stdout }) => Number(stdout)) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw partFailed('PostgreSQL', `It does not run as root, and no user ${UNPRIVILEGED.join(' or ')} exists to run it.`);
}
