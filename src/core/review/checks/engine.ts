import { hasSecureTarget } from '#core/plan/hosts/generatorNames.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { splitCertificates, holdsPrivateKey } from '#core/plan/certificates.ts';
import { chooseEngineFor, engineOfHoldfast } from '../engines/engineFor.ts';
import { warning } from './make.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { listUploadFolders } from '#core/work/journey/walked.ts';
import { levelOf, secondsOf } from '#core/work/load/stages.ts';
import type { Stage } from '#core/plan/schema/load.ts';

/** Checks the certificates of a plan. Whether a key matches its certificate is checked only when its secret is resolved. */
function checkCertificates(plan: Plan): Issue[] {
  const { ca, clientCertificate: own } = plan.tls;
  const ofAuthority =
    ca === undefined ? [] : checkPem(ca, 'tls.ca', '--ca FILE', 'Remove it. To trust an authority, its certificate is enough.');
  if (own === undefined) return ofAuthority;
  const path = 'tls.clientCertificate';
  const useless = hasSecureTarget(plan)
    ? []
    : [
        warning(
          'CLIENT_CERTIFICATE_UNUSED',
          path,
          'No target uses https, so the client certificate is not used.',
          'Use https:// in the address, or remove the client certificate.',
        ),
      ];
  return [
    ...ofAuthority,
    ...checkPem(own.certificate, `${path}.certificate`, '--cert FILE', 'Remove it and write where it is: key: {secret: file:PATH}.'),
    ...useless,
  ];
}

function checkPem(text: string, path: string, option: string, keyHint: string): Issue[] {
  const issues: Issue[] = [];
  if (splitCertificates(text).length === 0) {
    issues.push(
      error(
        'NO_CERTIFICATE',
        path,
        'This is not a PEM certificate.',
        `Enter the text of the file, which begins with -----BEGIN CERTIFICATE-----. On the command line, ${option} reads it.`,
      ),
    );
  }
  if (holdsPrivateKey(text)) {
    issues.push(error('PRIVATE_KEY_IN_PLAN', path, 'The certificate contains a private key, but plans are stored and shared.', keyHint));
  }
  return issues;
}

/** Checks that the engine supports the plan, checks the plan's certificates, and warns if certificates are not verified. */
export function checkEngine(plan: Plan): Issue[] {
  return [...checkCertificates(plan), ...checkNamedEngine(plan)];
}

function checkNamedEngine(plan: Plan): Issue[] {
  const isSecure = hasSecureTarget(plan);
  const unverified =
    isSecure && !plan.tls.verify
      ? [
          warning(
            'CERTIFICATE_NOT_VERIFIED',
            'tls.verify',
            'Certificate verification is off.',
            'If the certificate is from your own authority, trust that authority instead. The load then reports when it expires.',
          ),
        ]
      : [];
  const engine = chooseEngineFor(plan);
  if (engine === 'k6') return [...k6Issues(plan), ...unverified];
  const hindered = engineOfHoldfast(engine)
    .listHindrances(plan)
    // Unverifiable certificates do not matter if the plan turns verification off.
    .filter(({ code }) => code !== 'CERTIFICATE_UNVERIFIABLE' || plan.tls.verify)
    .map(({ code, path, message }) =>
      error(code, path, `The engine “${engine}” ${message}.`, 'Remove the engine, or set “native”, which supports this.'),
    );
  return [...hindered, ...unverified];
}

/** Minimum duration in seconds of k6 executors that have a duration. */
const MIN_SECONDS = 1;
const USE_OWN_ENGINE_HINT = 'Remove the engine. Holdfast’s own supports this.';

/**
 * Returns the features of a plan that k6 does not support, and differences in how k6 behaves. docs/k6.md lists figures that k6 never
 * reports.
 */
function k6Issues(plan: Plan): Issue[] {
  return [...refuseEngine(plan), ...differences(plan)];
}

function refuseEngine(plan: Plan): Issue[] {
  const found: Issue[] = [];
  if (plan.load.model === 'arrivals' && plan.load.spacing === 'poisson')
    found.push(
      error(
        'K6_SPACES_EVENLY',
        'load.spacing',
        'k6 spaces arrivals evenly. The plan has random arrivals.',
        `Set spacing to uniform. Or: ${USE_OWN_ENGINE_HINT}`,
      ),
    );
  if (plan.journey.some(({ background }) => background !== undefined) && plan.load.model === 'arrivals')
    found.push(error('K6_NOTHING_BESIDE', 'journey', 'Arrivals in k6 send nothing beside their journeys.', USE_OWN_ENGINE_HINT));
  const stream = plan.journey.findIndex((step) => step.stream !== undefined);
  if (stream >= 0)
    found.push(error('K6_HOLDS_NO_STREAM', `journey[${stream}].stream`, 'k6 does not hold event streams.', USE_OWN_ENGINE_HINT));
  for (const [index, stage] of plan.load.stages.entries()) {
    if ((shortestScenario(stage) ?? MIN_SECONDS) >= MIN_SECONDS) continue;
    found.push(
      error(
        'K6_TOO_SHORT',
        `load.stages[${index}]`,
        'k6 runs no stage shorter than one second.',
        `Make the stage longer. Or: ${USE_OWN_ENGINE_HINT}`,
      ),
    );
  }
  try {
    // Folders are read only when the run starts, so a placeholder file stands for their content.
    k6Script(plan, { uploads: Object.fromEntries(listUploadFolders(plan).map((folder) => [`${folder.replace(/[/\\]+$/, '')}/file`, ''])) });
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError)) throw thrown;
    found.push(error(thrown.code, 'engine', thrown.message, USE_OWN_ENGINE_HINT));
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
const NO_HEADERS_MESSAGE = 'Holdfast collects no response headers of a run by k6.';

function differences({ connections, tls, load, journey, servers, countsCache, trace }: Plan): Issue[] {
  const found: Issue[] = [];
  const reportDifference = (path: string, message: string, hint = USE_OWN_ENGINE_HINT): void =>
    void found.push(warning('K6_DIFFERS', path, message, hint));
  if (connections.connectSeconds !== undefined || connections.firstByteSeconds !== undefined)
    reportDifference(
      'connections',
      'k6 has one time limit for a whole request. The limits for connecting and for the first byte are left out.',
    );
  if (tls.serverName !== undefined)
    reportDifference('tls.serverName', 'k6 uses only the host of the address for TLS. Verifying the certificate may fail.');
  if ((tls.resume ?? 0) > 0) reportDifference('tls.resume', 'k6 makes a full TLS handshake for each connection, as new visitors do.');
  if (servers !== undefined) reportDifference('servers', `${NO_HEADERS_MESSAGE} Which server responded is unknown.`);
  if (countsCache === true) reportDifference('countsCache', `${NO_HEADERS_MESSAGE} Which responses came from a cache is unknown.`);
  if (trace !== undefined) reportDifference('trace', 'k6 sends no trace ids.');
  if (load.model !== 'arrivals' && load.stages.length > 1)
    reportDifference(
      'load.stages',
      'Stages in k6 begin at fixed times, even with requests of the previous stage in flight.',
      'Late responses still count in the stage of their request.',
    );
  if (journey.some(({ background }) => background !== undefined))
    reportDifference('journey', 'k6 sends requests beside a journey in its pauses, not in parallel.');
  for (const { name, explains } of journey)
    if (explains !== undefined) reportDifference('journey', `“${name}” is left out: k6 does not ask why “${explains.step}” failed.`);
  return found;
}
