import { visibleLine } from '#core/base/text.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { loadSentences } from '#core/work/load/loadWords.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { listTargets } from '#core/plan/url.ts';
import type { Purpose } from './asks/fields.ts';
import { type Ask, listAsks } from './asks/ask.ts';
import { amountSentence } from './describe.ts';
import { MAX_PROPOSAL_CHARACTERS, type Proposal, proposalSchema } from './proposalSchema.ts';

/** The purposes for which a load generator itself opens connections. The inviting computer does everything else. */
const SENT_FOR: ReadonlySet<Purpose> = new Set(['load', 'sideCall', 'page', 'watch', 'request']);

/**
 * Returns what the plan asks of an invited computer; null if such a computer cannot send its load: with a Unix socket, the engine k6, or
 * more hosts, stages or steps than a person can read. Hosts and the load are never shortened. Equal plans have equal proposals.
 */
export function describeProposal(plan: Plan): Proposal | null {
  const asks = listAsks({ plan }).filter(({ uses }) => uses.some((use) => SENT_FOR.has(use.for)));
  if (plan.engine === 'k6' || asks.some(({ kind }) => kind === 'socket')) return null;
  const proposal = proposalSchema.safeParse({
    name: shortLine(plan.name),
    targets: [...new Set(listTargets(plan).map(({ url }) => new URL(url).origin))],
    hosts: asks.flatMap((ask) => (ask.kind === 'host' ? [visibleLine(hostText(ask))] : [])),
    steps: plan.journey.map(({ method, path }) =>
      shortLine(`${method} ${path === '' ? 'the address itself' : path.replace(/\?.*$/s, '?…')}`),
    ),
    load: loadSentences(plan).map(visibleLine),
    amount: visibleLine(amountSentence(plan)),
    durationSeconds: computePlannedSeconds(plan),
  });
  return proposal.success ? proposal.data : null;
}

export function isSameProposal(one: Proposal, other: Proposal): boolean {
  return JSON.stringify(proposalSchema.parse(one)) === JSON.stringify(proposalSchema.parse(other));
}

/** What a person should consider before agreeing. */
export const PROPOSAL_ADVICE = 'Agree only to what you know. Load only servers that are yours, or whose owner has agreed.';

/** A fact by which a person decides, with its name. */
interface ProposalFact {
  readonly name: string;
  readonly text: string;
}

/** Returns everything that a person decides by. Texts of the inviting computer are shown without control characters. */
export function listProposalFacts({ name, targets, hosts, steps, load, amount }: Proposal): ProposalFact[] {
  return [
    { name: 'Test', text: name },
    { name: 'Target', text: targets.join(', ') },
    { name: 'Connections to', text: hosts.join(', ') },
    { name: 'Requests', text: steps.join(', ') },
    { name: 'Load of all computers', text: load.join(' ') },
    { name: 'Amount', text: amount },
  ].map((fact) => ({ ...fact, text: visibleLine(fact.text) }));
}

function hostText({ name, reach }: Ask): string {
  return reach === 'loopback' ? `${name} (this means your own computer)` : reach === 'private' ? `${name} (private network)` : name;
}

function shortLine(text: string): string {
  const line = visibleLine(text);
  return line.length <= MAX_PROPOSAL_CHARACTERS ? line : `${line.slice(0, MAX_PROPOSAL_CHARACTERS - 1)}…`;
}
