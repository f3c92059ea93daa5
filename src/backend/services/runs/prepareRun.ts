import { findPeopleRules } from '#core/work/journey/people.ts';
import { randomUUID } from 'node:crypto';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { revealPlan } from '#core/plan/hiddenText.ts';
import { hideSecrets, type StorableDocument } from '#core/plan/hideSecrets.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { type TlsOffer, TLS_OFFER_EVENT, formatTls } from '#core/result/tlsOffer.ts';
import type { LoadJob } from '#engine/engine.ts';
import type { Store } from '#backend/store/store.ts';
import type { Redaction } from '#backend/redaction.ts';
import { type RunVisits, openRunVisits } from '#backend/visits/runVisits.ts';
import { connectFrom, type MonitorParts, RunMonitors } from '#backend/monitors/runMonitors.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { checkPlan } from '#core/review/check.ts';
import { listTargets } from '#core/plan/url.ts';
import { chooseEngineFor } from '#core/review/engines/engineFor.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import { k6OnlyLocalError } from '#engine/startEngine.ts';
import { type MeasuredPath, PATH_EVENT } from '#core/machines/checks/path/schema.ts';
import { changeWords } from '#core/machines/checks/finding.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { formatMegabits } from '#core/base/units.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';
import { askTlsOffers } from '../targets/tlsOffer.ts';
import { resolveClientCertificate, secretVariables } from '../resolveJob.ts';
import { generatorHosts, openGenerators } from './generators/openGenerators.ts';
import type { LoadGenerator } from './loadGenerator.ts';
import { readFeeds, openUploads } from './readFiles.ts';
import { TargetCounts } from './targetCounts.ts';

export interface PrepareParts {
  readonly store: Pick<Store, 'usedRows'>;
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly version: string;
  readonly here: LoadGenerator;
  /** Connects to a host as a load generator. */
  readonly openHost: (name: string) => Promise<LoadGenerator>;
  /** Returns whether a load generator is an invited computer. Holdfast cannot enter such a computer to monitor it. */
  readonly isInvited: (name: string) => boolean;
  /** Connects to a host for monitoring. */
  readonly enterHost: MonitorParts['enterHost'];
  /** Number of visits to each watched page before a load, and again after it. */
  readonly visitsWithoutLoad?: number | undefined;
}

interface PrepareOptions {
  /** Names of the load generators, `here` for this computer; default: this computer. */
  readonly on: readonly string[] | undefined;
  /** Whether a monitor that does not work is an error. Otherwise this is only noted in the run. */
  readonly mustWork: boolean;
}

/** What a load sends beside its plan, with the plan as it is stored. */
export interface RunInputs {
  readonly storable: StorableDocument<Plan>;
  readonly values: ReadonlyMap<string, string>;
  readonly feeds: LoadJob['feeds'];
  readonly files: LoadJob['files'];
  readonly largeFiles: NonNullable<LoadJob['largeFiles']>;
}

/** The resources of a run, opened before its start. */
export interface PreparedRun extends RunInputs {
  readonly generators: readonly LoadGenerator[];
  readonly monitors: RunMonitors;
  readonly visits: RunVisits | null;
  readonly stored: TargetCounts | null;
  /** What the https targets offer to browsers over TLS; empty unless this computer is one of the generators. */
  readonly offers: readonly TlsOffer[];
  /** Closes everything that was opened, if the run does not start. */
  release(): void;
}

/**
 * Reads and opens what a run needs: secrets, feeds, files, monitors, load generators and the visiting browser. Secrets are hidden in the
 * plan to store. Throws the first HoldfastError and leaves nothing open then.
 */
