import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Values } from './options.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

/** The stored registrations. */
export interface Rows {
  /** Stores a person and returns the number of the person's place, or null if all places are taken. */
  register(person: Person): Promise<number | null>;
  /** Returns the number of rows. */
  count(): Promise<number>;
  /** Returns the e-mail address in each row, in the order in which rows were stored. */
  listPeople(): Promise<readonly string[]>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Stores rows in memory. Without the option `race`, a place is checked and a row stored in one synchronous step. */
export function rowsInMemory({ places, race, 'race-ms': raceMs, 'second-form': secondForm }: Values): Rows {
  let people: string[] = [];
  const find = (email: string): number | null => {
    const known = secondForm === 'known' ? people.indexOf(email) : -1;
    return known < 0 ? null : known + 1;
  };
  return {
    async register({ email }) {
      const known = find(email);
      if (known !== null) return known;
      if (people.length >= places) return null;
      if (race) await sleep(raceMs);
      people.push(email);
      return people.length;
    },
    count: () => Promise.resolve(people.length),
    listPeople: () => Promise.resolve(people),
    clear() {
      people = [];
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

const TABLE = `CREATE TABLE registrations (id serial PRIMARY KEY, email text NOT NULL, name text NOT NULL, registered_at timestamptz NOT NULL DEFAULT now())`;
/** Number of connections beyond one for each worker, for example for a monitor. */
export const SPARE_CONNECTIONS = 10;

/** Stores rows in PostgreSQL. Without the option `race`, the table is locked from the check until the end of the transaction. */
export async function rowsInDatabase(connectionString: string, values: Values): Promise<Rows> {
  const { places, race, 'race-ms': raceMs, workers } = values;
  const pool = new Pool({ connectionString, max: workers });
  pool.on('error', () => {});
  await pool.query(TABLE);
  const list = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ email: string }>('SELECT email FROM registrations ORDER BY id');
    return rows.map(({ email }) => email);
  };
  return {
    async register({ name, email }) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        if (!race) await client.query('LOCK TABLE registrations IN EXCLUSIVE MODE');
        const { rows } = await client.query<{ taken: number; known: number | null }>(
          'SELECT count(*)::int AS taken, min(id) FILTER (WHERE email = $1) AS known FROM registrations',
          [email],
        );
        const { taken = 0, known = null } = rows[0] ?? {};
        if (values['second-form'] === 'known' && known !== null) return known;
        if (taken >= places) return null;
        if (race) await sleep(raceMs);
        const storedResult = await client.query<{ id: number }>('INSERT INTO registrations (email, name) VALUES ($1, $2) RETURNING id', [
          email,
          name,
        ]);
        return storedResult.rows[0]?.id ?? null;
      } finally {
        await client.query('COMMIT').then(
          () => client.release(),
          () => client.release(true),
        );
      }
    },
    count: async () => (await list()).length,
    listPeople: list,
    clear: async () => void (await pool.query('TRUNCATE registrations RESTART IDENTITY')),
    close: () => pool.end(),
  };
}
