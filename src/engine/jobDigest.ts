import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jobShape } from '#contract/agent/frames.ts';
import type { LoadJob } from './engine.ts';

const jobSchema = z.object(jobShape);

/**
 * Returns a digest of everything that a load generator gets and may send: the plan, secrets, rows and files, for any part of the load. Only
 * the id of the run, which is also in the User-Agent header, is not covered.
 */
export function jobDigest(job: LoadJob): string {
  // The job is parsed as if it had arrived over a connection, which puts its fields in the order of the schema.
  const { runId, userAgent, ...sent } = jobSchema.parse(JSON.parse(JSON.stringify(job)));
  const sender = userAgent?.replace(runId, '') ?? null;
  return createHash('sha256')
    .update(JSON.stringify({ ...sent, sender }))
    .digest('base64url');
}
