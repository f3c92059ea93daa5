import { searchDocumentSchema } from '#core/search/result.ts';
import { measureWithSteal } from '../running/stealGate.ts';
import { startMystery } from '../targets/mystery.ts';
import { Dice } from './dice.ts';
import { repeatInTime, type KindContext, type KindResult } from './kind.ts';
import { planForSearch, secondsSince } from './plans.ts';
import { drawHidden, hiddenRequirements, hiddenSections, type UnveiledServer } from './hiddenJudge.ts';

/** Expected duration per server in seconds. Most take less time, but a server with few slow workers takes two minutes. */
const SECONDS_PER_SERVER = 60;
/** The shortest possible settings. Idle connections are not tested here. */
const SETTINGS = { secondsEach: 2, idleSeconds: 0, coolDownSeconds: 0.2, baselineSeconds: 2, maxSeconds: 150 };

/** Checks whether the app finds the hidden settings of a server. */
export async function measureHidden(context: KindContext): Promise<KindResult> {
  const { app, cores, seed, folder, runs, notify } = context;

  async function unveil(index: number): Promise<UnveiledServer> {
    const drawn = drawHidden(index, new Dice(seed, index));
    const name = `hidden-${index + 1}`;
    const server = await startMystery(drawn, name, folder, cores.target);
    const startedMs = performance.now();
    try {
      const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planForSearch(name, server.url), settings: SETTINGS });
      const { value, stolenShare } = await measureWithSteal(() => app.search(document));
      const tookSeconds = secondsSince(startedMs);
      await server.stop();
      const { conclusion } = value;
      if (conclusion.kind !== 'characterize') throw new TypeError('A server was looked at.');
      const unveiled: UnveiledServer = {
        hidden: drawn,
        servedMs: await server.servedMs(),
        server: conclusion.server,
        sentence: conclusion.sentence,
        workers: conclusion.workers?.value ?? null,
        serviceMs: conclusion.serviceMs?.value ?? null,
        tookSeconds,
        stolenShare,
      };
      const truth = drawn.workers === null ? 'asynchronous' : `${drawn.workers} workers`;
      notify(`${index + 1} of ${runs}: ${truth} of ${drawn.serviceMs} ms: ${conclusion.sentence} (${tookSeconds.toFixed(0)} s)`);
      return unveiled;
    } finally {
      await server.stop();
    }
  }

  const { made, failed, complete } = await repeatInTime(
    context,
    { what: 'looks at hidden servers', secondsEach: SECONDS_PER_SERVER },
    unveil,
  );
  return {
    kind: 'hidden',
    sections: hiddenSections(made),
    requirements: [...hiddenRequirements(made), complete],
    failed,
    data: { servers: made },
  };
}
