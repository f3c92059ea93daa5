import { z } from 'zod';
import { type Host, hostSchema } from '#core/plan/schema/hosts.ts';
import { type HostChange, hostChangeSchema } from '#core/machines/checks/finding.ts';
import { type MeasuredPath, measuredPathSchema } from '#core/machines/checks/path/schema.ts';
import { type SelfTestMachine, type SelfTestReport, selfTestReportSchema } from '#core/measurement/selfTest/report.ts';
import type { BaselineOf } from '#core/comparison/baseline.ts';
import type { SqliteDatabase } from './database.ts';
import { type RunRecord, runRecordSchema, type StoreAccess } from './rows.ts';

/** Reads and writes the table `hosts`. */
export function createHostTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const insert = database.prepare('INSERT INTO hosts (name, host) VALUES (?, ?) ON CONFLICT (name) DO NOTHING');
  const replace = database.prepare('INSERT INTO hosts (name, host) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET host = excluded.host');
  const all = database.prepare('SELECT host FROM hosts ORDER BY name').pluck();
  const one = database.prepare('SELECT host FROM hosts WHERE name = ?').pluck();
  const remove = database.prepare('DELETE FROM hosts WHERE name = ?');

  return {
    /** Returns false if the name exists and must not be replaced. */
    addHost: (host: Host, mayReplace: boolean): boolean =>
      write(() => (mayReplace ? replace : insert).run(host.name, JSON.stringify(host)).changes > 0),
    /** Lists hosts by name. Omits hosts that this version cannot parse. */
    hosts: (): Host[] => read(() => all.all().flatMap((text) => parseHost(text) ?? [])),
    findHost: (name: string): Host | null => read(() => parseHost(one.get(name))),
    removeHost: (name: string): boolean => write(() => remove.run(name).changes > 0),
  };
}

function parseHost(text: unknown): Host | null {
  const json = z.string().safeParse(text);
  return json.success ? (hostSchema.safeParse(JSON.parse(json.data)).data ?? null) : null;
}

const rowSchema = z
  .strictObject({
    id: z.int(),
    host: z.string().nullable(),
    check: z.string(),
    setting: z.string(),
    from: z.string(),
    to: z.string(),
    appliedAt: z.string(),
  })
  .pipe(hostChangeSchema);

/** Reads and writes the table `host_changes`. */
export function createHostChangeTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const columns = `id, host, check_id AS "check", setting, value_before AS "from", value_after AS "to", applied_at AS appliedAt`;
  const insert = database.prepare(
    'INSERT INTO host_changes (host, check_id, setting, value_before, value_after, applied_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const open = database.prepare(`SELECT ${columns} FROM host_changes WHERE reverted_at IS NULL ORDER BY id`);
  const revert = database.prepare('UPDATE host_changes SET reverted_at = ? WHERE id = ? AND reverted_at IS NULL');

  return {
    addHostChange: ({ host, check, setting, from, to, appliedAt }: Omit<HostChange, 'id'>): HostChange => {
      const { lastInsertRowid } = write(() => insert.run(host, check, setting, from, to, appliedAt));
      return { id: Number(lastInsertRowid), host, check, setting, from, to, appliedAt };
    },
    /** Lists changes that have not been reverted yet, in the order in which they were made. */
    openHostChanges: (): HostChange[] => read(() => open.all().map((row) => rowSchema.parse(row))),
    revertHostChange: (id: number, at: string): boolean => write(() => revert.run(at, id).changes > 0),
  };
}

/** Reads and writes the table `paths`. */
export function createPathTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const keep = database.prepare(
    'INSERT INTO paths (place, target, path) VALUES (?, ?, ?) ON CONFLICT (place, target) DO UPDATE SET path = excluded.path',
  );
  const find = database.prepare('SELECT path FROM paths WHERE place = ? AND target = ?').pluck();

  return {
    keepPath: (path: MeasuredPath): void => void write(() => keep.run(path.from, path.to, JSON.stringify(path))),
    /** Returns the last measurement from a host to an origin, or null if there is none or this version cannot read it. */
    findPath(from: string, to: string): MeasuredPath | null {
      const text = z.string().safeParse(read(() => find.get(from, to)));
      return text.success ? (measuredPathSchema.safeParse(JSON.parse(text.data)).data ?? null) : null;
    },
  };
}

const MAX_REPORTS_PER_MACHINE = 20;

