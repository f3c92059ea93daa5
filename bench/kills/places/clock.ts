import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeStandIn } from '#engine/k6/testing/standIn.ts';
import { ENDS_WITHIN_MS, NO_GRACE_MS } from './commandLine.ts';
import type { KillResult, CrashPoint } from './place.ts';

const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`);

/**
 * The crash point “clock”: the machine's clock is set forward or back by a day during a run. k6 uses this clock for the timestamps of its
 * samples.
 */
export const clock: CrashPoint = {
  name: 'clock',
  weight: 5,
  missing: () => (FAKETIME.some((path) => existsSync(path)) ? null : 'It takes libfaketime.'),
  async strike(trial): Promise<KillResult> {
    const { dice } = trial;
    const jump = dice.pick(['+1d', '-1d']);
    const isK6 = dice.between(0, 1) < 0.5;
    const setting = join(trial.folder, 'clock');
    await writeFile(setting, '+0');
    const standIn = isK6 ? await makeStandIn({ journeys: 100, perSecond: 50 }) : null;
    const environment = {
      LD_PRELOAD: FAKETIME.find((path) => existsSync(path)),
      FAKETIME_TIMESTAMP_FILE: setting,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      ...(standIn === null ? {} : { PATH: `${standIn.folder}${delimiter}${process.env['PATH'] ?? ''}` }),
    };
    try {
      const plan = await trial.writePlan(isK6 ? { engine: 'k6' } : {});
      const victim = trial.cli(['run', plan], { environment });
      if (isK6)
        while (!victim.getOutput().includes('k6:') && victim.child.exitCode === null && victim.child.signalCode === null) await sleep(50);
      else await trial.target.waitForRequest(trial.name, ENDS_WITHIN_MS / 2);
      await sleep(dice.between(0, 1_500));
      await writeFile(setting, jump);
      await utimes(setting, 0, 0);
      const problems = (await victim.ended(ENDS_WITHIN_MS)) ? [] : ['the victim hangs'];
      if (!/^Run \S+ · finished/m.test(victim.getOutput())) problems.push(`it did not finish: ${victim.getOutput().slice(-400)}`);
      return { where: `${jump}, ${isK6 ? 'k6' : 'own engine'}`, graceMs: NO_GRACE_MS, problems };
    } finally {
      await standIn?.remove();
    }
  },
};