export async function prepareRun(plan: Plan, { on, mustWork }: PrepareOptions, parts: PrepareParts): Promise<PreparedRun> {
  const { redaction, version, here, openHost, isInvited, enterHost, visitsWithoutLoad } = parts;
  const opened: (() => void)[] = [];
  const release = (): void => {
    for (const close of opened.toReversed()) close();
  };
  const inputs = await readInputs(plan, on, parts);
  const { storable, values, feeds } = inputs;
  const clientCertificate = resolveClientCertificate(storable.tls, values);
  if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
  const shownPlan = revealPlan(storable, values);
  const resolveText = (value: TextOrSecret): string => (typeof value === 'string' ? value : (values.get(value.secret) ?? ''));
  try {
    const monitors = await RunMonitors.open(
      { monitors: shownPlan.monitors ?? [], generators: generatorHosts(on).filter((host) => host === null || !isInvited(host)), mustWork },
      { enterHost, secret: resolveText },
    );
    opened.push(() => monitors.end());
    const storedCounts =
      shownPlan.stored === undefined || shownPlan.stored.length === 0
        ? null
        : await TargetCounts.open(shownPlan.stored, {
            way: { secret: resolveText, connect: (address) => connectFrom(null, address) },
            clean: (text) => redaction.text(text),
            isOfPeople: findPeopleRules(shownPlan) !== null,
          });
    const offers = generatorHosts(on).includes(null) ? await askTlsOffers(storable, clientCertificate) : [];
    const generators = await openGenerators(on, here, openHost);
    opened.push(() => {
      for (const generator of generators) generator.close();
    });
    const visits = await openRunVisits(shownPlan, {
      generators: generators.map(({ name }) => name),
      enterHost,
      version,
      withoutLoad: visitsWithoutLoad,
      mustWork,
      entered: { id: randomUUID(), feeds, secrets: secretVariables(storable, values) },
    });
    opened.push(() => void visits?.end());
    return { ...inputs, generators, monitors, visits, stored: storedCounts, offers, release };
  } catch (thrown) {
    release();
    throw thrown;
  }
}

/** Reads secrets, feeds and files. Throws the first HoldfastError. */
export async function readInputs(
  plan: Plan,
  on: readonly string[] | undefined,
  { store, secrets }: Pick<PrepareParts, 'store' | 'secrets'>,
): Promise<RunInputs> {
  const storable = hideSecrets(plan, secrets.keep);
  const values = await secrets.resolve(secretReferences(storable));
  const feeds = await readFeeds(storable, store.usedRows);
  const isMadeHere = generatorHosts(on).every((host) => host === null);
  return { storable, values, feeds, ...(await openUploads(storable, isMadeHere)) };
}

/** Throws `INVALID_PLAN` with every error in the plan. */
export function requireValidPlan(plan: Plan): void {
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
export async function requireK6(plan: Plan, on: readonly string[] | undefined): Promise<void> {
  if (chooseEngineFor(plan) !== 'k6') return;
  const hosts = generatorHosts(on);
  if (hosts.length > 1 || hosts.some((host) => host !== null)) throw k6OnlyLocalError();
  await findK6();
}

/** Maximum age of a path measurement, because other traffic changes and clouds move machines. */
const MAX_PATH_AGE_MS = 24 * 3_600_000;

/** Returns the events from before a run that belong to it: changed settings and measured paths. */
export function eventsBeforeRun(store: Store, places: readonly string[], plan: Plan, now: Date): RunEvent[] {
  const changes = store.openHostChanges().map((change) => ({ second: 0, kind: 'hostChanged', text: changeWords(change), data: change }));
  const origins = [...new Set(listTargets(plan).map(({ url }) => new URL(url).origin))];
  const paths = places.flatMap((place) => origins.flatMap((origin) => store.findPath(place, origin) ?? []));
  const fresh = paths.filter(({ measuredAt }) => now.getTime() - Date.parse(measuredAt) < MAX_PATH_AGE_MS);
  return [...changes, ...fresh.map((path) => ({ second: 0, kind: PATH_EVENT, text: pathWords(path), data: path }))];
}

/** Returns the event about the application protocol that an https target offered before the run. */
export function tlsOfferEvent(offer: TlsOffer, { connections }: Pick<Plan, 'connections'>): RunEvent {
  const [theirs, ours] = [offer.protocol, connections.protocol].map((protocol) => (protocol === 'h2' ? 'HTTP/2' : 'HTTP/1.1'));
  const browsers = theirs === ours ? `Browsers and this test use ${theirs}.` : `Browsers use ${theirs}, this test ${ours}.`;
  return { second: 0, kind: TLS_OFFER_EVENT, text: `${offer.origin}: ${formatTls(offer)}. ${browsers}`, data: offer };
}

function pathWords({ from, to, megabits, isFull, measuredAt }: MeasuredPath): string {
  return `The path from ${from} to ${to} was measured at ${measuredAt}: ${isFull ? '' : 'at least '}${formatMegabits(megabits)}.`;
}
