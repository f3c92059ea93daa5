import { HoldfastError } from '#core/base/errors.ts';
import { checkPlan } from '#core/review/check.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';
import { engineFor } from '#core/review/engines/engineFor.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import { k6OnlyHere } from '#engine/startEngine.ts';
import { type MeasuredPath, PATH_EVENT } from '#core/machines/checks/path/schema.ts';
import { changeWords } from '#core/machines/checks/finding.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { TLS_OFFER_EVENT, type TlsOffer, tlsWords } from '#core/result/tlsOffer.ts';
import { formatMegabits } from '#core/base/units.ts';
import type { Store } from '#backend/store/store.ts';
import { generatorHosts } from './generators/openGenerators.ts';

/** Throws `INVALID_PLAN` with every error. */
export function mayStart(plan: Plan): void {
  const issues = checkPlan(plan).filter(({ level }) => level === 'error');
  if (issues.length > 0)
    throw new HoldfastError({
      code: 'INVALID_PLAN',
      message: issues.length === 1 ? 'The plan has a mistake.' : `The plan has ${issues.length} mistakes.`,
      hint: issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`.trim()).join('\n'),
      data: { issues },
    });
}

/** Throws `K6_ONLY_HERE`, `K6_MISSING` or `K6_VERSION` if k6 cannot run the plan, before anything is stored. */
export async function k6MayStart(plan: Plan, on: readonly string[] | undefined): Promise<void> {
  if (engineFor(plan) !== 'k6') return;
  const hosts = generatorHosts(on);
  if (hosts.length > 1 || hosts.some((host) => host !== null)) throw k6OnlyHere();
  await findK6();
}

/** A path measurement expires after a day: other traffic changes, and clouds move machines. */
const MAX_PATH_AGE_MS = 24 * 3_600_000;

/** Returns events about what happened before a run and belongs to it: changed settings and measured paths. */
export function notesBefore(store: Store, places: readonly string[], plan: Plan, now: Date): RunEvent[] {
  const changes = store.openHostChanges().map((change) => ({ second: 0, kind: 'hostChanged', text: changeWords(change), data: change }));
  const origins = [...new Set(allTargets(plan).map(({ url }) => new URL(url).origin))];
  const paths = places.flatMap((place) => origins.flatMap((origin) => store.findPath(place, origin) ?? []));
  const fresh = paths.filter(({ measuredAt }) => now.getTime() - Date.parse(measuredAt) < MAX_PATH_AGE_MS);
  return [...changes, ...fresh.map((path) => ({ second: 0, kind: PATH_EVENT, text: pathWords(path), data: path }))];
}

/** Returns an event with what an https target offered browsers before the run. */
export function offerNote(offer: TlsOffer, { connections }: Pick<Plan, 'connections'>): RunEvent {
  const [theirs, ours] = [offer.protocol, connections.protocol].map((protocol) => (protocol === 'h2' ? 'HTTP/2' : 'HTTP/1.1'));
  const browsers = theirs === ours ? `Browsers and this test use ${theirs}.` : `Browsers use ${theirs}, this test ${ours}.`;
  return { second: 0, kind: TLS_OFFER_EVENT, text: `${offer.origin}: ${tlsWords(offer)}. ${browsers}`, data: offer };
}

function pathWords({ from, to, megabits, isFull, measuredAt }: MeasuredPath): string {
  return `The path from ${from} to ${to} was measured at ${measuredAt}: ${isFull ? '' : 'at least '}${formatMegabits(megabits)}.`;
}