/** Reads and writes the table `self_tests`. */
export function createSelfTestTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const insert = database.prepare('INSERT INTO self_tests (machine, at, report) VALUES (?, ?, ?)');
  const prune = database.prepare(`
    DELETE FROM self_tests WHERE machine = @machine AND key NOT IN
      (SELECT key FROM self_tests WHERE machine = @machine ORDER BY key DESC LIMIT ${MAX_REPORTS_PER_MACHINE})`);
  const newest = database.prepare('SELECT report FROM self_tests WHERE machine = ? ORDER BY key DESC LIMIT 1').pluck();

  return {
    addSelfTest(report: SelfTestReport): void {
      const machine = keyOf(report.machine);
      write(() => {
        insert.run(machine, report.at, JSON.stringify(report));
        prune.run({ machine });
      });
    },
    /** Returns the newest report of this machine, or null if there is none or this version cannot read it. */
    lastSelfTest(machine: SelfTestMachine): SelfTestReport | null {
      const text = z.string().safeParse(read(() => newest.get(keyOf(machine))));
      return text.success ? (selfTestReportSchema.safeParse(JSON.parse(text.data)).data ?? null) : null;
    },
  };
}

function keyOf({ hostname, platform, processor, cores, nodeVersion, holdfastVersion }: SelfTestMachine): string {
  return JSON.stringify([hostname, platform, processor, cores, nodeVersion, holdfastVersion]);
}

/** Reads and writes the table `used_rows`: hashes of the used rows of feeds with `order: once`. */
export function createUsedRowTable(database: SqliteDatabase, { read, write, writeAlong }: StoreAccess) {
  const insert = database.prepare('INSERT INTO used_rows (hash, used_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING');
  const one = database.prepare('SELECT 1 FROM used_rows WHERE hash = ?').pluck();
  const remove = database.prepare('DELETE FROM used_rows WHERE hash = ?');
  return {
    add: (hashes: readonly string[]): void =>
      writeAlong(() => {
        for (const hash of hashes) insert.run(hash, new Date().toISOString());
      }),
    among: (hashes: readonly string[]): ReadonlySet<string> => read(() => new Set(hashes.filter((hash) => one.get(hash) !== undefined))),
    remove: (hashes: readonly string[]): void =>
      write(() => {
        for (const hash of hashes) remove.run(hash);
      }),
  };
}

/** Reads and writes the table `agreements`. */
export function createAgreementTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const insert = database.prepare('INSERT INTO agreements (hash, given_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING');
  const one = database.prepare('SELECT 1 FROM agreements WHERE hash = ?').pluck();
  return {
    addAgreement: (hash: string, givenAt: string): void => void write(() => insert.run(hash, givenAt)),
    hasAgreement: (hash: string): boolean => read(() => one.get(hash)) !== undefined,
  };
}

export interface BaselineRecord extends BaselineOf {
  readonly setMs: number;
  readonly runs: readonly RunRecord[];
}

const recordSchema = runRecordSchema.extend({ question: z.string(), is_preset: z.int(), set_ms: z.int() });

/** Reads and writes the table `baselines`. Deleted runs do not count unless they are restored. */
export function createBaselineTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const insert = database.prepare('INSERT INTO baselines VALUES (@question, @isPreset, @target, @run, @setMs)');
  const remove = database.prepare('DELETE FROM baselines WHERE question = @question AND is_preset = @isPreset AND target = @target');
  const columns = `SELECT runs.*, question, is_preset, set_ms FROM baselines JOIN runs ON runs.key = baselines.run WHERE deleted_ms IS NULL`;
  const order = 'ORDER BY set_ms DESC, started_at, key';
  const one = database.prepare(`${columns} AND question = @question AND is_preset = @isPreset AND baselines.target = @target ${order}`);
  const all = database.prepare(`${columns} ${order}`);
  const keyOfBaseline = ({ question, isPreset, target }: BaselineOf) => ({ question, isPreset: isPreset ? 1 : 0, target });
  return {
    /** Sets the runs of a baseline in place of the previous runs. */
    setBaseline: (of: BaselineOf, runs: readonly number[], setMs: number): void =>
      write(() => {
        remove.run(keyOfBaseline(of));
        for (const run of runs) insert.run({ ...keyOfBaseline(of), run, setMs });
      }),
    /** Returns false if there was no baseline. */
    removeBaseline: (of: BaselineOf): boolean => write(() => remove.run(keyOfBaseline(of)).changes > 0),
    findBaseline: (of: BaselineOf): BaselineRecord | null => read(() => groupByBaseline(one.all(keyOfBaseline(of))))[0] ?? null,
    /** Lists baselines, newest first. */
    listBaselines: (): BaselineRecord[] => read(() => groupByBaseline(all.all())),
  };
}

function groupByBaseline(rows: readonly unknown[]): BaselineRecord[] {
  const records = z.array(recordSchema).parse(rows);
  return [...Map.groupBy(records, ({ question, is_preset, target }) => JSON.stringify([question, is_preset, target])).values()].flatMap(
    (runs) => {
      const [first] = runs;
      if (first === undefined) return [];
      return [{ question: first.question, isPreset: first.is_preset === 1, target: first.target, setMs: first.set_ms, runs }];
    },
  );
}
