import { visibleLine } from '#core/base/text.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { loadSentences } from '#core/work/load/loadWords.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { listTargets } from '#core/plan/url.ts';
import type { Purpose } from './asks/fields.ts';
import { type Ask, listAsks } from './asks/ask.ts';
import { amountSentence } from './describe.ts';
import { listContents, listData, maskPlan, type SentData } from './proposalContents.ts';
import { MAX_PROPOSAL_CHARACTERS, type Proposal, proposalSchema } from './proposalSchema.ts';

/** The purposes for which a load generator itself opens connections. The inviting computer does everything else. */
const SENT_FOR: ReadonlySet<Purpose> = new Set(['load', 'sideCall', 'page', 'watch', 'request']);

/** Data that a load generator gets beside the plan, with the digest of everything that it gets. */
export interface ProposedData extends SentData {
  readonly digest: string;
}

/**
 * Returns what the plan asks of an invited computer; null if such a computer cannot send its load: with a Unix socket, the engine k6, or
 * more hosts, stages or steps than a person can read. Hosts and the load are never shortened. Equal plans with equal data have equal
 * proposals.
 */
export function describeProposal(plan: Plan, { digest, ...data }: ProposedData): Proposal | null {
  const asks = listAsks({ plan }).filter(({ uses }) => uses.some((use) => SENT_FOR.has(use.for)));
  if (plan.engine === 'k6' || asks.some(({ kind }) => kind === 'socket')) return null;
  const masked = maskPlan(plan);
  const proposal = proposalSchema.safeParse({
    name: shortLine(plan.name),
    targets: [...new Set(listTargets(masked).map(({ url }) => shortLine(url)))],
    hosts: asks.flatMap((ask) => (ask.kind === 'host' ? [visibleLine(hostText(ask))] : [])),
    steps: masked.journey.map(({ method, path }) => shortLine(`${method} ${path === '' ? 'the address itself' : path}`)),
    contents: listContents(masked).map(shortLine),
    data: listData(data).map(shortLine),
    load: loadSentences(plan).map(visibleLine),
    amount: visibleLine(amountSentence(plan)),
    durationSeconds: computePlannedSeconds(plan),
    digest,
  });
  return proposal.success ? proposal.data : null;
}

export function isSameProposal(one: Proposal, other: Proposal): boolean {
  return JSON.stringify(proposalSchema.parse(one)) === JSON.stringify(proposalSchema.parse(other));
}

/** Returns whether a proposal is about this plan, apart from its secrets and data. */
export function isSamePlan(plan: Plan, { data, digest, ...shown }: Proposal): boolean {
  const proposal = describeProposal(plan, { feeds: {}, files: {}, digest });
  return proposal !== null && isSameProposal({ ...proposal, data }, { ...shown, data, digest });
}

/** What a person should consider before agreeing. */
export const PROPOSAL_ADVICE = 'Agree only to what you know. Load only servers that are yours, or whose owner has agreed.';

/** A fact by which a person decides, with its name. `lines`: the parts of a fact that is a list; otherwise one. */
interface ProposalFact {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Returns everything that a person decides by. Texts of the inviting computer are shown without control characters. */
export function listProposalFacts({ name, targets, hosts, steps, contents, data, load, amount }: Proposal): ProposalFact[] {
  return [
    { name: 'Test', lines: [name] },
    { name: 'Target', lines: [targets.join(', ')] },
    { name: 'Connections to', lines: [hosts.join(', ')] },
    { name: 'Requests', lines: [steps.join(', ')] },
    { name: 'Headers and bodies', lines: contents },
    { name: 'Rows and files', lines: data },
    { name: 'Load of all computers', lines: [load.join(' ')] },
    { name: 'Amount', lines: [amount] },
  ]
    .filter(({ lines }) => lines.length > 0)
    .map((fact) => ({ ...fact, lines: [...new Set(fact.lines.map(visibleLine))] }));
}

function hostText({ name, reach }: Ask): string {
  return reach === 'loopback' ? `${name} (this means your own computer)` : reach === 'private' ? `${name} (private network)` : name;
}

function shortLine(text: string): string {
  const line = visibleLine(text);
  return line.length <= MAX_PROPOSAL_CHARACTERS ? line : `${line.slice(0, MAX_PROPOSAL_CHARACTERS - 1)}…`;
}
