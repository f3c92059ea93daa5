import { z } from 'zod';
import { selfTestReportSchema, type SelfTestMachine, type SelfTestReport } from '#core/measurement/selfTest/report.ts';
import type { SqliteDatabase } from './database.ts';

/** Enough to look back at; more would only grow. */
const KEPT_PER_MACHINE = 20;

/** Reading and writing the table `self_tests`. */
export function createSelfTestTable(database: SqliteDatabase) {
  const insert = database.prepare('INSERT INTO self_tests (machine, at, report) VALUES (?, ?, ?)');
  const prune = database.prepare(`
    DELETE FROM self_tests WHERE machine = @machine AND key NOT IN
      (SELECT key FROM self_tests WHERE machine = @machine ORDER BY key DESC LIMIT ${KEPT_PER_MACHINE})`);
  const newest = database.prepare('SELECT report FROM self_tests WHERE machine = ? ORDER BY key DESC LIMIT 1').pluck();

  return {
    add(report: SelfTestReport): void {
      const machine = keyOf(report.machine);
      insert.run(machine, report.at, JSON.stringify(report));
      prune.run({ machine });
    },
    /** The newest of this machine; null when there is none, or one that this version does not read. */
    last(machine: SelfTestMachine): SelfTestReport | null {
      const text = z.string().safeParse(newest.get(keyOf(machine)));
      return text.success ? (selfTestReportSchema.safeParse(JSON.parse(text.data)).data ?? null) : null;
    },
  };
}

function keyOf({ hostname, platform, processor, cores, nodeVersion, holdfastVersion }: SelfTestMachine): string {
  return JSON.stringify([hostname, platform, processor, cores, nodeVersion, holdfastVersion]);
}
