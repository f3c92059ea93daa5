import type { Connection, RowDataPacket } from 'mysql2/promise';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { MYSQL_CATALOGUE, MYSQL_QUESTIONS, readMysql } from '#core/machines/monitors/services/databases.ts';
import { namedValues } from '#core/machines/monitors/services/reading.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import {
  type MonitorWay,
  type OpenMonitor,
  createPolledSource,
  RESPONSE_TIMEOUT_MS,
  unexpectedProtocol,
  accessRefused,
  unreachable,
} from '../source.ts';
import { type DatabaseAddress, DatabaseStream, addressText, readConnection, requireReading } from './connection.ts';

const SCHEME = {
  what: 'MySQL',
  protocols: ['mysql:', 'mariadb:'],
  port: 3306,
  tls: { option: 'ssl-mode', values: ['disabled', 'preferred', 'required', 'verify_ca', 'verify_identity'] },
};

/** Reads MySQL or MariaDB over one connection that stays open. The reported number of connections includes this one. */
export const openMysql: OpenMonitor<MonitorOf<'mysql'>> = ({ connection }, way) => {
  const address = readConnection(way.secret(connection), SCHEME);
  const place = addressText(address);
  let keptConnection: Connection | null = null;

  async function ensureConnected(): Promise<Connection> {
    if (keptConnection !== null) return keptConnection;
    const client = await connect(address, way);
    // If the connection is lost between two readings, the next reading reconnects.
    client.on('error', () => {
      if (keptConnection === client) keptConnection = null;
    });
    keptConnection = client;
    return client;
  }

  async function read() {
    const rows: [unknown, unknown][] = [];
    try {
      const client = await ensureConnected();
      for (const sql of MYSQL_QUESTIONS) {
        const [response] = await client.query<RowDataPacket[]>({ sql, timeout: RESPONSE_TIMEOUT_MS });
        for (const row of response) rows.push([row['Variable_name'], row['Value']]);
      }
    } catch (thrown) {
      keptConnection?.destroy();
      keptConnection = null;
      throw toProblem(place, thrown);
    }
    const reading = readMysql(namedValues(rows));
    if (reading === null)
      throw unexpectedProtocol('MySQL', place, 'Enter the address of the database itself, not of a proxy’s admin port.');
    return reading;
  }

  return createPolledSource(MYSQL_CATALOGUE, read, { close: () => keptConnection?.destroy(), secrets: [address.password] });
};

/**
 * Runs a statement over a separate read-only connection to MySQL or MariaDB and returns the first value of each row. Throws
 * `SQL_NOT_READING`, and the errors from opening a monitor of the database.
 */
export async function askMysql(connection: string, way: Pick<MonitorWay, 'connect'>, sql: string): Promise<unknown[]> {
  requireReading(sql);
  const address = readConnection(connection, SCHEME);
  let client: Connection | null = null;
  try {
    client = await connect(address, way);
    await client.query({ sql: 'START TRANSACTION READ ONLY', timeout: RESPONSE_TIMEOUT_MS });
    const [rows] = await client.query<RowDataPacket[]>({ sql, timeout: RESPONSE_TIMEOUT_MS });
    return rows.map((row) => Object.values<unknown>(row)[0]);
  } catch (thrown) {
    throw toProblem(addressText(address), thrown);
  } finally {
    client?.destroy();
  }
}

async function connect(address: DatabaseAddress, way: Pick<MonitorWay, 'connect'>): Promise<Connection> {
  // Loaded on demand, because most runs do not monitor MySQL and this loads a hundred files.
  const { createConnection } = await import('mysql2/promise');
  const stream = new DatabaseStream(await way.connect(addressText(address)));
  try {
    return await createConnection({
      host: address.host,
      user: address.user,
      password: address.password,
      ...(address.database === '' ? {} : { database: address.database }),
      ...readTls(address.tls),
      stream: stream,
      connectTimeout: RESPONSE_TIMEOUT_MS,
      // Only one statement at a time, so that no text after a semicolon can end the transaction.
      multipleStatements: false,
      // The client would otherwise generate its row parsers as code at run time.
      disableEval: true,
      connectAttributes: { program_name: 'holdfast monitor' },
    });
  } catch (thrown) {
    stream.destroy();
    throw thrown;
  }
}

/** Maps the TLS modes of MySQL's own programs. PREFERRED means no TLS, because an attacker can strip optional TLS. */
function readTls(mode: string | null): { readonly ssl?: { readonly rejectUnauthorized: boolean } } {
  if (mode === 'verify_identity' || mode === 'verify_ca') return { ssl: { rejectUnauthorized: true } };
  return mode === 'required' ? { ssl: { rejectUnauthorized: false } } : {};
}

function toProblem(place: string, thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const code = codeOf(thrown) ?? '';
  const hints: Readonly<Record<string, string>> = {
    ER_ACCESS_DENIED_ERROR: 'Wrong user name or password, or the user may not connect from this address.',
    ER_HOST_NOT_PRIVILEGED: 'No user may connect from this address. Connect through a host that may (“host”).',
    ER_CON_COUNT_ERROR:
      'All its connections are in use: that is a finding. One more is reserved for users with the right CONNECTION_ADMIN (SUPER before 8.0).',
    ER_BAD_DB_ERROR: 'No such database. Leave it out.',
  };
  const hint = getOwn(hints, code);
  return hint === undefined
    ? unreachable('MySQL', place, thrown)
    : accessRefused('MySQL', place, thrown instanceof Error ? thrown.message : code, hint);
}
