import { z } from 'zod';
import { clientCertificateSchema } from '#core/plan/certificates.ts';
import { feedRowsSchema } from '#core/plan/schema/feeds.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { SAMPLING } from '#core/work/samples/schema.ts';

const headersSchema = z.record(z.string(), z.string());
const resolvedTargetSchema = z.strictObject({ url: z.string(), headers: headersSchema });

/** A load as it is given to an agent and to each worker thread, without the part of it that each makes. */
export const jobShape = {
  runId: z.string(),
  plan: planSchema,
  targets: z.array(resolvedTargetSchema),
  /** By name; left out where the plan has none. */
  namedTargets: z.record(z.string(), resolvedTargetSchema).optional(),
  steps: z.array(z.strictObject({ headers: headersSchema, body: z.string().nullable() })),
  /** Values of the plan's variables that are secrets, by name. */
  secrets: z.record(z.string(), z.string()),
  /** Rows of the plan's feeds, by name. */
  feeds: z.record(z.string(), feedRowsSchema),
  /** Contents of the files that steps send, as Base64 by their paths. */
  files: z.record(z.string(), z.string()),
  /** Files that are sent from disk because of their size, by path; left out where there are none. */
  largeFiles: z.record(z.string(), z.strictObject({ path: z.string(), bytes: z.int(), modifiedMs: z.number() })).optional(),
  sampling: z.enum(SAMPLING),
  userAgent: z.string().nullable(),
  clientCertificate: clientCertificateSchema.nullable(),
} as const;

/** Rows of one report: a thread has a report each second. */
const MAX_REPORTED_ROWS = 1_000_000;

/** What became of rows of feeds with `order: once`: which journeys took, and which the server refused at a step of the plan. */
export const rowsReportShape = {
  taken: z.array(z.int().min(0)).max(MAX_REPORTED_ROWS),
  refused: z.array(z.strictObject({ row: z.int().min(0), step: z.int().min(0) })).max(MAX_REPORTED_ROWS),
} as const;
const rowsReportSchema = z.strictObject(rowsReportShape);
export type RowsReport = z.infer<typeof rowsReportSchema>;
