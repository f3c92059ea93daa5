import type { Finding } from '#core/result/schema.ts';
import { startNginx } from '#workers/testing/nginx.ts';
import type { Requirement } from '../figures/requirement.ts';
import { findOnPath } from '../running/locate.ts';
import { startServer, type StartedServer } from '../targets/startServer.ts';
import { CAUSE_KINDS, type CauseKind, causePlan, type DrawnCause, HEALTHY_KINDS } from './causeKinds.ts';
import { type CauseRun, causeRequirements, causeSections, describeCauseRun, judgeCause } from './causesJudge.ts';
import { Dice } from './dice.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';

/** Expected duration of a run in seconds, including the run's start. */
const SECONDS_PER_RUN = 20;
const script = new URL('../targets/causeServer.ts', import.meta.url);

/** Checks whether the app names the defect of a server first, and whether it reports nothing about healthy servers. */
export async function measureCauses(context: KindContext): Promise<KindResult> {
  const { app, cores, seed, notify } = context;
  const hasNginx = (await findOnPath('nginx', process.env['PATH'] ?? '')) !== null;
  const without = hasNginx ? [] : ['nginx is not installed (apt-get install nginx-light): its limits of requests are left out'];
  const isAvailable = (kind: CauseKind) => hasNginx || kind.draw(new Dice(1, 1)).limit === undefined;
  const [wrong, sound] = [CAUSE_KINDS.filter(isAvailable), HEALTHY_KINDS.filter(isAvailable)];
  const findings: { readonly run: string; readonly findings: readonly Finding[] }[] = [];

  /** Every second server is healthy. */
  async function runCause(index: number): Promise<CauseRun> {
    const kinds = index % 2 === 0 ? wrong : sound;
    const kind = kinds[Math.floor(index / 2) % kinds.length];
    if (kind === undefined) throw new Error('There are kinds.');
    const drawnCause = kind.draw(new Dice(seed, index));
    const server = await startSite(drawnCause);
    try {
      const name = `${kind.id} ${index + 1}`;
      const result = await app.run(causePlan(drawnCause, name, server.url));
      findings.push({ run: name, findings: result.findings });
      const run = judgeCause(kind, result);
      notify(`${index + 1} of ${context.runs}: ${kind.id}: ${describeCauseRun(run)}`);
      return run;
    } finally {
      await server.stop();
    }
  }

  async function startSite({ server, limit }: DrawnCause): Promise<StartedServer> {
    const site = await startServer({ script, settings: server, core: cores.target });
    if (limit === undefined) return site;
    try {
      const nginx = await startNginx({
        accessLog: false,
        http: `limit_req_zone $binary_remote_addr zone=one:1m ${limit.zone};`,
        server: `location / { ${limit.location} proxy_pass ${site.url}; }`,
        ...(cores.target === null ? {} : { core: cores.target }),
      });
      const stop = async (): Promise<void> => {
        await nginx.stop();
        await site.stop();
      };
      return { url: nginx.url, stop };
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  const { made, failed, complete } = await repeatInTime(
    context,
    { what: 'runs with a known cause', secondsEach: SECONDS_PER_RUN },
    runCause,
  );
  const requirements: Requirement[] = [complete, ...causeRequirements(made)];
  return {
    kind: 'causes',
    sections: causeSections(made, [...wrong, ...sound]),
    requirements,
    failed: [...without, ...failed],
    data: { runs: made, findings },
  };
}
