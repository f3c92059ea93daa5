import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#backend/store/database.ts';
import { MIGRATIONS } from '#backend/store/migrate.ts';
import { DATABASE_NAME } from '#backend/store/store.ts';
import { join } from 'node:path';
import type { KillPoint } from '../killPoint.ts';
import { LATER_COUNT, LATER_MIGRATIONS } from '../laterMigrations.ts';
import type { Trial } from '../trial.ts';
import { ENDS_WITHIN_MS, NO_GRACE_MS } from './commandLine.ts';
import { lacksNothing, type CrashPoint } from './place.ts';

const LONG_RUN = new URL('../scripts/longRun.ts', import.meta.url);
const MIGRATE_STORE = new URL('../scripts/migrateStore.ts', import.meta.url);
const hangs = (isOver: boolean): string[] => (isOver ? [] : ['the victim hangs']);

/**
 * The crash point “store folding”: the process is killed while the old windows of a run of hours are folded. The run is written as fast as
 * the store accepts it.
 */
export const fold: CrashPoint = {
  name: 'store folding',
  weight: 10,
  missing: lacksNothing,
  async strike(trial) {
    if (trial.dice.between(0, 1) < 0.3) {
      const victim = trial.script(LONG_RUN, {});
      while (!victim.getOutput().includes('folding') && victim.child.exitCode === null) await sleep(20);
      await sleep(trial.dice.between(0, 400));
      victim.child.kill('SIGKILL');
      return { where: 'at any instant', graceMs: NO_GRACE_MS, problems: hangs(await victim.ended(ENDS_WITHIN_MS)) };
    }
    const kill: KillPoint = { step: 'fold', moment: trial.dice.pick(['before', 'within', 'after']), nth: trial.dice.integer(1, 40) };
    const isOver = await trial.script(LONG_RUN, {}, { kill }).ended(ENDS_WITHIN_MS);
    return { where: `fold, ${kill.moment}`, graceMs: NO_GRACE_MS, problems: hangs(isOver) };
  },
};

/**
 * The crash point “store migration”: the process is killed while a later version of Holdfast copies and migrates a store in the current
 * format.
 */
export const migration: CrashPoint = {
  name: 'store migration',
  weight: 12,
  missing: lacksNothing,
  async strike(trial) {
    const { dice } = trial;
    const names = makeStore(trial);
    const isRandom = dice.between(0, 1) < 0.3;
    const kill: KillPoint = {
      step: dice.pick(['copy', 'migration', 'migration']),
      moment: dice.pick(['before', 'within', 'after']),
      nth: 1,
    };
    const nth = kill.step === 'migration' ? dice.integer(1, LATER_COUNT) : 1;
    const victim = trial.script(MIGRATE_STORE, {}, isRandom ? {} : { kill: { ...kill, nth } });
    if (isRandom) {
      await sleep(dice.between(50, 700));
      victim.child.kill('SIGKILL');
    }
    const problems = hangs(await victim.ended(ENDS_WITHIN_MS));
    const again = trial.script(MIGRATE_STORE, {});
    if (!(await again.ended(ENDS_WITHIN_MS))) problems.push('the next Holdfast hangs');
    for (const name of names)
      if (!again.getOutput().includes(name)) problems.push(`run ${name} of the old store is gone: ${again.getOutput()}`);
    restoreVersion(trial);
    return { where: isRandom ? 'at any instant' : `${kill.step}, ${kill.moment}`, graceMs: NO_GRACE_MS, problems };
  },
};

/** Creates a store with some finished runs. Returns the names of the runs. */
function makeStore(trial: Trial): string[] {
  const database = openDatabase(join(trial.home, DATABASE_NAME));
  const insert = database.prepare(`
    INSERT INTO runs (id, name, note, preset, target, holdfast_version, started_at, ended_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (@name, @name, '', NULL, '', '0', @at, @at, 'finished', 1, '', '', '', 0)`);
  const details = database.prepare('INSERT INTO run_details (run, plan) VALUES (?, ?)');
  const names = Array.from({ length: 5 }, (_, index) => `old-${index}`);
  const at = new Date(0).toISOString();
  for (const name of names) details.run(insert.run({ name, at }).lastInsertRowid, JSON.stringify(trial.plan()));
  database.close();
  return names;
}

/** Sets the store back to the current version, because the current command line examines it. */
function restoreVersion(trial: Trial): void {
  const database = openDatabase(join(trial.home, DATABASE_NAME), LATER_MIGRATIONS);
  database.pragma(`user_version = ${MIGRATIONS.at(-1)?.version ?? 0}`);
  database.close();
}
