import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import { figure, MIN_NOTICEABLE_SHARE, overloadedShare, type Found, type Rule, type MeasuredRun } from '../rule.ts';

/** m independent servers work on at least m requests at a time. Below this ratio they share a limit. */
const MIN_WORKERS_PER_SERVER = 0.7;
const MIN_FAILURES = 10;
/** Smallest share of the failures that came from no server. */
const MIN_UNATTRIBUTED_SHARE = 0.9;

/** Finds several servers with no more capacity than one: what they share is the limit. */
export const replicasDidNotHelp: Rule = {
  id: 'replicasDidNotHelp',
  find(facts) {
    const answering = facts.servers.filter((server) => server.answered > 0);
    const capacity = facts.behaviour?.capacity;
    if (answering.length < 2 || capacity?.isLimited !== true || capacity.workers === null || overloadedShare(facts) > 0.2) return [];
    const { workers, saturatedPerSecond, aloneMs } = capacity;
    if (workers >= MIN_WORKERS_PER_SERVER * answering.length) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${formatCount(answering.length)} servers together processed ${formatNumber(workers)} requests at a time: the others did not help. What they share is the limit.`,
        evidence: [
          `Responses a second × time of one alone = ${formatRate(saturatedPerSecond)} × ${formatMs(aloneMs)} = ${formatNumber(workers)} at a time (Little’s law). Servers that share nothing process at least one each.`,
        ],
        figures: answering.map(({ name, answered: count, share }) =>
          figure(name, `${formatCount(count)} responses, ${formatPercent(share)}`),
        ),
        remedy:
          'Check what all of them use: the cores of one machine, a database, a lock, a file, the proxy in front. Another server of the same kind changes nothing.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};

/** Finds failures that no server behind the proxy sent. More servers would not reduce them. */
export const failuresBeforeServers: Rule = {
  id: 'failuresBeforeServers',
  find(facts) {
    const { servers, plan, outcomes, noServer } = facts;
    const names = servers.filter((server) => server.answered > 0);
    // Several targets are requested directly, so no proxy is before them.
    if (names.length < 2 || plan.servers === undefined || plan.targets.length > 1) return [];
    // Responses with the name of the group are excluded, because `noServerLeft` reports them.
    const failed = outcomes.requests.httpError - (noServer?.answers ?? 0);
    const ofServers = servers.reduce((sum, server) => sum + server.failed - server.unanswered, 0);
    const ofNone = failed - ofServers;
    if (
      failed < MIN_FAILURES ||
      failed < MIN_NOTICEABLE_SHARE * answeredRequests(outcomes.requests) ||
      ofNone < MIN_UNATTRIBUTED_SHARE * failed
    )
      return [];
    return [beforeServers(this.id, facts, ofNone, names.length)];
  },
};

function beforeServers(id: string, { plan, outcomes, servers }: MeasuredRun, ofNone: number, count: number): Found {
  const complete = answeredRequests(outcomes.requests);
  return {
    id,
    level: 'warning',
    sentence: `${formatCount(ofNone)} failures did not come from the ${formatCount(count)} servers but from what is in front of them: more servers will not reduce them.`,
    evidence: [`Every response of a server carries the header ${plan.servers?.header ?? ''}; these do not.`],
    figures: [
      figure('Failures without a server’s name', `${formatCount(ofNone)} of ${formatCount(complete)} responses`),
      ...servers.map(({ name, failed, answered: of }) => figure(name, `${formatCount(failed)} of ${formatCount(of)} failed`)),
    ],
    remedy: 'Check the proxy’s error log at that time, its limits of files and connections, and its time-outs.',
    confidence: 'likely',
    range: null,
  };
}
