import { z } from 'zod';

const MAX_LISTED = 100;
/** Maximum length of a text in a proposal. */
export const MAX_PROPOSAL_CHARACTERS = 500;

const lineSchema = z.string().max(MAX_PROPOSAL_CHARACTERS);
const linesSchema = z.array(lineSchema).max(MAX_LISTED);

/** What a load asks of a computer that is invited to send a part of it. Its person agrees to it before anything is sent. */
export const proposalSchema = z.strictObject({
  name: lineSchema,
  /** Addresses that get the load, without secrets. */
  targets: linesSchema,
  /** All hosts to which connections are opened, those of the targets included, with their distance. */
  hosts: linesSchema,
  /** Method, path and query of each step. */
  steps: linesSchema,
  /** Further queries, headers and bodies, without secrets. */
  contents: linesSchema,
  /** Names and amounts of the rows and files that are sent. */
  data: linesSchema,
  /** The whole load in sentences. An invited computer sends at most this. */
  load: linesSchema,
  /** Number of requests and duration in a sentence. */
  amount: lineSchema,
  /** null: unknown before the run. */
  durationSeconds: z.number().nullable(),
  /** Digest of all that the load generator gets (`jobDigest`), secrets and data included. */
  digest: z.string().max(100),
});
export type Proposal = z.infer<typeof proposalSchema>;
