import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selfTestReportWith } from '#core/testing/selfTests.ts';
import { schema } from './migrations/0018-schema.ts';
import { createSelfTestTable } from './machineTables.ts';
import type { StoreAccess } from './rows.ts';

const ACCESS: StoreAccess = { read: (work) => work(), write: (work) => work(), writeAlong: (work) => work() };

describe('createSelfTestTable', () => {
  let database: Database.Database;
  beforeEach(() => {
    database = new Database(':memory:');
    schema.up(database);
  });
  afterEach(() => database.close());

  it('returns the newest report of the same machine and version', () => {
    const table = createSelfTestTable(database, ACCESS);
    const earlier = selfTestReportWith({ seconds: 1 });
    const later = selfTestReportWith({ seconds: 2 });
    table.addSelfTest(earlier);
    table.addSelfTest(later);
    expect(table.lastSelfTest(later.machine)).toEqual(later);
    for (const change of [{ hostname: 'lap' }, { cores: 4 }, { nodeVersion: 'v25.0.0' }, { holdfastVersion: '1' }])
      expect(table.lastSelfTest({ ...later.machine, ...change }), JSON.stringify(change)).toBeNull();
  });

  it('keeps a limited number of reports per machine', () => {
    const table = createSelfTestTable(database, ACCESS);
    const other = selfTestReportWith({ machine: { ...selfTestReportWith().machine, hostname: 'lap' } });
    table.addSelfTest(other);
    for (let number = 1; number <= 30; number += 1) table.addSelfTest(selfTestReportWith({ seconds: number }));
    expect(database.prepare('SELECT count(*) FROM self_tests').pluck().get()).toBe(21);
    expect(table.lastSelfTest(selfTestReportWith().machine)?.seconds).toBe(30);
    expect(table.lastSelfTest(other.machine)).toEqual(other);
  });

  it('ignores reports that cannot be parsed', () => {
    const table = createSelfTestTable(database, ACCESS);
    const { machine } = selfTestReportWith();
    table.addSelfTest(selfTestReportWith());
    database.prepare('UPDATE self_tests SET report = \'{"schema":"holdfast.selftest/9"}\'').run();
    expect(table.lastSelfTest(machine)).toBeNull();
  });
});
