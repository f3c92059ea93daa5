import { randomUUID } from 'node:crypto';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { revealed } from '#core/plan/hiddenText.ts';
import { hideSecrets, type Storable } from '#core/plan/hideSecrets.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import type { TlsOffer } from '#core/result/tlsOffer.ts';
import type { LoadJob } from '#engine/engine.ts';
import type { Store } from '#backend/store/store.ts';
import type { Redaction } from '#backend/redaction.ts';
import { openRunVisits } from '#backend/visits/openRunVisits.ts';
import type { RunVisits } from '#backend/visits/runVisits.ts';
import { connectFrom, type MonitorParts, RunMonitors } from '#backend/monitors/runMonitors.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';
import { askTlsOffers } from '../targets/tlsOffer.ts';
import { generatorHosts, openGenerators } from './generators/openGenerators.ts';
import type { LoadGenerator } from './loadGenerator.ts';
import { readFeeds, openUploads } from './readFiles.ts';
import { resolveClientCertificate, secretVariables } from '../resolveJob.ts';
import { TargetCounts } from './targetCounts.ts';

export interface PrepareParts {
  readonly store: Pick<Store, 'usedRows'>;
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly version: string;
  readonly here: LoadGenerator;
  /** Connects to a host as a load generator. */
  readonly openHost: (name: string) => Promise<LoadGenerator>;
  /** Connects to a host for monitoring. */
  readonly enterHost: MonitorParts['enterHost'];
  /** Number of visits of each watched page before a load, and again after it. */
  readonly visitsWithoutLoad?: number | undefined;
}

interface PrepareOptions {
  /** Names of the load generators, `here` for this computer; default: this computer. */
  readonly on: readonly string[] | undefined;
  /** Whether a monitor that fails is an error instead of a note of the run. */
  readonly mustWork: boolean;
}

/** Everything that a run needs, opened. */
export interface PreparedRun {
  readonly storable: Storable<Plan>;
  readonly values: ReadonlyMap<string, string>;
  readonly feeds: LoadJob['feeds'];
  readonly files: LoadJob['files'];
  readonly largeFiles: NonNullable<LoadJob['largeFiles']>;
  readonly generators: readonly LoadGenerator[];
  readonly monitors: RunMonitors;
  readonly visits: RunVisits | null;
  readonly stored: TargetCounts | null;
  /** What its https targets offer browsers, if this computer is one of the generators. */
  readonly offers: readonly TlsOffer[];
  /** Closes what was opened, for a run that does not start. */
  release(): void;
}

/**
 * Reads and opens what a run needs: secrets, feeds, files, monitors, load generators and the visiting browser. Secrets are hidden in the
 * plan to store. Throws the first HoldfastError and then leaves nothing open.
 */
export async function prepareRun(plan: Plan, { on, mustWork }: PrepareOptions, parts: PrepareParts): Promise<PreparedRun> {
  const { store, secrets, redaction, version, here, openHost, enterHost, visitsWithoutLoad } = parts;
  const opened: (() => void)[] = [];
  const release = (): void => {
    for (const close of opened.toReversed()) close();
  };
  const storable = hideSecrets(plan, secrets.keep);
  const values = await secrets.resolve(secretReferences(storable));
  const clientCertificate = resolveClientCertificate(storable.tls, values);
  if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
  const shown = revealed(storable, values);
  const feeds = await readFeeds(storable, store.usedRows);
  const { files, largeFiles } = await openUploads(
    storable,
    generatorHosts(on).every((host) => host === null),
  );
  const secret = (value: TextOrSecret): string => (typeof value === 'string' ? value : (values.get(value.secret) ?? ''));
  try {
    const monitors = await RunMonitors.open(
      { monitors: shown.monitors ?? [], generators: generatorHosts(on), mustWork },
      { enterHost, secret },
    );
    opened.push(() => monitors.end());
    const stored =
      shown.stored === undefined || shown.stored.length === 0
        ? null
        : await TargetCounts.open(shown.stored, {
            way: { secret, connect: (address) => connectFrom(null, address) },
            clean: (text) => redaction.text(text),
          });
    const offers = generatorHosts(on).includes(null) ? await askTlsOffers(storable, clientCertificate) : [];
    const generators = await openGenerators(on, here, openHost);
    opened.push(() => {
      for (const generator of generators) generator.close();
    });
    const visits = await openRunVisits(shown, {
      generators: generators.map(({ name }) => name),
      enterHost,
      version,
      withoutLoad: visitsWithoutLoad,
      mustWork,
      entered: { id: randomUUID(), feeds, secrets: secretVariables(storable, values) },
    });
    opened.push(() => void visits?.end());
    return { storable, values, feeds, files, largeFiles, generators, monitors, visits, stored, offers, release };
  } catch (thrown) {
    release();
    throw thrown;
  }
}
