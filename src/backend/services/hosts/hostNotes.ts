import type { ClockOffset, HostFacts } from '#core/plan/schema/hosts.ts';
import { OLDEST_NODE } from '#backend/remote/host/facts.ts';

/** A clock that is off by more should be set: logs of both machines would be read side by side wrongly. */
const LARGE_OFFSET_MS = 1_000;

/** What should be known of a host before a load is run from it, in sentences. */
export function notesOn({ node, nodePackage }: Pick<HostFacts, 'node' | 'nodePackage'>, clock: ClockOffset | null): string[] {
  const notes: string[] = [];
  if (node?.isEnough !== true) {
    const found = node === null ? 'No Node was found there' : `Only Node ${node.version} was found there`;
    const remedy = nodePackage === null ? ', and there is none that could be copied: install it there' : '';
    notes.push(`${found}; loads need Node ${OLDEST_NODE} or newer${remedy}.`);
  }
  if (clock === null) notes.push('Its clock cannot be compared with ours: its “date” knows no parts of a second.');
  else if (Math.abs(clock.aheadMs) > LARGE_OFFSET_MS)
    notes.push(
      `Its clock is ${(Math.abs(clock.aheadMs) / 1_000).toFixed(1)} s ${clock.aheadMs > 0 ? 'ahead of' : 'behind'} ours; loads run all the same.`,
    );
  return notes;
}
