import { foldWindows } from '#core/measurement/windowFold.ts';
import { worstReading } from './foldSchedule.ts';
import type { Stretch } from './together.ts';

/**
 * Folds windows as the core does, each generator's by themselves, and readings beside them to their worst. All generators are cut at the same
 * seconds, where one of them falls sick, recovers, begins or ends: otherwise their windows could not be added up any more.
 */
export function foldStretches(stretches: readonly Stretch[], width: number): Stretch[] {
  const cuts = cutsOf(stretches);
  return [...new Set(stretches.map(({ generator }) => generator))].flatMap((generator) => {
    const own = stretches.filter((stretch) => stretch.generator === generator);
    const folded = foldWindows(
      own.map(({ window }) => window),
      width,
      cuts,
    );
    return folded.flatMap((window) => {
      const inside = own.filter(({ window: { second } }) => second >= window.second && second < window.second + window.width);
      const [first, ...others] = inside.map(({ reading }) => reading);
      return first ? [{ generator, window, reading: { ...worstReading(first, others), second: window.second } }] : [];
    });
  });
}

/** Seconds at which the generators that were there, or what ailed them, changed. */
function cutsOf(stretches: readonly Stretch[]): Set<number> {
  const looks = new Map<number, string[]>();
  for (const { generator, window } of stretches) {
    const look = looks.get(window.second) ?? [];
    look.push(`${generator} ${window.sick.join(' ')}`);
    looks.set(window.second, look);
  }
  const cuts = new Set<number>();
  let before: string | null = null;
  for (const [second, look] of [...looks].sort(([one], [other]) => one - other)) {
    const now = look.sort().join(', ');
    if (now !== before) cuts.add(second);
    before = now;
  }
  return cuts;
}
