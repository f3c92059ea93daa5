import { isSameProposal, describeProposal } from '#core/review/proposal.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { readGraceSeconds } from '#core/plan/requests.ts';
import type { LineToAgent, ToAgent } from '#contract/agent/frames.ts';
import { otherLoad } from './problems.ts';

type Job = Extract<ToAgent, { type: 'run' }>['job'];

/** What an inviting computer may have an agent do: run one load, which is the one that the person of this computer agreed to. */
export class JobGate {
  private readonly agreed: Proposal;
  private run: Job | null = null;

  constructor(agreed: Proposal) {
    this.agreed = agreed;
  }

  /** The job that was let through; null before. */
  get job(): Job | null {
    return this.run;
  }

  /** Throws `OTHER_LOAD` for anything that the person did not agree to. */
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

  private checkJob({ plan, targets, namedTargets = {}, largeFiles }: Job): void {
    const proposal = describeProposal(plan);
    if (proposal === null || !isSameProposal(proposal, this.agreed)) throw otherLoad('another load');
    const planned = [...plan.targets.map(({ url }) => url), ...listUrls(plan.namedTargets)];
    const resolved = [...targets.map(({ url }) => url), ...listUrls(namedTargets)];
    if (planned.length !== resolved.length || planned.some((url, index) => originOf(url) !== originOf(resolved[index])))
      throw otherLoad('another target');
    if (largeFiles !== undefined && Object.keys(largeFiles).length > 0) throw otherLoad('to send files of this computer');
    // An agent that waits for a reconnect would continue its load when this process is killed.
    if (readGraceSeconds(plan) !== 0) throw otherLoad('to continue without a connection');
  }
}

/** Returns the addresses of named targets, sorted by their names. */
function listUrls(named: Readonly<Record<string, { readonly url: string }>> | undefined): string[] {
  return Object.entries(named ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { url }]) => url);
}

function originOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
