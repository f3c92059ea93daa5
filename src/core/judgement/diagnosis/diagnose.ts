import type { Finding } from '#core/result/schema.ts';
import { type Found, type Rule, type MeasuredRun, overloadedShare } from './rule.ts';
import { withOutage } from './outage.ts';
import { averageHides, pageApdex, slowTail, unevenAddresses } from './rules/hiddenTimes.ts';
import { backlog, generatorLimited, notMade, ownTimeout } from './rules/generator.ts';
import { silentAddress, slowLookup } from './rules/reaching.ts';
import { sessionExpires } from './rules/sessionExpires.ts';
import { bandwidthBound } from './rules/bandwidthBound.ts';
import { behaviour } from './rules/behaviour.ts';
import { closedWhileIdle, connectionPerRequest, refused } from './rules/connections.ts';
import { connectionsBehind } from './rules/connectionsBehind.ts';
import { emptyBodies, missingRoute, nothingAnswered, redirectMeasured, wrongContent } from './rules/wrongAnswers.ts';
import { delayedAck } from './rules/delayedAck.ts';
import { fastFailures } from './rules/fastFailures.ts';
import { freeze } from './rules/freeze.ts';
import { groups } from './rules/groups.ts';
import { growingQueue } from './rules/growingQueue.ts';
import { slowerAndSlower, watchedGrowth } from './rules/growth.ts';
import { hashing } from './rules/hashing.ts';
import { hopPorts } from './rules/hopPorts.ts';
import { lengthVaries } from './rules/lengthVaries.ts';
import { limitAhead, limitReached, saturatedBelow } from './rules/limits.ts';
import { notSteady, tooFewSamples, windowTooShort } from './rules/tooLittleMeasured.ts';
import { placesDiffer } from './rules/placesDiffer.ts';
import { poolWait } from './rules/poolWait.ts';
import { portsExhausted } from './rules/portsExhausted.ts';
import { clientLimit, fullBacklog } from './rules/proxyRefusals.ts';
import { accountsRefused, refusedAtAnyLoad } from './rules/refusedAtAnyLoad.ts';
import { proxySlots, proxyTimeout } from './rules/proxyLimits.ts';
import { rateDips, standstill } from './rules/standstill.ts';
import { failuresBeforeServers, replicasDidNotHelp } from './rules/replicas.ts';
import { failingServer, missingServers, noServerLeft, oneServer, serverDown, unevenServers } from './rules/servers.ts';
import { sideCallsFailed } from './rules/sideCallsFailed.ts';
import { storedUnknown } from './rules/storedUnknown.ts';
import { workLeft } from './rules/workLeft.ts';
import { clocksDiffer, eventsBuffered, eventsMissed, reconnectStorm, streamsCut, streamTimeout } from './rules/streams.ts';
import { triedAgain } from './rules/retries.ts';
import { unexpectedStatus } from './rules/unexpectedStatus.ts';
import { filesMissing, hostsLeftOut, visitsSlowed, visitsStoppedEarly } from './rules/visits.ts';
import { visitorsWait } from './rules/visitorsWait.ts';
import { warmingUp } from './rules/warmingUp.ts';
import { workerTimeout } from './rules/workerTimeout.ts';

/** Findings about spread or first responses, which an overloaded generator distorts. */
const SPREAD_FINDINGS = ['groups.', 'delayedAck.', 'slowTail', 'averageHides.', 'notSteady', 'rateDips', 'warmingUp.', 'behaviour.first.'];
/** Largest share of overloaded seconds with which these findings are reported. */
const MAX_OVERLOADED_SHARE = 0.5;

function isOfSpread(id: string): boolean {
  return SPREAD_FINDINGS.some((start) => id.startsWith(start));
}

const ORDER: Readonly<Record<Finding['level'], number>> = { problem: 0, warning: 1, info: 2 };

/**
 * Removes findings that duplicate or contradict a more precise one, and sorts the rest by severity. A finding cannot replace itself, and a removed finding
 * replaces nothing.
 */
export function settle(found: readonly Found[]): Finding[] {
  const left = new Set<Found>();
  // Rules are in order of precision, the most precise first.
  for (const finding of found) {
    if (left.has(finding)) continue;
    for (const other of found) if (other !== finding && replaces(finding, other.id)) left.add(other);
  }
  return found
    .filter((finding) => !left.has(finding))
    .map(({ insteadOf: _insteadOf, ...finding }) => finding)
    .sort((one, other) => ORDER[one.level] - ORDER[other.level]);
}

function replaces({ insteadOf = [] }: Found, id: string): boolean {
  return insteadOf.some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
}

/** All rules. The more precise ones come before those that they replace: see {@link settle}. */
export const RULES: readonly Rule[] = [
  nothingAnswered,
  sessionExpires,
  streamTimeout,
  reconnectStorm,
  streamsCut,
  eventsBuffered,
  eventsMissed,
  clocksDiffer,
  portsExhausted,
  hopPorts,
  clientLimit,
  fullBacklog,
  limitReached,
  proxySlots,
  proxyTimeout,
  workerTimeout,
  triedAgain,
  missingRoute,
  notMade,
  sideCallsFailed,
  redirectMeasured,
  accountsRefused,
  refusedAtAnyLoad,
  unexpectedStatus,
  refused,
  ownTimeout,
  wrongContent,
  emptyBodies,
  freeze,
  hashing,
  poolWait,
  generatorLimited,
  standstill,
  bandwidthBound,
  placesDiffer,
  growingQueue,
  windowTooShort,
  warmingUp,
  fastFailures,
  delayedAck,
  groups,
  slowTail,
  rateDips,
  notSteady,
  saturatedBelow,
  pageApdex,
  connectionPerRequest,
  connectionsBehind,
  closedWhileIdle,
  lengthVaries,
  oneServer,
  missingServers,
  unevenServers,
  unevenAddresses,
  silentAddress,
  slowLookup,
  serverDown,
  noServerLeft,
  failingServer,
  replicasDidNotHelp,
  failuresBeforeServers,
  backlog,
  storedUnknown,
  workLeft,
  watchedGrowth,
  limitAhead,
  slowerAndSlower,
  behaviour,
  averageHides,
  tooFewSamples,
  visitorsWait,
  filesMissing,
  visitsSlowed,
  visitsStoppedEarly,
  hostsLeftOut,
];

/** Returns the findings of a run, the most severe first. */
export function diagnose(facts: MeasuredRun): Finding[] {
  const isDoubtful = overloadedShare(facts) > MAX_OVERLOADED_SHARE;
  return settle(
    withOutage(
      RULES.flatMap((rule) => rule.find(facts)),
      facts,
    ),
  ).filter(({ id }) => !isDoubtful || !isOfSpread(id));
}
