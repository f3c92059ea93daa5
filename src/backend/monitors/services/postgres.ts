import type { Client } from 'pg';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { namedValues } from '#core/machines/monitors/services/reading.ts';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { POSTGRES_CATALOGUE, POSTGRES_QUERY, readPostgres } from '#core/machines/monitors/services/databases.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import {
  type MonitorWay,
  type OpenMonitor,
  createPolledSource,
  withoutSecrets,
  RESPONSE_TIMEOUT_MS,
  unexpectedProtocol,
  accessRefused,
  unreachable,
  OTHER_CREDENTIALS,
} from '../source.ts';
import { type DatabaseAddress, DatabaseStream, addressText, readConnection, requireReading } from './connection.ts';

const SCHEME = {
  what: 'PostgreSQL',
  protocols: ['postgres:', 'postgresql:'],
  port: 5432,
  needsUser: true,
  tls: { option: 'sslmode', values: ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] },
};

/** Reads PostgreSQL over one connection that stays open. The reported connections include this one, as idle or active. */
export const openPostgres: OpenMonitor<MonitorOf<'postgres'>> = ({ connection }, way) => {
  const address = readConnection(way.secret(connection), SCHEME);
  const place = addressText(address);
  let keptClient: Client | null = null;

  async function ensureConnected(): Promise<Client> {
    if (keptClient !== null) return keptClient;
    const client = await connect(address, way);
    // If the connection is lost between two readings, the next reading reconnects.
    const forget = (): void => {
      if (keptClient === client) keptClient = null;
    };
    client.on('error', forget).on('end', forget);
    keptClient = client;
    return client;
  }

  async function read() {
    let rows: readonly (readonly [unknown, unknown])[];
    try {
      const client = await ensureConnected();
      ({ rows } = await client.query<[unknown, unknown]>({ text: POSTGRES_QUERY, rowMode: 'array' }));
    } catch (thrown) {
      void keptClient?.end().catch(() => {});
      keptClient = null;
      throw toProblem(place, thrown);
    }
    const reading = readPostgres(namedValues(rows));
    if (reading === null)
      throw unexpectedProtocol(
        'PostgreSQL',
        place,
        'Probably this is the console of a pooler such as PgBouncer. Enter the address of the database itself.',
      );
    return reading;
  }

  return createPolledSource(POSTGRES_CATALOGUE, read, { close: () => void keptClient?.end().catch(() => {}), secrets: [address.password] });
};

/**
 * Runs a statement over a separate read-only connection to PostgreSQL and returns the first value of each row. Throws `SQL_NOT_READING`,
 * and the errors from opening a monitor of the database.
 */
export async function askPostgres(connection: string, way: Pick<MonitorWay, 'connect'>, sql: string): Promise<unknown[]> {
  requireReading(sql);
  const address = readConnection(connection, SCHEME);
  let client: Client | null = null;
  try {
    client = await connect(address, way);
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${RESPONSE_TIMEOUT_MS}`);
    // A named query is prepared, and only a single statement can be prepared. Therefore no text after a semicolon can end the transaction.
    const { rows } = await client.query<unknown[]>({ name: 'asked', text: sql, rowMode: 'array' });
    return rows.map((row) => row[0]);
  } catch (thrown) {
    throw withoutSecrets(toProblem(addressText(address), thrown), [address.password]);
  } finally {
    await client?.end().catch(() => {});
  }
}

async function connect(address: DatabaseAddress, way: Pick<MonitorWay, 'connect'>): Promise<Client> {
  // Loaded on demand, because most runs do not monitor PostgreSQL.
  const pg = await import('pg');
  const stream = new DatabaseStream(await way.connect(addressText(address)));
  const client = withoutOwnSettings(
    () =>
      new pg.Client({
        host: address.host,
        port: address.port,
        user: address.user,
        // A function even for an empty password, because otherwise the client would look for a password in ~/.pgpass.
        password: () => address.password,
        database: address.database || address.user,
        ssl: toSslOption(address.tls),
        stream: () => stream,
        application_name: 'holdfast monitor',
        connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
        query_timeout: RESPONSE_TIMEOUT_MS,
      }),
  );
  // An error while connecting is reported twice: by this event and by `connect`.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (thrown) {
    stream.destroy();
    throw thrown;
  }
}

/**
 * Makes a client while the PG* environment variables are hidden. Otherwise the client would read missing options from PGPASSWORD, PGOPTIONS
 * and others, and send them to a server that a plan names.
 */
function withoutOwnSettings(make: () => Client): Client {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith('PG'));
  for (const [name] of own) Reflect.deleteProperty(process.env, name);
  try {
    return make();
  } finally {
    for (const [name, value] of own) setOwn(process.env, name, value);
  }
}

/** Maps the TLS modes of libpq. `prefer` and `allow` mean no TLS, because an attacker can strip optional TLS. */
function toSslOption(mode: string | null): boolean | { readonly rejectUnauthorized: boolean } {
  if (mode === 'verify-full' || mode === 'verify-ca') return true;
  return mode === 'require' ? { rejectUnauthorized: false } : false;
}

function toProblem(place: string, thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const code = codeOf(thrown) ?? '';
  const hints: Readonly<Record<string, string>> = {
    '28P01': OTHER_CREDENTIALS,
    '28000': 'No line of pg_hba.conf allows this user from here. Some databases require ?sslmode=require.',
    '53300':
      'All its connections are in use: that is a finding. To reserve one for the monitor, use a user with the role pg_use_reserved_connections.',
    '42501': 'Its user lacks permission. Let the owner GRANT SELECT on the table, or on one of its columns, to that user.',
    '42P01': 'No such table in this database, or it is in a schema that must be named.',
    '3D000': 'No such database. Every user can connect to “postgres”.',
  };
  const hint = getOwn(hints, code);
  return hint === undefined
    ? unreachable('PostgreSQL', place, thrown)
    : accessRefused('PostgreSQL', place, thrown instanceof Error ? thrown.message : code, hint);
}
