import type { Finding } from '#core/result/schema.ts';

/** What a finding follows from, for texts without a table: its numbers first, then what they mean. */
export function evidenceLines({ figures = [], evidence }: Pick<Finding, 'figures' | 'evidence'>): string[] {
  return [...figures.map(({ what, value }) => `${what}: ${value}`), ...evidence];
}
