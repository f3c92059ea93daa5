import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import { secretNames } from '../secretNames.ts';
import { DEFAULT_MAX_IN_FLIGHT } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import type { K6Draft } from './draft.ts';
import type { Features } from './features.ts';
import { USUAL_SECONDS } from './arrivalUsers.ts';
import { cutStages } from './scenarios.ts';

/** What k6 does otherwise than the plan says, and what was done instead. */
export function noteDifferences(draft: K6Draft, features: Features): void {
  const { plan } = draft;
  const { load, connections, tls } = plan;
  draft.note('k6 counts response times from when a request is sent, without opening its connection; Holdfast counts from when it is due.');
  const isDrawn =
    (load.model === 'arrivals' && load.spacing === 'poisson') ||
    Object.values(plan.feeds ?? {}).some(({ order }) => order === 'random') ||
    Object.values(plan.variables ?? {}).some(({ kind }) => kind === 'integer' || kind === 'item' || kind === 'uuid') ||
    plan.flow !== undefined ||
    JSON.stringify(plan).includes('"random"');
  if (isDrawn) draft.note('k6 draws anew in every run: the seed of the plan decides nothing.');
  if (load.model === 'arrivals' && load.spacing === 'poisson')
    draft.note('k6 spaces arrivals evenly. Under those of the plan, which come as people do, queues form sooner.');
  if (load.model === 'arrivals') draft.note('An arrival for which no VU is free is a dropped iteration of k6.');
  for (const { name, executor, answerSeconds } of features.load.scenarios)
    if (answerSeconds !== null && answerSeconds < USUAL_SECONDS)
      draft.note(
        `“${name}” begins with ${formatCount(Number(executor['preAllocatedVUs']))} VUs, enough while its answers take ${formatSeconds(answerSeconds)} on average. k6 makes more as they are needed and drops an arrival for each: where answers take longer, set preAllocatedVUs as high as the memory allows.`,
      );
  if (load.model === 'arrivals' && features.load.scenarios.length > 1 && load.maxInFlight < DEFAULT_MAX_IN_FLIGHT)
    draft.note('So many may be on their way of each stage, while the last of the stage before still wait for their answers.');
  if (load.model !== 'arrivals' && load.stages.length > 1 && features.load.scenarios.length > 1)
    draft.note('Stages begin at fixed times, whether or not all answers to the stage before have come.');
  for (const stage of cutStages(plan))
    draft.note(`“${stageName(plan, stage)}” ends with a whole journey, so that a few requests more are sent than the plan says.`);
  if (features.load.scenarios.some(({ journeys }) => journeys.length > 0))
    draft.note('Stages that end by a number of requests follow each other without a pause, told apart by the number of the journey.');
  if (features.hasBackground)
    draft.note('What is sent beside a journey is sent in its pauses and between its steps, not at the same time.');
  if (plan.journey.some(({ background }) => background !== undefined) && load.model === 'arrivals')
    draft.note('Arrivals send nothing beside their journeys.');
  if (features.hasSideCalls) draft.note('Side calls are in the totals of k6. They have tags of their own, and no limit is about them.');
  for (const { name, explains } of plan.journey)
    if (explains !== undefined) draft.note(`“${name}” is left out: where “${explains.step}” fails, the script does not ask why.`);
  if (features.hasPages)
    draft.note('Of a picture in several sizes k6 fetches the one that src names, and what stands in a template of a page as well.');
  const users = load.model === 'arrivals' ? [] : load.stages;
  if (users.length > 1 && Object.values(plan.feeds ?? {}).some(({ order }) => order === 'unique'))
    draft.note(
      'k6 numbers its VUs over all stages: where two stages overlap, a row may serve two users unless the list has rows for both.',
    );
  if (plan.targets.some(({ url }) => url.startsWith('https:')))
    draft.note('k6 speaks HTTP/2 where the server does. Run it with GODEBUG=http2client=0 for HTTP/1.1, which Holdfast speaks.');
  if (connections.connectSeconds !== undefined || connections.firstByteSeconds !== undefined)
    draft.note(
      `k6 has one time limit for a whole request, ${formatNumber(plan.timeoutSeconds)} s; those for connecting and for the first byte are left out.`,
    );
  if (connections.localAddresses !== undefined)
    draft.note(`Run it with --local-ips=${connections.localAddresses.join(',')}: a script cannot say it.`);
  if (tls.serverName !== undefined)
    draft.note(`k6 asks for the host of the address and not for “${tls.serverName}”: verifying the certificate may fail.`);
  if (tls.ca !== undefined) draft.note('The authority that the plan trusts lies in ca.pem: run it with SSL_CERT_FILE=ca.pem (on Linux).');
  if (plan.safety.maxSeconds !== undefined && features.load.scenarios.every(({ ends }) => ends !== null || load.model === 'arrivals'))
    draft.note('The most seconds of a run are left out: its scenarios say how long they take.');
  const beside = [
    ...(plan.monitors === undefined || plan.monitors.length === 0 ? [] : ['monitors']),
    ...(plan.watch === undefined ? [] : ['watch']),
    ...(plan.servers === undefined ? [] : ['servers']),
    ...(plan.countsCache === true ? ['countsCache'] : []),
    ...(plan.demand === undefined ? [] : ['demand']),
    ...(plan.populate === undefined ? [] : ['populate']),
  ];
  if (beside.length > 0) draft.note(`What the plan says of ${beside.join(', ')} is no part of the script.`);
  const secrets = secretNames(plan);
  if (secrets.size > 0) draft.note(`Secrets come from environment variables: ${[...new Set(secrets.values())].join(', ')}.`);
}
