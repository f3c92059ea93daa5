import { z } from 'zod';
import { visibleLine } from '#core/base/text.ts';
import { REACHES } from '#core/plan/hosts/generatorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { loadSentences } from '#core/work/load/loadWords.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { listTargets } from '#core/plan/url.ts';
import type { Purpose } from './asks/fields.ts';
import { listAsks } from './asks/ask.ts';
import { amountSentence } from './describe.ts';

const MAX_LISTED = 200;
const MAX_CHARACTERS = 2_000;

const lineSchema = z.string().max(MAX_CHARACTERS);
const linesSchema = z.array(lineSchema).max(MAX_LISTED);

/** What a load asks of a computer that is invited to send a part of it. Its person agrees to it before anything is sent. */
export const proposalSchema = z.strictObject({
  name: lineSchema,
  /** Origins that get the load. */
  targets: linesSchema,
  /** All hosts to which connections are opened, those of the targets included. */
  hosts: z.array(z.strictObject({ name: lineSchema, reach: z.enum(REACHES) })).max(MAX_LISTED),
  /** Method and path of each step. */
  steps: linesSchema,
  /** The whole load in sentences. An invited computer sends at most this. */
  load: linesSchema,
  /** Number of requests and duration in a sentence. */
  amount: lineSchema,
  /** null: unknown before the run. */
  durationSeconds: z.number().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** The purposes for which a load generator itself opens connections. The inviting computer does everything else. */
const SENT_FOR: ReadonlySet<Purpose> = new Set(['load', 'sideCall', 'page', 'watch', 'request']);

/**
 * Returns what the plan asks of an invited computer; null if such a computer cannot send its load: with a Unix socket, the engine k6, or
 * more hosts, stages or steps than a person can read. Equal plans have equal proposals.
 */
export function describeProposal(plan: Plan): Proposal | null {
  const asks = listAsks({ plan }).filter(({ uses }) => uses.some((use) => SENT_FOR.has(use.for)));
  if (plan.engine === 'k6' || asks.some(({ kind }) => kind === 'socket')) return null;
  const proposal = proposalSchema.safeParse({
    name: shortLine(plan.name),
    targets: [...new Set(listTargets(plan).map(({ url }) => new URL(url).origin))],
    hosts: asks.flatMap(({ kind, name, reach }) => (kind === 'host' && reach !== null ? [{ name: shortLine(name), reach }] : [])),
    steps: plan.journey.map(({ method, path }) => shortLine(`${method} ${path.replace(/\?.*$/s, '?…')}`)),
    load: loadSentences(plan).map(shortLine),
    amount: shortLine(amountSentence(plan)),
    durationSeconds: computePlannedSeconds(plan),
  });
  return proposal.success ? proposal.data : null;
}

export function isSameProposal(one: Proposal, other: Proposal): boolean {
  return JSON.stringify(proposalSchema.parse(one)) === JSON.stringify(proposalSchema.parse(other));
}

const SHOWN_STEPS = 8;

/** Returns the lines by which a person decides. Texts of the inviting computer are shown without control characters. */
export function proposalLines({ name, targets, hosts, steps, load, amount }: Proposal): string[] {
  const others = steps.length > SHOWN_STEPS ? [`and ${steps.length - SHOWN_STEPS} more`] : [];
  return [
    `Test: ${name}`,
    `Target: ${targets.join(', ')}`,
    `Connections to: ${hosts.map(hostText).join(', ')}`,
    `Requests: ${[...steps.slice(0, SHOWN_STEPS), ...others].join(', ')}`,
    ...load.map((sentence) => `Load of all computers: ${sentence}`),
    amount,
  ].map(shortLine);
}

function hostText({ name, reach }: Proposal['hosts'][number]): string {
  return reach === 'loopback' ? `${name} (this means your own computer)` : reach === 'private' ? `${name} (private network)` : name;
}

function shortLine(text: string): string {
  const line = visibleLine(text);
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}
