import type { Outcome } from '#core/measurement/requestOutcomes.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { addInto, type Histogram, createHistogram } from '#core/statistics/histogram.ts';
import type { TimeKind, Window } from '#core/measurement/window.ts';
import { createSharedClock } from '#workers/clock.ts';
import { Recorder } from '#workers/recorder.ts';
import { onlyItem } from '#workers/testing/onlyOf.ts';
import { buildRequest } from '#workers/requestBytes.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { DEFAULT_LIMITS, type FramerLimits } from '#framer/framer.ts';
import type { EndpointSettings, TlsSettings } from '#workers/drivers/endpoint.ts';
import { NativeDriver } from '../nativeDrivers.ts';
import type { ConnectionReuse } from '../nativeLoad.ts';
import type { TimeLimits } from '../transport.ts';

const SECOND_US = 1_000_000;

/** Settings that verify against public authorities and use no client certificate. */
export const DEFAULT_TLS: TlsSettings = { verifies: true, ca: null, serverName: null, clientCertificate: null };

export interface Drive {
  readonly url: string;
  readonly connections?: number;
  readonly streams?: number;
  /** Total number of journeys; if left out, the load runs until `driver.drain()`. */
  readonly journeys?: number;
  readonly steps?: readonly DrivenStep[];
  readonly reuse?: ConnectionReuse;
  readonly limits?: Partial<TimeLimits>;
  readonly framerLimits?: FramerLimits;
  readonly endpoint?: Partial<EndpointSettings>;
}

export interface Figures {
  readonly sent: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly connectionsOpened: number;
  readonly onReusedConnection: number;
  readonly sessionsResumed: number;
  readonly resent: number;
  readonly bodyBytes: number;
  /** Times of successful responses, in microseconds. */
  readonly service: Histogram;
  readonly firstByte: Histogram;
  readonly journeys: { readonly started: number; readonly finished: number; readonly abandoned: number };
}

export function nativeStep(url: string, path = '', headers: Record<string, string> = {}, method: Step['method'] = 'GET'): DrivenStep {
  const request = buildRequest({ method, targetUrl: url, path, headers: [headers], body: null });
  return { requestIndex: 0, request, reader: null, isExpected: (status) => status >= 200 && status < 300 };
}

/** A native driver with a separate recorder, as in a load thread. */
export class NativeDrive {
  readonly driver: NativeDriver;
  software: string | null | undefined = undefined;
  private readonly windows: Window[] = [];
  private readonly recorder: Recorder;
  private readonly now = createSharedClock();

  constructor(drive: Drive) {
    const steps = (drive.steps ?? [nativeStep(drive.url)]).map((step, requestIndex) => ({ ...step, requestIndex }));
    this.recorder = new Recorder({
      plansStarts: false,
      firstBodyLengths: new Int32Array(new SharedArrayBuffer(steps.length * 4)).fill(-1),
      inFlight: () => this.driver.inFlight,
      publish: (window) => this.windows.push(window),
    });
    this.driver = new NativeDriver({
      connections: drive.connections ?? 2,
      streams: drive.streams ?? 1,
      steps,
      stepCount: steps.length,
      endpoint: { targetUrl: drive.url, tls: DEFAULT_TLS, socketPath: null, localAddresses: [], ...drive.endpoint },
      reuse: drive.reuse ?? 'always',
      limits: { connectUs: Number.POSITIVE_INFINITY, firstByteUs: Number.POSITIVE_INFINITY, totalUs: 20 * SECOND_US, ...drive.limits },
      script: null,
      sampler: null,
      numbering: { first: 0, apart: 1 },
      framerLimits: drive.framerLimits ?? DEFAULT_LIMITS,
      recorder: onlyItem(this.recorder.open([0])),
      now: this.now,
      journeys: drive.journeys ?? null,
      cutRequests: 0,
      budget: null,
      onBudgetSpent: () => {},
      onServer: (software) => {
        this.software = software;
      },
    });
  }

  start(): void {
    this.recorder.begin(this.now());
    this.driver.start();
  }

  async run(): Promise<Figures> {
    this.start();
    await this.driver.done;
    return this.end();
  }

  /** Returns the recorded figures. Must be called only after the driver is done. */
  end(): Figures {
    this.recorder.close(this.now());
    return computeFigures(this.windows);
  }
}

export async function driveNative(drive: Drive): Promise<Figures> {
  return new NativeDrive(drive).run();
}

function computeFigures(windows: readonly Window[]): Figures {
  const cells = windows.flatMap((window) => window.cells);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const merged = (records: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
    const total: Record<string, number> = {};
    for (const record of records) for (const [key, count] of Object.entries(record)) total[key] = (total[key] ?? 0) + count;
    return total;
  };
  const times = (kind: TimeKind): Histogram => {
    const total = createHistogram();
    for (const { times } of cells) if (times[kind] !== undefined) addInto(total, times[kind]);
    return total;
  };
  return {
    sent: sum(cells.map((cell) => cell.started)),
    outcomes: merged(cells.map((cell) => cell.outcomes)),
    statuses: merged(cells.map(({ statuses }) => Object.fromEntries(statuses))),
    errors: merged(cells.map((cell) => cell.errors)),
    inFlight: windows.at(-1)?.inFlight ?? 0,
    connectionsOpened: sum(cells.map((cell) => cell.connectionsOpened)),
    onReusedConnection: sum(cells.map((cell) => cell.requestsOnReusedConnection)),
    sessionsResumed: sum(cells.map((cell) => cell.sessionsResumed)),
    resent: sum(cells.map((cell) => cell.requestsResent)),
    bodyBytes: sum(cells.map((cell) => cell.bodyBytes)),
    service: times('serviceOk'),
    firstByte: times('firstByte'),
    journeys: {
      started: sum(windows.map((window) => window.journeys.started)),
      finished: sum(windows.map((window) => window.journeys.finished)),
      abandoned: sum(windows.map((window) => window.journeys.abandoned)),
    },
  };
}
