import { k6Script } from '#core/export/k6/k6Script.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { uploadFoldersOf } from '#core/work/journey/walked.ts';
import { levelOf, secondsOf } from '#core/work/load/stages.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { warning } from './make.ts';

/** Minimum duration of k6 executors with a duration. */
const MIN_SECONDS = 1;
const USE_OWN_ENGINE = 'Remove the engine. Holdfast’s own supports this.';

/** Returns plan features that k6 does not support, and differences in its behaviour. docs/k6.md lists figures that k6 never reports. */
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
        `Set spacing to uniform. Or: ${USE_OWN_ENGINE}`,
      ),
    );
  if (plan.journey.some(({ background }) => background !== undefined) && plan.load.model === 'arrivals')
    found.push(error('K6_NOTHING_BESIDE', 'journey', 'Arrivals in k6 send nothing beside their journeys.', USE_OWN_ENGINE));
  const stream = plan.journey.findIndex((step) => step.stream !== undefined);
  if (stream >= 0) found.push(error('K6_HOLDS_NO_STREAM', `journey[${stream}].stream`, 'k6 does not hold event streams.', USE_OWN_ENGINE));
  for (const [index, stage] of plan.load.stages.entries()) {
    if ((shortestScenario(stage) ?? MIN_SECONDS) >= MIN_SECONDS) continue;
    found.push(
      error(
        'K6_TOO_SHORT',
        `load.stages[${index}]`,
        'k6 runs no stage shorter than one second.',
        `Make the stage longer. Or: ${USE_OWN_ENGINE}`,
      ),
    );
  }
  try {
    // Folders are read when the run starts, so a placeholder file stands for their content.
    k6Script(plan, { uploads: Object.fromEntries(uploadFoldersOf(plan).map((folder) => [`${folder.replace(/[/\\]+$/, '')}/file`, ''])) });
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError)) throw thrown;
    found.push(error(thrown.code, 'engine', thrown.message, USE_OWN_ENGINE));
  }
  return found;
}

/** Returns the duration of the shortest k6 scenario of a stage: constant arrivals start half a gap later. null if open-ended. */
function shortestScenario(stage: Stage): number | null {
  const seconds = secondsOf(stage);
  if (seconds === null || !('kind' in stage)) return seconds;
  if (stage.kind === 'pause') return null;
  const { from, to, highest } = levelOf(stage);
  return from === to && from === highest && highest > 0 ? seconds - 0.5 / highest : seconds;
}

/** k6 scripts can read headers, but k6 writes none into its samples. */
const NO_HEADERS = 'Holdfast collects no response headers of a run by k6.';

function differences({ connections, tls, load, journey, servers, countsCache }: Plan): Issue[] {
  const found: Issue[] = [];
  const differs = (path: string, message: string, hint = USE_OWN_ENGINE): void =>
    void found.push(warning('K6_DIFFERS', path, message, hint));
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
