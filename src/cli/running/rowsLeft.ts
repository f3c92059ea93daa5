import { basename } from 'node:path';
import type { Client } from '#contract/rpc/client.ts';
import { usesRowsUp } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { rowsLeftWords } from '#core/work/populate/state.ts';
import type { Output } from '../output/stream.ts';

interface ReportOptions {
  readonly client: Client;
  readonly err: Output;
  /** Whether all rows may be used again. */
  readonly reuses: boolean;
}

/** Prints, before the load, how many rows of single-use lists are left and which are used. */
export async function reportRowsLeft(plan: Plan, agreed: string[], { client, err, reuses }: ReportOptions): Promise<void> {
  if (!usesRowsUp(plan)) return;
  if (reuses) await client.call('populate.reuseRows', { plan, agreed });
  const { feeds } = await client.call('populate.preview', { plan, agreed });
  for (const feed of feeds) {
    const words = rowsLeftWords(feed);
    if (words !== null) await err.write(`${basename(feed.file)}: ${words}\n`);
  }
}

export const REUSE_ROWS = 'use all rows of lists with “order: once” again, as after the server was reset';
