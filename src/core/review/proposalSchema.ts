import { z } from 'zod';

const MAX_LISTED = 100;
/** Maximum length of a text in a proposal. */
export const MAX_PROPOSAL_CHARACTERS = 500;

const lineSchema = z.string().max(MAX_PROPOSAL_CHARACTERS);
const linesSchema = z.array(lineSchema).max(MAX_LISTED);

/** What a load asks of a computer that is invited to send a part of it. Its person agrees to it before anything is sent. */
export const proposalSchema = z.strictObject({
  name: lineSchema,
  /** Origins that get the load. */
  targets: linesSchema,
  /** All hosts to which connections are opened, those of the targets included, with their distance. */
  hosts: linesSchema,
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
