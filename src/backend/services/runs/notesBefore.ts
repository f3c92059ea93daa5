import { type MeasuredPath, PATH_EVENT } from '#core/machines/checks/path/schema.ts';
import { changeWords } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { formatMegabits } from '#core/base/units.ts';
import type { Store } from '#backend/store/store.ts';

/** A measurement of a way says nothing of it a day later: others use it, and clouds move machines. */
const PATH_LASTS_MS = 24 * 3_600_000;

/** What was done on its machines before a run, and belongs to it, whoever reads it later: settings that were changed, and ways that were measured. */
export function notesBefore(store: Store, places: readonly string[], plan: Plan, now: Date): RunEvent[] {
  const changes = store.openHostChanges().map((change) => ({ second: 0, kind: 'hostChanged', text: changeWords(change), data: change }));
  const origins = [...new Set(plan.targets.map(({ url }) => new URL(url).origin))];
  const paths = places.flatMap((place) => origins.flatMap((origin) => store.findPath(place, origin) ?? []));
  const fresh = paths.filter(({ measuredAt }) => now.getTime() - Date.parse(measuredAt) < PATH_LASTS_MS);
  return [...changes, ...fresh.map((path) => ({ second: 0, kind: PATH_EVENT, text: pathWords(path), data: path }))];
}

function pathWords({ from, to, megabits, isFull, measuredAt }: MeasuredPath): string {
  return `The way from ${from} to ${to} was measured at ${measuredAt}: ${isFull ? '' : 'at least '}${formatMegabits(megabits)}.`;
}
