import type { Finding } from '#core/result/schema.ts';
import type { Rule, RunFacts } from './rule.ts';
import { averageHides } from './rules/averageHides.ts';
import { backlog } from './rules/backlog.ts';
import { bandwidthBound } from './rules/bandwidthBound.ts';
import { behaviour } from './rules/behaviour.ts';
import { closedWhileIdle } from './rules/closedWhileIdle.ts';
import { connectionPerRequest } from './rules/connectionPerRequest.ts';
import { connectionsBehind } from './rules/connectionsBehind.ts';
import { emptyBodies } from './rules/emptyBodies.ts';
import { fastFailures } from './rules/fastFailures.ts';
import { freeze } from './rules/freeze.ts';
import { generatorLimited } from './rules/generatorLimited.ts';
import { groups } from './rules/groups.ts';
import { growingQueue } from './rules/growingQueue.ts';
import { slowerAndSlower, watchedGrowth } from './rules/growth.ts';
import { hopPorts } from './rules/hopPorts.ts';
import { lengthVaries } from './rules/lengthVaries.ts';
import { limitAhead } from './rules/limitAhead.ts';
import { limitReached } from './rules/limitReached.ts';
import { missingRoute } from './rules/missingRoute.ts';
import { nothingAnswered } from './rules/nothingAnswered.ts';
import { notMade } from './rules/notMade.ts';
import { notSteady } from './rules/notSteady.ts';
import { ownTimeout } from './rules/ownTimeout.ts';
import { pageApdex } from './rules/pageApdex.ts';
import { placesDiffer } from './rules/placesDiffer.ts';
import { poolWait } from './rules/poolWait.ts';
import { portsExhausted } from './rules/portsExhausted.ts';
import { proxySlots } from './rules/proxySlots.ts';
import { proxyTimeout } from './rules/proxyTimeout.ts';
import { rateDips } from './rules/rateDips.ts';
import { redirectMeasured } from './rules/redirectMeasured.ts';
import { refused } from './rules/refused.ts';
import { failuresBeforeServers, replicasDidNotHelp } from './rules/replicas.ts';
import { saturatedBelow } from './rules/saturatedBelow.ts';
import { failingServer, missingServers, noServerLeft, oneServer, serverDown, unevenServers } from './rules/servers.ts';
import { sideCallsFailed } from './rules/sideCallsFailed.ts';
import { slowTail } from './rules/slowTail.ts';
import { standstill } from './rules/standstill.ts';
import { storedUnknown } from './rules/storedUnknown.ts';
import { tooFewSamples } from './rules/tooFewSamples.ts';
import { triedAgain } from './rules/triedAgain.ts';
import { unevenAddresses } from './rules/unevenAddresses.ts';
import { unexpectedStatus } from './rules/unexpectedStatus.ts';
import { warmingUp } from './rules/warmingUp.ts';
import { windowTooShort } from './rules/windowTooShort.ts';
import { workerTimeout } from './rules/workerTimeout.ts';
import { wrongContent } from './rules/wrongContent.ts';
import { settle } from './settle.ts';

/** Every rule there is. Adding one is adding a file and a line. The more exact stand before those whose place they take: see {@link settle}. */
export const RULES: readonly Rule[] = [
  nothingAnswered,
  portsExhausted,
  hopPorts,
  limitReached,
  proxySlots,
  proxyTimeout,
  workerTimeout,
  triedAgain,
  missingRoute,
  notMade,
  sideCallsFailed,
  redirectMeasured,
  unexpectedStatus,
  refused,
  ownTimeout,
  wrongContent,
  emptyBodies,
  freeze,
  poolWait,
  generatorLimited,
  standstill,
  bandwidthBound,
  placesDiffer,
  growingQueue,
  windowTooShort,
  warmingUp,
  fastFailures,
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
  serverDown,
  noServerLeft,
  failingServer,
  replicasDidNotHelp,
  failuresBeforeServers,
  backlog,
  storedUnknown,
  watchedGrowth,
  limitAhead,
  slowerAndSlower,
  behaviour,
  averageHides,
  tooFewSamples,
];

/** What there is to notice about a run, the gravest first. */
export function diagnose(facts: RunFacts): Finding[] {
  return settle(RULES.flatMap((rule) => rule.find(facts)));
}
