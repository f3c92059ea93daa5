import type { Story } from '../framework/story.ts';
import { abTable } from './abTable.ts';
import { belowPrefix } from './belowPrefix.ts';
import { bufferedProxy } from './bufferedProxy.ts';
import { connectionLeak } from './connectionLeak.ts';
import { connectionsTrend } from './connectionsTrend.ts';
import { databaseProbe } from './databaseProbe.ts';
import { drainCharts } from './drainCharts.ts';
import { emptyBodies } from './emptyBodies.ts';
import { fiveGraphs } from './fiveGraphs.ts';
import { frozenPool } from './frozenPool.ts';
import { idleCut } from './idleCut.ts';
import { kernelSettings } from './kernelSettings.ts';
import { lengthFailures } from './lengthFailures.ts';
import { memoryFormulas } from './memoryFormulas.ts';
import { participants } from './participants.ts';
import { portExhaustion } from './portExhaustion.ts';
import { prefetch } from './prefetch.ts';
import { reconnectStorm } from './reconnectStorm.ts';
import { redirects } from './redirects.ts';
import { scoreboard } from './scoreboard.ts';
import { shardHealth } from './shardHealth.ts';
import { shardsBehindNginx } from './shardsBehindNginx.ts';
import { shardList } from './shardList.ts';
import { slowClients } from './slowClients.ts';
import { stallPredicted } from './stallPredicted.ts';
import { tail } from './tail.ts';
import { threeRuns } from './threeRuns.ts';
import { workerDrain } from './workerDrain.ts';

/** The stories about observations of the contest's web servers. */
export const CONTEST: readonly Story[] = [
  redirects,
  belowPrefix,
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
  shardHealth,
  shardsBehindNginx,
  shardList,
  frozenPool,
  databaseProbe,
  connectionsTrend,
  drainCharts,
  participants,
  memoryFormulas,
  stallPredicted,
  threeRuns,
  fiveGraphs,
  scoreboard,
  bufferedProxy,
  idleCut,
  reconnectStorm,
];
