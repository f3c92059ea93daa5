import { AutocannonLoad, type AutocannonOptions } from './autocannonLoad.ts';
import autocannon, { type Histogram, type Tracker } from 'autocannon';
import { HoldfastError } from '#core/base/errors.ts';
import { connectionLoads } from '../connectionLoads.ts';
import { ConnectionsDriver } from '../connectionsDriver.ts';
import type { TlsSettings } from '../endpoint.ts';
import type { DriversOfLeg } from '../loadDriver.ts';
import { ExactClient } from './exactClient.ts';

/** Drives loads of the model `connections`, with one instance for each target. */
export const autocannonDrivers: DriversOfLeg = (data, leg, hooks) => {
  const timeoutUs = data.plan.timeoutSeconds * 1_000_000;
  return connectionLoads(data, leg, hooks).map(({ targetUrl, pool, options }) => {
    if (options.steps.some((step) => step.request.isHead)) throw headRefused();
    const endpoint = { targetUrl, tls: UNVERIFIED_TLS, socketPath: null, localAddresses: [], resolve: data.plan.connections.resolve };
    return new AutocannonDriver({ ...options, endpoint, connections: pool.connections, timeoutUs });
  });
};

/** This engine does not verify certificates. The check of the plan reports this to the user. */
const UNVERIFIED_TLS: TlsSettings = { verifies: false, ca: null, serverName: null, clientCertificate: null };

/** A duration that is longer than any stage and below the 32-bit limit of timers, because autocannon's own timers must never fire. */
const NEVER_SECONDS = 2_000_000;
const SAMPLE_INTERVAL_MS = 100;

/**
 * Replaces autocannon's statistics, which are unused. Otherwise autocannon would compress them up to {@link SAMPLE_INTERVAL_MS} after its
 * stop, outside the lock of `#threads/zlib.ts`. If the thread ended at that time, the whole process would abort.
 */
const NULL_HISTOGRAM: Histogram = { __custom: true, recordValue: () => {}, destroy: () => {} };

/**
 * One autocannon instance that sends to one target. Its own statistics, rate options, worker threads, amounts, durations and time-outs are
 * not used; README.md in this folder explains why.
 */
class AutocannonDriver extends ConnectionsDriver {
  protected readonly stage: AutocannonLoad;
  protected readonly connections: ExactClient[] = [];
  private readonly tracker: Tracker;

  constructor(options: AutocannonOptions) {
    super(options.connections, options.timeoutUs);
    this.stage = new AutocannonLoad(options);
    this.tracker = autocannon(
      {
        url: new URL(options.endpoint.targetUrl).origin,
        connections: options.connections,
        pipelining: 1,
        duration: NEVER_SECONDS,
        timeout: NEVER_SECONDS,
        sampleInt: SAMPLE_INTERVAL_MS,
        histograms: { latencies: NULL_HISTOGRAM, requests: NULL_HISTOGRAM, throughput: NULL_HISTOGRAM },
        skipAggregateResult: true,
        setupClient: (client) => {
          this.connections.push(new ExactClient(client, this.stage));
          client.once('done', () => this.connectionEnded());
        },
      },
      () => {},
    );
  }

  protected override close(): void {
    this.tracker.stop();
    super.close();
  }
}

function headRefused(): HoldfastError {
  return new HoldfastError({
    code: 'METHOD_NOT_DRIVEN',
    message: 'autocannon cannot send HEAD requests: all of them would time out.',
    hint: 'Leave out the engine in the plan, or use “native”.',
  });
}
