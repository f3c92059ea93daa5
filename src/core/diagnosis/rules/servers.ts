import { targetOfServer } from '#core/plan/serverNames.ts';
import type { Finding } from '#core/report/result.ts';
import type { ServerResult } from '#core/report/servers.ts';
import { formatCount, formatPercent } from '#core/units.ts';
import { NEGLIGIBLE_SHARE, type Rule } from '../rule.ts';

/** Fewer answers than this may come from one server by chance. */
const LEAST_ANSWERS = 20;
/** The busiest of several has so many times what would be its even share. */
const UNEVEN = 1.5;
/** One that fails so many times as often as the others together is at fault itself. */
const FAR_MORE_OFTEN = 3;

/** Several servers of which one got all the work: what is measured is that one. */
export const oneServer: Rule = {
  id: 'oneServer',
  find({ servers, plan }) {
    const answering = servers.filter(({ answered }) => answered > 0);
    const [only] = answering;
    if (only === undefined || answering.length > 1 || plan.servers === undefined || plan.targets.length > 1) return [];
    const { header, expected } = plan.servers;
    if (expected === 1 || only.answered < LEAST_ANSWERS) return [];
    return [
      {
        id: this.id,
        level: expected === undefined ? 'info' : 'problem',
        sentence:
          expected === undefined
            ? `All ${formatCount(only.answered)} answers came from one server, “${only.name}”.`
            : `All ${formatCount(only.answered)} answers came from “${only.name}”, one of ${formatCount(expected)} servers: the others did nothing.`,
        evidence: [`The header ${header} of every answer says “${only.name}”.`],
        remedy:
          'A proxy that chooses the server by the address of the visitor (nginx: hash $remote_addr, ip_hash) sends all load of one computer to one server, while real visitors are spread. If there are more servers, test through a proxy that takes them in turn, name each of them as a target, or send the load from several addresses.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

/** Servers that share the work, and do not share it evenly. */
export const unevenServers: Rule = {
  id: 'unevenServers',
  find({ servers }) {
    const answering = servers.filter(({ answered }) => answered > 0);
    const busiest = answering.reduce<ServerResult | null>(
      (most, one) => (most === null || one.answered > most.answered ? one : most),
      null,
    );
    const total = answering.reduce((sum, { answered }) => sum + answered, 0);
    if (busiest === null || answering.length < 2 || total < LEAST_ANSWERS * answering.length) return [];
    const even = total / answering.length;
    if (busiest.answered < UNEVEN * even) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `“${busiest.name}” gave ${formatPercent(busiest.share)} answers of ${answering.length} servers; an even share would be ${formatPercent(1 / answering.length)}.`,
        evidence: answering.map(({ name, answered }) => `${name}: ${formatCount(answered)} answers`),
        remedy:
          'Look how the proxy shares the work: by the address of the visitor, few generators are a few visitors. A server that is faster also gets more where connections ask again as soon as they are answered.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

/** A server that was asked and was not there, for some time or all the time. */
export const serverDown: Rule = {
  id: 'serverDown',
  find({ servers, durationSeconds }) {
    if (servers.length < 2) return [];
    return servers.flatMap((server): Finding[] => {
      const [first] = server.silent;
      const last = server.silent.at(-1);
      if (first === undefined || last === undefined) return [];
      const seconds = server.silent.reduce((sum, { fromSecond, toSecond }) => sum + toSecond - fromSecond, 0);
      const answered = server.answered + answeredBehind(server, servers);
      const isDead = answered === 0;
      const isBack = !isDead && durationSeconds !== null && last.toSecond < durationSeconds - 1;
      const times = server.silent.length === 1 ? 'once' : `${server.silent.length} times`;
      return [
        {
          id: `${this.id}.${server.name}`,
          level: 'problem',
          sentence: isDead
            ? `“${server.name}” never answered: ${server.unanswered === 1 ? 'one request' : `${formatCount(server.unanswered)} requests`} to it failed.`
            : `“${server.name}” was away ${times}, ${formatCount(seconds)} s in all${isBack ? ', and came back: it was restarted, or restarts by itself' : ', and was still away at the end'}.`,
          evidence: [
            `${formatCount(server.unanswered)} requests to it got no answer, ${formatCount(answered)} did.`,
            ...server.silent.slice(0, 5).map(({ fromSecond, toSecond }) => `No answer from second ${fromSecond} to ${toSecond}.`),
          ],
          remedy: isDead
            ? 'Start it, or take it out of the list. The others did its work only if a proxy sent it to them.'
            : 'Look into its log for that time. Several servers of CMS under one ResourceService restart when one of them does not answer in time.',
          confidence: 'certain',
          range: { fromSecond: first.fromSecond, toSecond: last.toSecond },
        },
      ];
    });
  },
};

/** One of several servers that fails while the others do not. */
export const failingServer: Rule = {
  id: 'failingServer',
  find({ servers }) {
    if (servers.length < 2) return [];
    return servers.flatMap((server): Finding[] => {
      if (server.silent.length > 0 || answeredBehind(server, servers) > 0) return [];
      const others = servers.filter((other) => other !== server);
      const share = shareFailed([server]);
      if (share < 10 * NEGLIGIBLE_SHARE || share < FAR_MORE_OFTEN * shareFailed(others)) return [];
      return [
        {
          id: `${this.id}.${server.name}`,
          level: 'problem',
          sentence: `${formatPercent(share)} requests to “${server.name}” failed, ${formatPercent(shareFailed(others))} of those to the other servers.`,
          evidence: servers.map(
            ({ name, failed, answered, unanswered }) => `${name}: ${formatCount(failed)} of ${formatCount(answered + unanswered)} failed`,
          ),
          remedy: 'Look what this server has that the others have not: its log, its connections to the database, its load.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

/** Answers of servers that stand behind this one and name themselves: what had no answer is told of it alone. */
function answeredBehind({ name }: ServerResult, servers: readonly ServerResult[]): number {
  return servers.reduce((sum, other) => sum + (targetOfServer(other.name) === name ? other.answered : 0), 0);
}

function shareFailed(servers: readonly ServerResult[]): number {
  const asked = servers.reduce((sum, { answered, unanswered }) => sum + answered + unanswered, 0);
  return asked === 0 ? 0 : servers.reduce((sum, { failed }) => sum + failed, 0) / asked;
}
