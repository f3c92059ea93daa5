import { waiting, type Story } from '../framework/story.ts';
import { asyncMystery } from './asyncMystery.ts';
import { blockingMystery } from './blockingMystery.ts';
import { busyGenerator } from './busyGenerator.ts';
import { asynchronous, kneeAndWorkers } from './characters.ts';
import { bursts, replicatedBursts } from './bursts.ts';
import { generatorPorts } from './generatorPorts.ts';
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
import { timeoutLaw } from './timeoutLaw.ts';

/** What was seen when Node and gunicorn were compared behind the same proxy. */
export const NODE_VS_GUNICORN: readonly Story[] = [
  ping,
  pending,
  timeoutLaw,
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
  ...waiting('node-vs-gunicorn', [
    ['calibration', 'Two monitors say 95 % and 90 %: what a busy loop really takes.', 'hosts', 'monitors of hosts'],
    ['three-side-by-side', 'Node, gunicorn and three Nodes in one view.', 'conclusions', 'comparison of runs'],
    ['medians', 'One server seems faster by an average of percentiles; the medians are the same.', 'conclusions', 'comparison of runs'],
    ['two-tables', 'Server, kind, response time, workers: the same table on screen and on paper.', 'conclusions', 'the report as PDF'],
  ]),
];
