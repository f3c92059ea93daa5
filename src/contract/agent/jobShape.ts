import { z } from 'zod';
import { clientCertificateSchema } from '#core/plan/certificates.ts';
import { feedRowsSchema } from '#core/plan/schema/feeds.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { SAMPLING } from '#core/work/samples/schema.ts';

const headersSchema = z.record(z.string(), z.string());
const resolvedTargetSchema = z.strictObject({ url: z.string(), headers: headersSchema });

/** A load for an agent or a worker thread, without the part that it runs. */
export const jobShape = {
  runId: z.string(),
  plan: planSchema,
  targets: z.array(resolvedTargetSchema),
  /** By name; omitted without named targets. */
  namedTargets: z.record(z.string(), resolvedTargetSchema).optional(),
  steps: z.array(z.strictObject({ headers: headersSchema, body: z.string().nullable() })),
  /** Values of secret variables by name. */
  secrets: z.record(z.string(), z.string()),
  /** Feed rows by name. */
  feeds: z.record(z.string(), feedRowsSchema),
  /** Contents of sent files in Base64, by path. */
  files: z.record(z.string(), z.string()),
  /** Large files that are sent from disk, by path; omitted without any. */
  largeFiles: z.record(z.string(), z.strictObject({ path: z.string(), bytes: z.int(), modifiedMs: z.number() })).optional(),
  sampling: z.enum(SAMPLING),
  userAgent: z.string().nullable(),
  clientCertificate: clientCertificateSchema.nullable(),
} as const;

/** Maximum number of rows per report; a thread reports once a second. */
const MAX_REPORTED_ROWS = 1_000_000;

/** Rows of feeds with `order: once` that journeys used, and those that the server refused at a step. */
export const rowsReportShape = {
  taken: z.array(z.int().min(0)).max(MAX_REPORTED_ROWS),
  refused: z.array(z.strictObject({ row: z.int().min(0), step: z.int().min(0) })).max(MAX_REPORTED_ROWS),
} as const;
const rowsReportSchema = z.strictObject(rowsReportShape);
export type RowsReport = z.infer<typeof rowsReportSchema>;
