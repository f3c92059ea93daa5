import { availableParallelism } from 'node:os';
import { rowsNeeded } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount } from '#core/base/units.ts';
import { nginxConfiguration } from '#core/machines/checks/host/surroundings.ts';
import { sharesMachine } from '#engine/startEngine.ts';
import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { UsedRows } from '../runs/usedRows.ts';
import { checkFeeds } from '../runs/readFiles.ts';
import { type Check, type OwnCertificate, makePlanFacts, type PlanFacts, type Unknown } from './check.ts';
import { type AskDatabase, databaseRights } from './databaseRights.ts';
import { serversBehind, targetReachable, targetProtocol } from './targetChecks.ts';

interface Lists {
  readonly problems: readonly { readonly message: string; readonly hint: string }[];
  readonly has: readonly string[];
}

const feedsCheck = (used: UsedRows | null): Check<Lists> => ({
  id: 'feeds',
  about: 'Lists of accounts and values',
  appliesTo: ({ isAgreed }) => isAgreed,
  async probe({ plan }) {
    const looked = await checkFeeds(plan, used);
    const has = Object.entries(plan.feeds ?? {}).flatMap(([name, feed]) => {
      const rows = getOwn(looked.feeds, name)?.rows.length;
      const spent = getOwn(looked.spent, name);
      const left = spent === undefined ? '' : ` left, ${formatCount(spent.length)} spent`;
      return rows === undefined ? [] : [`“${name}”: ${formatCount(rows)} rows${left}, ${formatCount(rowsNeeded(plan, feed))} needed`];
    });
    return { problems: looked.problems, has };
  },
  judge({ problems, has }, { plan }) {
    const [first] = problems;
    if (first === undefined) return { level: 'ok', title: 'Lists are long enough', evidence: has.join('; '), matters: '', remedy: null };
    const makes = plan.populate === undefined ? '' : ' Once rows are in the list, the plan can create them on the target.';
    return {
      level: 'problem',
      title: first.message,
      evidence: problems
        .slice(1)
        .map(({ message }) => message)
        .join(' '),
      matters: `The run cannot start.${makes}`,
      remedy: { text: [...new Set(problems.map(({ hint }) => hint))].join(' '), command: null, undo: null, risk: '' },
    };
  },
});

/** Lists the servers that a plan names individually, and suggests the configuration of a proxy in front of them. Sends nothing. */
const serverList: Check<readonly string[]> = {
  id: 'serverList',
  about: 'Servers that share the work',
  appliesTo: ({ plan }) => listOrigins(plan.targets).length > 1,
  probe: ({ plan }) => listOrigins(plan.targets),
  judge(origins) {
    const isOneScheme = new Set(origins.map((origin) => new URL(origin).protocol)).size === 1;
    return {
      level: 'info',
      title: `${formatCount(origins.length)} servers, each a target of its own`,
      evidence: `${origins.map((origin) => new URL(origin).host).join(', ')}.`,
      matters: 'The load is shared evenly among them, without the usual proxy. Visitors who come through a proxy also have its limits.',
      remedy: isOneScheme
        ? {
            text: 'To test through one address instead, let nginx use them in turn with this in http { … }. Then enter its address as the only target, and X-Upstream as the header that names the server:',
            command: nginxConfiguration(origins),
            undo: null,
            risk: 'Servers that remember a visitor (as CMS does for notifications) need “hash $remote_addr;” in the upstream block. Then all load from one computer reaches one server.',
          }
        : null,
    };
  },
};

function listOrigins(targets: readonly { readonly url: string }[]): string[] {
  return [...new Set(targets.map(({ url }) => new URL(url).origin))];
}

interface MachineSharing {
  readonly shares: boolean;
  readonly cores: number;
}

export const sharedMachine: Check<MachineSharing> = {
  id: 'sharedMachine',
  about: 'Where the target runs',
  appliesTo: ({ isAgreed }) => isAgreed,
  probe: async ({ plan }) => ({ shares: await sharesMachine(plan), cores: availableParallelism() }),
  judge({ shares, cores }, { targetHosts }) {
    const hosts = targetHosts.join(', ');
    if (!shares)
      return {
        level: 'ok',
        title: 'The target runs on another machine',
        evidence: hosts,
        matters: 'The load does not take cores away from it.',
        remedy: null,
      };
    return {
      level: 'info',
      title: 'The target runs on this computer',
      evidence: hosts,
      matters: `Load and target share ${cores === 1 ? 'one core' : `${cores} cores`} and slow each other down. The figures show this computer with both, not the server alone.`,
      remedy: { text: 'For reliable figures, send the load from a second computer.', command: null, undo: null, risk: '' },
    };
  },
};

type Run = (facts: PlanFacts) => Promise<CheckFinding | null>;

/** The checks that need only the plan's facts, in the order in which they are shown. */
const CHECKS: readonly Run[] = [
  runnable(sharedMachine),
  runnable(targetReachable),
  runnable(targetProtocol),
  runnable(serversBehind),
  runnable(serverList),
];

/**
 * Checks plan and target from this machine. A fact that cannot be read is `unknown`, never `ok`. An error in one check does not stop the
 * other checks.
 */
export async function checkPlan(
  plan: Plan,
  clientCertificate: OwnCertificate,
  { isAgreed, askDatabase, used }: { readonly isAgreed: boolean; readonly askDatabase: AskDatabase; readonly used: UsedRows | null },
): Promise<CheckFinding[]> {
  const facts = makePlanFacts(plan, clientCertificate, isAgreed);
  const checks = [...(plan.feeds === undefined ? [] : [runnable(feedsCheck(used))]), ...CHECKS, runnable(databaseRights(askDatabase))];
  const findings = await Promise.all(checks.map((run) => run(facts)));
  return dropFollowUps(findings.filter((finding) => finding !== null));
}

/** Drops the finding about an unknown protocol for targets that cannot be reached. */
function dropFollowUps(findings: readonly CheckFinding[]): CheckFinding[] {
  const isReached = findings.every(({ id, level }) => id !== targetReachable.id || level !== 'problem');
  return findings.filter(({ id, level }) => isReached || id !== targetProtocol.id || level !== 'unknown');
}

function runnable<Reading>(check: Check<Reading>): Run {
  return async (facts) => {
    if (check.appliesTo?.(facts) === false) return null;
    try {
      const reading = await check.probe(facts);
      return isUnknown(reading) ? unknownFinding(check, reading.unknown) : { id: check.id, ...check.judge(reading, facts) };
    } catch (thrown) {
      return unknownFinding(check, thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
}

function isUnknown<Reading>(reading: Reading | Unknown): reading is Unknown {
  return typeof reading === 'object' && reading !== null && 'unknown' in reading;
}

function unknownFinding({ id, about }: Pick<Check<unknown>, 'id' | 'about'>, reason: string): CheckFinding {
  return { id, level: 'unknown', title: `${about}: unknown`, evidence: reason, matters: 'Not checked for this plan.', remedy: null };
}
