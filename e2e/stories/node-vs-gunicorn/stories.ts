import type { Story } from '../framework/story.ts';
import { asyncMystery } from './asyncMystery.ts';
import { blockingMystery } from './blockingMystery.ts';
import { busyGenerator } from './busyGenerator.ts';
import { bursts, replicatedBursts } from './bursts.ts';
import { calibration } from './calibration.ts';
import { asynchronous, kneeAndWorkers } from './characters.ts';
import { generatorPorts } from './generatorPorts.ts';
import { medians } from './medians.ts';
import { missingRoute } from './missingRoute.ts';
import { missingStopsSearch } from './missingStopsSearch.ts';
import { pending } from './pending.ts';
import { ping } from './ping.ts';
import { queueSlope } from './queueSlope.ts';
import { replicas } from './replicas.ts';
import { runaway } from './runaway.ts';
import { shortQueue } from './shortQueue.ts';
import { slots } from './slots.ts';
import { spike } from './spike.ts';
import { threeSideBySide } from './threeSideBySide.ts';
import { timeoutLaw } from './timeoutLaw.ts';
import { twoTables } from './twoTables.ts';
import { workerTimeout } from './workerTimeout.ts';

/** The stories in which Node and gunicorn are compared behind the same proxy. */
export const NODE_VS_GUNICORN: readonly Story[] = [
  ping,
  pending,
  timeoutLaw,
  workerTimeout,
  shortQueue,
  runaway,
  replicas,
  bursts,
  replicatedBursts,
  queueSlope,
  missingRoute,
  spike,
  slots,
  asyncMystery,
  blockingMystery,
  generatorPorts,
  busyGenerator,
  missingStopsSearch,
  asynchronous,
  kneeAndWorkers,
  calibration,
  threeSideBySide,
  medians,
  twoTables,
];
