import { randomBytes } from 'node:crypto';
import { AccessLog } from '../accessLog.ts';
import type { Lab, LabOptions, RunningLab } from '../lab.ts';
import { listen, type Listening } from '../listen.ts';
import { ACCOUNTS } from './accounts.ts';
import { contestApp } from './app.ts';
import { DEFAULT_SERVICE_MS } from './pace.ts';
import { Sessions } from './session.ts';
import { ContestState } from './state.ts';

export const contestLab: Lab = {
  name: 'contest',
  title: 'Practice contest site',
  story: 'A programming contest with a login, three tasks and submissions, served by several shards: it behaves as CMS does.',
  start,
};

async function start(options: LabOptions): Promise<RunningLab> {
  const log = await AccessLog.open(options.accessLogFile);
  const shared = {
    log,
    state: new ContestState(),
    sessions: new Sessions(randomBytes(32)),
    serviceMs: options.serviceMs ?? DEFAULT_SERVICE_MS,
  };
  const shards: Listening[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(shards.map((shard) => shard.close()));
    await log.close();
  };
  try {
    for (let shard = 0; shard < options.shards; shard += 1)
      shards.push(await listen(contestApp({ ...shared, shard }), options.port === null ? null : options.port + shard));
  } catch (failure) {
    await stop();
    throw failure;
  }
  return { urls: shards.map(({ url }) => url), accounts: ACCOUNTS, log, stop };
}
