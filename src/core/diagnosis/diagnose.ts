import type { Finding } from '../report/result.ts';
import type { Rule, RunFacts } from './rule.ts';
import { backlog } from './rules/backlog.ts';
import { bandwidthBound } from './rules/bandwidthBound.ts';
import { behaviour } from './rules/behaviour.ts';
import { closedWhileIdle } from './rules/closedWhileIdle.ts';
import { connectionPerRequest } from './rules/connectionPerRequest.ts';
import { emptyBodies } from './rules/emptyBodies.ts';
import { generatorLimited } from './rules/generatorLimited.ts';
import { slowerAndSlower, watchedGrowth } from './rules/growth.ts';
import { lengthVaries } from './rules/lengthVaries.ts';
import { limitAhead } from './rules/limitAhead.ts';
import { nothingAnswered } from './rules/nothingAnswered.ts';
import { notSteady } from './rules/notSteady.ts';
import { pageApdex } from './rules/pageApdex.ts';
import { redirectMeasured } from './rules/redirectMeasured.ts';
import { failingServer, oneServer, serverDown, unevenServers } from './rules/servers.ts';
import { sideCallsFailed } from './rules/sideCallsFailed.ts';
import { slowTail } from './rules/slowTail.ts';
import { standstill } from './rules/standstill.ts';
import { storedUnknown } from './rules/storedUnknown.ts';
import { unexpectedStatus } from './rules/unexpectedStatus.ts';
import { wrongContent } from './rules/wrongContent.ts';

/** Every rule there is. Adding one is adding a file and a line. */
export const RULES: readonly Rule[] = [
  nothingAnswered,
  sideCallsFailed,
  redirectMeasured,
  unexpectedStatus,
  wrongContent,
  emptyBodies,
  generatorLimited,
  standstill,
  bandwidthBound,
  slowTail,
  notSteady,
  pageApdex,
  connectionPerRequest,
  closedWhileIdle,
  lengthVaries,
  oneServer,
  unevenServers,
  serverDown,
  failingServer,
  backlog,
  storedUnknown,
  watchedGrowth,
  limitAhead,
  slowerAndSlower,
  behaviour,
];

const ORDER: Readonly<Record<Finding['level'], number>> = { problem: 0, warning: 1, info: 2 };

/** What there is to notice about a run, the gravest first. */
export function diagnose(facts: RunFacts): Finding[] {
  return RULES.flatMap((rule) => rule.find(facts)).sort((a, b) => ORDER[a.level] - ORDER[b.level]);
}
