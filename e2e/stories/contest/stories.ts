import { waiting, type Story } from '../framework/story.ts';
import { abTable } from './abTable.ts';
import { connectionLeak } from './connectionLeak.ts';
import { emptyBodies } from './emptyBodies.ts';
import { kernelSettings } from './kernelSettings.ts';
import { lengthFailures } from './lengthFailures.ts';
import { portExhaustion } from './portExhaustion.ts';
import { prefetch } from './prefetch.ts';
import { redirects } from './redirects.ts';
import { slowClients } from './slowClients.ts';
import { tail } from './tail.ts';
import { workerDrain } from './workerDrain.ts';

/** What was seen at the contest's web servers. */
export const CONTEST: readonly Story[] = [
  redirects,
  abTable,
  lengthFailures,
  emptyBodies,
  tail,
  workerDrain,
  prefetch,
  connectionLeak,
  portExhaustion,
  kernelSettings,
  slowClients,
  ...waiting('contest', [
    [
      'participants',
      'Will about 750 participants hold? Their polls and clicks are the demand, the measured knee over it the head-room.',
      'conclusions',
      'the search for the breaking point',
    ],
    [
      'length-explained',
      'All failures are one byte long: the page carries a number that changes, and nothing failed.',
      'conclusions',
      'the diagnosis',
    ],
    ['tail-explained', 'The percentiles show two groups, and how many belong to the slow one.', 'conclusions', 'the diagnosis'],
    ['shard-health', 'One of several shards is gone or restarts: which, and what it costs.', 'hosts', 'checks of several hosts'],
    [
      'database-probe',
      'Connections to the database on the time axis of the run, against their limit.',
      'hosts',
      'monitors of hosts and databases',
    ],
    ['three-runs', 'A smaller leak takes longer, a larger limit is clean: three runs side by side.', 'conclusions', 'comparison of runs'],
    ['memory-formulas', 'How many connections a database of a size allows, by both formulas.', 'conclusions', 'the calculators'],
    [
      'stall-predicted',
      'When ports will run out, told before the run, and which hop used them.',
      'conclusions',
      'the diagnosis of sockets by end and destination',
    ],
    [
      'shard-list',
      'Thirty-two servers a host behind a proxy: a list of targets, each checked, and the configuration for the proxy.',
      'hosts',
      'checks of several hosts',
    ],
    ['drain-charts', 'Processor and load of every machine while solutions are evaluated.', 'hosts', 'monitors of hosts'],
    ['connections-trend', 'Connections grow slowly over a long run: slope and time until the limit.', 'hosts', 'monitors of hosts'],
    ['five-graphs', 'Processor, load, memory, connections and the database in one report.', 'conclusions', 'the report as PDF'],
  ]),
];
