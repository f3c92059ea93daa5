import { k6Script } from '#core/export/k6/k6Script.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { uploadFoldersOf } from '#core/work/journey/uploads.ts';
import { levelOf, secondsOf } from '#core/work/load/stages.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { warning } from './make.ts';

/** Of the executors of k6 that last a time. */
const LEAST_SECONDS = 1;
const OWN = 'Remove the engine. Holdfast’s own supports this.';

/** What k6 cannot do of a plan that it is to run, and what it does otherwise; docs/k6.md says what it never reports. */
export function k6Issues(plan: Plan): Issue[] {
  return [...refusals(plan), ...differences(plan)];
}

function refusals(plan: Plan): Issue[] {
  const found: Issue[] = [];
  if (plan.load.model === 'arrivals' && plan.load.spacing === 'poisson')
    found.push(
      error(
        'K6_SPACES_EVENLY',
        'load.spacing',
        'k6 spaces arrivals evenly. The plan has random arrivals.',
        `Set spacing to uniform. Or: ${OWN}`,
      ),
    );
  if (plan.journey.some(({ background }) => background !== undefined) && plan.load.model === 'arrivals')
    found.push(error('K6_NOTHING_BESIDE', 'journey', 'Arrivals in k6 send nothing beside their journeys.', OWN));
  const stream = plan.journey.findIndex((step) => step.stream !== undefined);
  if (stream >= 0) found.push(error('K6_HOLDS_NO_STREAM', `journey[${stream}].stream`, 'k6 does not hold event streams.', OWN));
  for (const [index, stage] of plan.load.stages.entries()) {
    if ((shortestScenario(stage) ?? LEAST_SECONDS) >= LEAST_SECONDS) continue;
    found.push(
      error('K6_TOO_SHORT', `load.stages[${index}]`, 'k6 runs no stage shorter than one second.', `Make the stage longer. Or: ${OWN}`),
    );
  }
  try {
    // What lies in folders is read when the run starts.
    k6Script(plan, { uploads: Object.fromEntries(uploadFoldersOf(plan).map((folder) => [`${folder.replace(/[/\\]+$/, '')}/file`, ''])) });
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError)) throw thrown;
    found.push(error(thrown.code, 'engine', thrown.message, OWN));
  }
  return found;
}

/** Seconds of what k6 is told of a stage: even arrivals begin half a gap after it. null where nothing says it. */
function shortestScenario(stage: Stage): number | null {
  const seconds = secondsOf(stage);
  if (seconds === null || !('kind' in stage)) return seconds;
  if (stage.kind === 'pause') return null;
  const { from, to, highest } = levelOf(stage);
  return from === to && from === highest && highest > 0 ? seconds - 0.5 / highest : seconds;
}

/** A script of k6 sees them; they are not written into its samples. */
const NO_HEADERS = 'Holdfast collects no response headers of a run by k6.';

function differences({ connections, tls, load, journey, servers, countsCache }: Plan): Issue[] {
  const found: Issue[] = [];
  const differs = (path: string, message: string, hint = OWN): void => void found.push(warning('K6_DIFFERS', path, message, hint));
  if (connections.connectSeconds !== undefined || connections.firstByteSeconds !== undefined)
    differs('connections', 'k6 has one time limit for a whole request. The limits for connecting and for the first byte are left out.');
  if (tls.serverName !== undefined)
    differs('tls.serverName', 'k6 uses only the host of the address for TLS. Verifying the certificate may fail.');
  if ((tls.resume ?? 0) > 0) differs('tls.resume', 'k6 makes a full TLS handshake for each connection, as new visitors do.');
  if (servers !== undefined) differs('servers', `${NO_HEADERS} Which server responded is unknown.`);
  if (countsCache === true) differs('countsCache', `${NO_HEADERS} Which responses came from a cache is unknown.`);
  if (load.model !== 'arrivals' && load.stages.length > 1)
    differs(
      'load.stages',
      'Stages in k6 begin at fixed times, even with requests of the previous stage in flight.',
      'Late responses still count in the stage of their request.',
    );
  if (journey.some(({ background }) => background !== undefined))
    differs('journey', 'k6 sends requests beside a journey in its pauses, not in parallel.');
  for (const { name, explains } of journey)
    if (explains !== undefined) differs('journey', `“${name}” is left out: k6 does not ask why “${explains.step}” failed.`);
  return found;
}
