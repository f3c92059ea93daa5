import type { ExportSources } from '#core/export/exported.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readFeeds } from '../runs/readFeeds.ts';
import { readUploads } from '../runs/readUploads.ts';

/** Reads the files of a plan for an export that includes them. @throws {HoldfastError} if one cannot be read. */
export async function readExportSources(plan: Plan): Promise<ExportSources> {
  return { feeds: await readFeeds(plan), uploads: await readUploads(plan) };
}
