import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSigned } from '#backend/testing/certificates.ts';
import type { RunResult } from '#core/result/schema.ts';
import { startNginx } from '#workers/testing/nginx.ts';
import { findOnPath } from '../running/locate.ts';
import { measureWithSteal } from '../running/stealGate.ts';
import { Dice } from './dice.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';
import { startPages } from '../targets/startPages.ts';
import type { StartedServer } from '../targets/startServer.ts';
import { HEALTHY_KINDS, healthyPlan, type HealthyCase } from './healthyKinds.ts';
import {
  healthyRequirements,
  makeHealthyRun,
  healthySections,
  describeHealthyRun,
  isFalselyJudged,
  type HealthyRun,
} from './healthyJudge.ts';

/** Expected duration in seconds of a run, including its start and a page of 5 s. Most runs are shorter. */
const SECONDS_PER_RUN = 10;

interface Server extends StartedServer {
  /** The server's certificate, or null if it has none. */
  readonly authority: string | null;
}

/** Checks whether the app raises no alarm about healthy servers, and whether their runs pass. */
export async function measureHealthy(context: KindContext): Promise<KindResult> {
  const { app, cores, seed, folder, notify } = context;
  const hasNginx = (await findOnPath('nginx', process.env['PATH'] ?? '')) !== null;
  const kinds = HEALTHY_KINDS.filter(({ id }) => hasNginx || id !== 'proxy');
  const without = hasNginx ? [] : ['nginx is not installed (apt-get install nginx-light): nothing is measured behind a proxy'];
  const alarming: RunResult[] = [];

  async function runHealthy(index: number): Promise<HealthyRun> {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) throw new Error('There are kinds.');
    const drawnCase = kind.draw(new Dice(seed, index));
    const server = await startServer(drawnCase);
    try {
      const plan = healthyPlan(drawnCase, `${kind.id} ${index + 1}`, server.url, server.authority);
      const { value: result, stolenShare } = await measureWithSteal(() => app.run(plan));
      const run = makeHealthyRun(index + 1, kind.id, result, stolenShare);
      if (run.alarms.length + run.ownAlarms.length > 0 || isFalselyJudged(run)) alarming.push(result);
      notify(`${index + 1} of ${context.runs}: ${kind.id}: ${describeHealthyRun(run)}`);
      return run;
    } finally {
      await server.stop();
    }
  }

  async function startServer({ server, through }: HealthyCase): Promise<Server> {
    if (through === 'tls') {
      const { key, cert } = selfSigned(await mkdtemp(join(folder, 'tls-')));
      const certificate = cert.toString();
      return { ...(await startPages({ ...server, tls: { key: key.toString(), certificate } }, cores.target)), authority: certificate };
    }
    const pages = await startPages(server, cores.target);
    return { ...(through === 'nginx' ? await putBehindNginx(pages) : pages), authority: null };
  }

  async function putBehindNginx(pages: StartedServer): Promise<StartedServer> {
    try {
      const nginx = await startNginx({
        accessLog: false,
        http: `upstream pages { server ${new URL(pages.url).host}; keepalive 64; }`,
        server: 'location / { proxy_pass http://pages; proxy_http_version 1.1; proxy_set_header Connection ""; }',
        ...(cores.target === null ? {} : { core: cores.target }),
      });
      const stop = async (): Promise<void> => {
        await nginx.stop();
        await pages.stop();
      };
      return { url: nginx.url, stop };
    } catch (error) {
      await pages.stop();
      throw error;
    }
  }

  const { made, failed, complete } = await repeatInTime(context, { what: 'healthy runs', secondsEach: SECONDS_PER_RUN }, runHealthy);
  return {
    kind: 'healthy',
    sections: healthySections(made, kinds),
    requirements: [complete, ...healthyRequirements(made)],
    failed: [...without, ...failed],
    data: { runs: made, alarming },
  };
}
