import { places } from './rules/places.ts';
import { bellPool, bellRefusals, bells } from './rules/bellQueues.ts';
import { bellStandstill } from './rules/bellStandstill.ts';
import { databaseFault } from './rules/databaseFault.ts';
import { bellCapacity, bellColdStart } from './rules/openings.ts';
import type { Finding } from '#core/result/schema.ts';
import { countStatuses, type FindingDraft, type MeasuredRun, MIN_NOTICEABLE_SHARE, type Rule, ruleOf, overloadedShare } from './rule.ts';
import { mergeOutage } from './outage.ts';
import { averageHides, fastFailures, groups, pageApdex, slowTail, triedAgain, unevenAddresses } from './rules/times.ts';
import { backlog, generatorLimited, notMade, ownTimeout, portsExhausted, rateDips, standstill } from './rules/generators.ts';
import { bandwidthBound, delayedAck, generatorsDiffer, silentAddress, slowLookup } from './rules/network.ts';
import { accountsRefused, refusedAtAnyLoad, sessionExpires, sideCallsFailed, workerTimeout } from './rules/refusals.ts';
import { behaviour, hashing, warmingUp } from './rules/behaviour.ts';
import { closedWhileIdle, connectionPerRequest, connectionsBehind, hopPorts, refused } from './rules/connections.ts';
import {
  emptyBodies,
  lengthVaries,
  missingRoute,
  nothingResponded,
  redirectMeasured,
  unexpectedStatus,
  wrongContent,
} from './rules/responses.ts';
import { pauses } from './rules/pauses.ts';
import { sessionLock } from './rules/sessionLock.ts';
import { freeze, poolWait } from './rules/pools.ts';
import { growingQueue, notSteady, tooFewSamples, windowTooShort } from './rules/steadiness.ts';
import { limitAhead, limitReached, saturatedBelow, slowerAndSlower, watchedGrowth } from './rules/limits.ts';
import { clientLimit, fullBacklog, proxySlots, proxyTimeout } from './rules/proxies.ts';
import {
  failingServer,
  failuresBeforeServers,
  missingServers,
  noServerLeft,
  oneServer,
  replicasDidNotHelp,
  serverDown,
  unevenServers,
} from './rules/servers.ts';
import { storedUnknown, workLeft } from './rules/leftWork.ts';
import { clocksDiffer, eventsBuffered, eventsMissed, reconnectStorm, streamsCut, streamTimeout } from './rules/streams.ts';
import { filesMissing, hostsLeftOut, visitorsWait, visitsSlowed, visitsStoppedEarly } from './rules/visits.ts';
import { countWanted } from '#core/measurement/requestOutcomes.ts';
import { sumOf } from '#core/base/lists.ts';

/** Findings about spread or first responses, which an overloaded generator distorts. */
const SPREAD_FINDINGS = [
  'groups.',
  'delayedAck.',
  'slowTail',
  'averageHides.',
  'notSteady',
  'rateDips',
  'warmingUp.',
  'behaviour.first.',
  'bellColdStart.',
  'bellPool.',
  'bellLock.',
  'bellStandstill.',
  'sessionLock.',
];
/** Maximum share of overloaded seconds at which the findings in {@link SPREAD_FINDINGS} are still reported. */
const MAX_OVERLOADED_SHARE = 0.5;

function isOfSpread(id: string): boolean {
  return SPREAD_FINDINGS.some((start) => id.startsWith(start));
}

const SEVERITY_ORDER: Readonly<Record<Finding['level'], number>> = { problem: 0, warning: 1, info: 2 };

/**
 * Removes findings that duplicate or contradict a more precise one, and sorts the rest by severity. A finding cannot replace itself, and a
 * removed finding replaces nothing.
 */
export function settle(found: readonly FindingDraft[]): Finding[] {
  const replaced = new Set<FindingDraft>();
  // Rules are in order of precision, the most precise first.
  for (const finding of found) {
    if (replaced.has(finding)) continue;
    for (const other of found) if (other !== finding && isReplacement(finding, other.id)) replaced.add(other);
  }
  return found
    .filter((finding) => !replaced.has(finding))
    .map(({ insteadOf: _insteadOf, ...finding }) => finding)
    .sort((one, other) => SEVERITY_ORDER[one.level] - SEVERITY_ORDER[other.level]);
}

function isReplacement({ insteadOf = [] }: FindingDraft, id: string): boolean {
  return insteadOf.some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
}

/** All rules. The more precise ones come before those that they replace: see {@link settle}. */
export const RULES: readonly Rule[] = [
  nothingResponded,
  places,
  databaseFault,
  bellRefusals,
  bellPool,
  bellColdStart,
  bellStandstill,
  bells,
  bellCapacity,
  sessionLock,
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
  pauses,
  hashing,
  poolWait,
  generatorLimited,
  standstill,
  bandwidthBound,
  generatorsDiffer,
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
    mergeOutage(
      RULES.flatMap((rule) => rule.find(facts)),
      facts,
    ),
  ).filter(({ id }) => !isDoubtful || !isOfSpread(id));
}

/** Rules about a server that stood still or was away, whatever the load was. */
const STANDSTILL_RULES = new Set(['outage', 'freeze', 'serverDown', 'noServerLeft', 'nothingResponded']);
/** Rules about requests that the server refuses on purpose. The id of `unexpectedStatus` ends in the status. */
const REFUSAL_RULES = new Set(['missingRoute', 'redirectMeasured', 'accountsRefused', 'refusedAtAnyLoad', 'clientLimit']);
const REFUSAL_STATUS_PATTERN = /^unexpectedStatus\.4(?!08)\d\d$/;
/** Minimum share of all failures that a finding must explain to be their cause. */
const MIN_EXPLAINED_SHARE = 0.5;

/**
 * Returns the finding that explains a run's failures by something other than load: refused accounts, expired tokens, rules of the server,
 * redirects, freezes. Returns null if load may be the cause.
 */
export function findNotOfLoad(facts: MeasuredRun, findings: readonly Finding[]): Finding | null {
  const problems = findings.filter(({ level }) => level !== 'info');
  const stopped = problems.find((finding) => STANDSTILL_RULES.has(ruleOf(finding)) || finding.id === 'databaseFault.unreachable');
  if (stopped !== undefined) return stopped;
  const refused = problems.find((finding) => REFUSAL_RULES.has(ruleOf(finding)) || REFUSAL_STATUS_PATTERN.test(finding.id));
  if (refused === undefined) return null;
  const { ok, inFlight } = facts.outcomes.requests;
  const wanted = countWanted(facts.outcomes.requests) - inFlight;
  const isRefusedStep = (name: string) => problems.some(({ id }) => id === `refusedAtAnyLoad.${name}` || id === `accountsRefused.${name}`);
  const isLimited = problems.some((finding) => ruleOf(finding) === 'clientLimit');
  const explained = sumOf(facts.steps, ({ name, requests, status }) => {
    if (isRefusedStep(name)) return requests.httpError + requests.wrongBody;
    return countStatuses(status, (code) => (code >= 300 && code < 500 && code !== 304 && code !== 408) || (isLimited && code === 503));
  });
  const failed = wanted - ok;
  if (ruleOf(refused) === 'redirectMeasured') return refused;
  return failed >= MIN_NOTICEABLE_SHARE * wanted && explained >= MIN_EXPLAINED_SHARE * failed ? refused : null;
}
