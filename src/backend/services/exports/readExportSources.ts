import type { ExportSources } from '#core/export/exported.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readFeeds } from '../runs/readFeeds.ts';
import { readUploads } from '../runs/readUploads.ts';

/**
 * The files that a plan names, for an export that takes them along.
 * @throws {HoldfastError} when one of them cannot be read.
 */
export async function readExportSources(plan: Plan): Promise<ExportSources> {
  return { feeds: await readFeeds(plan), uploads: await readUploads(plan) };
}
