import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jobShape } from '#contract/agent/frames.ts';
import type { LoadJob } from './engine.ts';

const jobSchema = z.object(jobShape);

/**
 * Returns a digest of everything that a load generator gets and may send: the plan, secrets, rows and files, whichever part of the load it is. Only the
 * number of the run, which is also in the User-Agent header, is not covered.
 */
export function jobDigest(job: LoadJob): string {
  // As it arrives over a connection, where fields have the order of the schema.
  const { runId, userAgent, ...sent } = jobSchema.parse(JSON.parse(JSON.stringify(job)));
  const sender = userAgent?.replace(runId, '') ?? null;
  return createHash('sha256')
    .update(JSON.stringify({ ...sent, sender }))
    .digest('base64url');
}
