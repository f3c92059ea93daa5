import { isSameProposal, describeProposal } from '#core/review/proposal.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { readGraceSeconds } from '#core/plan/requests.ts';
import type { TextOrSecret } from '#core/plan/schema/plan.ts';
import type { LineToAgent, ToAgent } from '#contract/agent/frames.ts';
import { jobDigest } from '#engine/jobDigest.ts';
import { otherLoad } from './problems.ts';

type Job = Extract<ToAgent, { type: 'run' }>['job'];

/** Limits what an inviting computer can make an agent do: run, only once, the load to which the user of this computer has agreed. */
export class JobGate {
  private readonly agreed: Proposal;
  private run: Job | null = null;

  constructor(agreed: Proposal) {
    this.agreed = agreed;
  }

  /** The accepted job; null before. */
  get job(): Job | null {
    return this.run;
  }

  /** Throws `OTHER_LOAD` for anything to which the user has not agreed. */
  check(line: LineToAgent): void {
    if (line.type === 'resume') throw otherLoad('to take over another connection');
    if (line.type !== 'message') return;
    const { message } = line;
    if (message.type === 'path') throw otherLoad('to measure the network');
    if (message.type !== 'run') return;
    if (this.run !== null) throw otherLoad('a second run');
    this.checkJob(message.job);
    this.run = message.job;
  }

  private checkJob(job: Job): void {
    const { plan, largeFiles, runId } = job;
    const proposal = describeProposal(plan, { ...job, digest: jobDigest(job) });
    if (proposal === null || !isSameProposal(proposal, this.agreed)) throw otherLoad('another load');
    if (!resolvesPlan(job) || !RUN_ID_PATTERN.test(runId)) throw otherLoad('to send something else than its plan says');
    if (largeFiles !== undefined && Object.keys(largeFiles).length > 0) throw otherLoad('to send files of this computer');
    // An agent that waits for a reconnect would continue its load when this process is killed.
    if (readGraceSeconds(plan) !== 0) throw otherLoad('to continue without a connection');
  }
}

/** The id of a run is part of the User-Agent header, so only these characters are accepted. */
const RUN_ID_PATTERN = /^[\w-]{1,60}$/;

/** Returns whether addresses, headers and bodies of a job are those of its plan. Where the plan has a secret, any text is accepted. */
function resolvesPlan({ plan, targets, namedTargets = {}, steps, userAgent, runId }: Job): boolean {
  const planned = [...plan.targets, ...sortByName(plan.namedTargets ?? {})];
  const resolved = [...targets, ...sortByName(namedTargets)];
  return (
    (userAgent === null || /^Holdfast\/[\w.+-]{1,40} \(run (.+)\)$/.exec(userAgent)?.[1] === runId) &&
    planned.length === resolved.length &&
    plan.journey.length === steps.length &&
    planned.every(({ url, headers, cookie, auth }, index) => {
      const secrets = { ...(cookie === undefined ? {} : { Cookie: cookie }), ...(auth === undefined ? {} : { Authorization: HIDDEN }) };
      return url === resolved[index]?.url && resolvesHeaders({ ...headers, ...secrets }, resolved[index].headers);
    }) &&
    plan.journey.every(({ headers, body }, index) => {
      const step = steps[index];
      return step !== undefined && resolvesHeaders(headers, step.headers) && resolvesText(body ?? null, step.body);
    })
  );
}

const HIDDEN = { secret: '' };

function resolvesHeaders(planned: Readonly<Record<string, TextOrSecret>>, resolved: Readonly<Record<string, string>>): boolean {
  const values = new Map(Object.entries(resolved));
  const names = Object.entries(planned);
  return names.length === values.size && names.every(([name, value]) => resolvesText(value, values.get(name)));
}

function resolvesText(planned: TextOrSecret | null | undefined, resolved: string | null | undefined): boolean {
  return typeof planned === 'object' && planned !== null ? typeof resolved === 'string' : planned === resolved;
}

function sortByName<Value>(named: Readonly<Record<string, Value>>): Value[] {
  return Object.entries(named)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value);
}
