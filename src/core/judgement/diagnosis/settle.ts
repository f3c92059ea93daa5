import type { Finding } from '#core/result/schema.ts';
import type { Found } from './rule.ts';

const ORDER: Readonly<Record<Finding['level'], number>> = { problem: 0, warning: 1, info: 2 };

/**
 * What rules found, so that nothing is said twice and nothing stands beside its contradiction: what a more exact finding takes the place of is
 * left out, the gravest come first. A finding never takes its own place, and one that was itself left out takes
 * nobody's.
 */
export function settle(found: readonly Found[]): Finding[] {
  const left = new Set<Found>();
  // In the order of the rules, the most exact of which stand first.
  for (const finding of found) {
    if (left.has(finding)) continue;
    for (const other of found) if (other !== finding && replaces(finding, other.id)) left.add(other);
  }
  return found
    .filter((finding) => !left.has(finding))
    .map(({ insteadOf: _insteadOf, ...finding }) => finding)
    .sort((one, other) => ORDER[one.level] - ORDER[other.level]);
}

function replaces({ insteadOf = [] }: Found, id: string): boolean {
  return insteadOf.some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
}
