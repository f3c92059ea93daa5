import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import { listDuetNotes } from '../exported.ts';
import { secretNames } from '../secretNames.ts';
import { DEFAULT_MAX_IN_FLIGHT } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import { listTargets } from '#core/plan/url.ts';
import type { K6Draft } from './draft.ts';
import type { Features } from './features.ts';
import { USUAL_SECONDS } from './arrivalUsers.ts';
import { cutStages } from './scenarios.ts';

/** Adds notes about differences between k6 and the plan. */
export function noteDifferences(draft: K6Draft, features: Features): void {
  const { plan } = draft;
  const { load, connections, tls } = plan;
  draft.note('k6 measures response times from sending, without the connection setup. Holdfast measures from the scheduled start.');
  for (const note of listDuetNotes(plan)) draft.note(note);
  const isDrawn =
    (load.model === 'arrivals' && load.spacing === 'poisson') ||
    Object.values(plan.feeds ?? {}).some(({ order }) => order === 'random') ||
    Object.values(plan.variables ?? {}).some(({ kind }) => kind === 'integer' || kind === 'item' || kind === 'uuid') ||
    plan.flow !== undefined ||
    JSON.stringify(plan).includes('"random"');
  if (isDrawn) draft.note('k6 draws new random values in every run. The seed of the plan has no effect.');
  if (load.model === 'arrivals' && load.spacing === 'poisson')
    draft.note('k6 spaces arrivals evenly. The plan uses random arrivals, which form queues sooner.');
  if (load.model === 'arrivals') draft.note('An arrival without a free VU is a dropped iteration in k6.');
  for (const { name, executor, responseSeconds } of features.load.scenarios)
    if (responseSeconds !== null && responseSeconds < USUAL_SECONDS)
      draft.note(
        `“${name}” begins with ${formatCount(Number(executor['preAllocatedVUs']))} VUs, enough for responses of ${formatSeconds(responseSeconds)} on average. For each further VU, k6 drops one arrival. If responses take longer, set preAllocatedVUs as high as the memory allows.`,
      );
  if (load.model === 'arrivals' && features.load.scenarios.length > 1 && load.maxInFlight < DEFAULT_MAX_IN_FLIGHT)
    draft.note('This limit applies to each stage separately. The last requests of the previous stage may still be in flight.');
  if (load.model !== 'arrivals' && load.stages.length > 1 && features.load.scenarios.length > 1)
    draft.note('Stages begin at fixed times, even with requests of the previous stage in flight.');
  for (const stage of cutStages(plan))
    draft.note(`“${stageName(plan, stage)}” ends with a whole journey and sends a few more requests than planned.`);
  if (features.load.scenarios.some(({ journeys }) => journeys.length > 0))
    draft.note(
      'Stages that end after a number of requests follow each other without a pause. The number of the journey identifies the stage.',
    );
  if (features.hasBackground) draft.note('Requests beside a journey are sent in its pauses and between its steps, not in parallel.');
  if (plan.journey.some(({ background }) => background !== undefined) && load.model === 'arrivals')
    draft.note('Arrivals send nothing beside their journeys.');
  if (plan.namedTargets !== undefined && plan.journey.some(({ redirects }) => redirects !== undefined))
    draft.note('A redirect from one target to another fails in the script.');
  if (features.hasSideCalls) draft.note('The totals of k6 include side calls. They have their own tags, and no criterion uses them.');
  for (const { name, explains } of plan.journey)
    if (explains !== undefined) draft.note(`“${name}” is left out: the script does not ask why “${explains.step}” failed.`);
  if (features.hasPages) draft.note('For a picture in several sizes, k6 fetches the one in src. It also fetches files inside templates.');
  if (plan.journey.some(({ resources }) => resources?.kinds.includes('css') === true))
    draft.note(
      'What style sheets ask for is left out: fonts, background pictures and imported sheets. The script does not read style sheets.',
    );
  const onceFeeds = Object.entries(plan.feeds ?? {}).flatMap(([name, { order }]) => (order === 'once' ? [`“${name}”`] : []));
  if (onceFeeds.length > 0)
    draft.note(
      `k6 does not know which rows of ${onceFeeds.join(', ')} are used up. Leave them out of the list, and let each user walk once.`,
    );
  const users = load.model === 'arrivals' ? [] : load.stages;
  if (users.length > 1 && Object.values(plan.feeds ?? {}).some(({ order }) => order === 'unique'))
    draft.note('k6 numbers its VUs across all stages. If two stages overlap and the list is short, two users may share a row.');
  if (connections.protocol !== 'h2' && listTargets(plan).some(({ url }) => url.startsWith('https:')))
    draft.note('k6 uses HTTP/2 if the server does. For HTTP/1.1, as in Holdfast, run it with GODEBUG=http2client=0.');
  if (connections.connectSeconds !== undefined || connections.firstByteSeconds !== undefined)
    draft.note(
      `k6 has one time limit for a whole request, ${formatNumber(plan.timeoutSeconds)} s. The limits for connecting and for the first byte are left out.`,
    );
  if (connections.localAddresses !== undefined)
    draft.note(`Run it with --local-ips=${connections.localAddresses.join(',')}. A script cannot set it.`);
  if (tls.serverName !== undefined)
    draft.note(`k6 uses the host of the address for TLS, not “${tls.serverName}”. Verifying the certificate may fail.`);
  if ((tls.resume ?? 0) > 0) draft.note('k6 makes a full TLS handshake for each connection. The share of resumed sessions is left out.');
  if (tls.ca !== undefined) draft.note('The trusted certificate authority is in ca.pem. Run it with SSL_CERT_FILE=ca.pem (on Linux).');
  if (plan.safety.maxSeconds !== undefined && features.load.scenarios.every(({ ends }) => ends !== null || load.model === 'arrivals'))
    draft.note('The time limit of the run is left out. The scenarios set their own durations.');
  const omittedFields = [
    ...(plan.monitors === undefined || plan.monitors.length === 0 ? [] : ['monitors']),
    ...(plan.watch === undefined ? [] : ['watch']),
    ...(plan.watchPages === undefined ? [] : ['watchPages']),
    ...(plan.servers === undefined ? [] : ['servers']),
    ...(plan.countsCache === true ? ['countsCache'] : []),
    ...(plan.trace === undefined ? [] : ['trace']),
    ...(plan.demand === undefined ? [] : ['demand']),
    ...(plan.populate === undefined ? [] : ['populate']),
  ];
  if (omittedFields.length > 0) draft.note(`What the plan says of ${omittedFields.join(', ')} is not part of the script.`);
  const secrets = secretNames(plan);
  if (secrets.size > 0) draft.note(`Secrets come from environment variables: ${[...new Set(secrets.values())].join(', ')}.`);
}
