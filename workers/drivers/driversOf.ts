import { engineFor } from '#core/review/engines/engineFor.ts';
import type { OwnEngine } from '#core/review/engines/engine.ts';
import { autocannonDrivers } from './autocannon/autocannonDriver.ts';
import type { DriversOfLeg } from './loadDriver.ts';
import { nativeDrivers } from './native/nativeDrivers.ts';

/** Drivers by engine of `src/core/review/engines`. */
const DRIVERS: Readonly<Record<OwnEngine, DriversOfLeg>> = { autocannon: autocannonDrivers, native: nativeDrivers };

/** Creates the drivers of one leg on one thread with the engine of the plan. */
export const driversOf: DriversOfLeg = (data, leg, hooks) => {
  const engine = engineFor(data.plan);
  if (engine === 'k6') throw new Error('A plan that k6 is to run has come to a worker thread.');
  return DRIVERS[engine](data, leg, hooks);
};
