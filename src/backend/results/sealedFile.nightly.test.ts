import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import type { GeneratorWindow } from '../store/folding.ts';
import { openStore } from '../store/store.ts';
import { planFor } from '../testing/plans.ts';
import { storeRun } from '../testing/storedRun.ts';
import { randomFrom, syntheticReading, syntheticWindow } from '../testing/windows.ts';
import { storeResult } from './resultOf.ts';
import { checkSealed } from './sealedFile.ts';
import { openSealKey } from './sealKey.ts';
import { sealStored } from './sealStored.ts';

/** Yields an hour of windows with five steps, and with four monitored numbers in each second. */
function* hourOfWindows(): Generator<GeneratorWindow> {
  const random = randomFrom(1);
  for (let second = 0; second < 3_600; second += 1) {
    const watched = Object.fromEntries(WATCHED.map((name) => [name, Math.round(1_000 * random())]));
    const window = syntheticWindow(second, { perSecond: 200, steps: 5, seed: second });
    yield { generator: 0, window, reading: { ...syntheticReading(second), watched } };
  }
}

const WATCHED = ['jobs', 'rows', 'locks', 'queue'];

it('sealStored: folds an hour with eight charts to windows of 10 s in at most 2 MB', () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  try {
    const plan = planFor('http://127.0.0.1:1/', {
      journey: Array.from({ length: 5 }, (_, step) => ({ name: `step ${step}` })),
      load: { model: 'connections', stages: [{ connections: 50, seconds: 3_600 }] },
      watch: WATCHED.map((name) => ({ name, url: `http://127.0.0.1:1/${name}` })),
    });
    storeRun(store, { id: 'hour', plan, windows: hourOfWindows() });
    const sealing = { version: '1.2.3', key: openSealKey(directory), at: new Date() };
    const file = Buffer.from(sealStored(store, storeResult(store, store.find('hour')), sealing));
    const check = checkSealed(file, { version: '1.2.3', ownKey: sealing.key.publicHex });
    expect(check).toMatchObject({ state: 'intact', isSamePage: true, windows: 360, longestWindowSeconds: 10 });
    expect(file.length).toBeLessThanOrEqual(2_000_000);
    expect(file.toString().match(/<figure/g)?.length).toBeGreaterThanOrEqual(8);
  } finally {
    store.close();
  }
});
