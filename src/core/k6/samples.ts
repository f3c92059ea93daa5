/** Who a sample is about: k6's tags, as far as they mean something here. A tag that a sample does not carry is an empty text. */
export interface K6Labels {
  /** Numbers of the kind of request and of the stage, as windows have them and as the exported script tags them. */
  readonly step: string;
  readonly stage: string;
  /** Number of the virtual user. */
  readonly vu: string;
}

/** A request that has ended. Times in microseconds, the instant since 1970; 0 is also what k6 writes for a phase that a request did not come to. */
export interface K6Request extends K6Labels {
  readonly endUs: number;
  /** 0 when there was no complete answer. */
  readonly status: number;
  /** k6's own number for what went wrong; empty when nothing did. */
  readonly errorCode: string;
  readonly error: string;
  /** Waiting for a connection: connecting and TLS are part of it. */
  readonly blockedUs: number;
  readonly connectingUs: number;
  readonly tlsUs: number;
  readonly sendingUs: number;
  readonly waitingUs: number;
  readonly receivingUs: number;
}

/** Any other sample. */
export interface K6Point extends K6Labels {
  readonly metric: string;
  readonly atUs: number;
  readonly value: number;
  /** Name of the check, of samples of the metric `checks`. */
  readonly check: string;
}

/** Takes samples in the order in which k6 wrote them. */
export interface K6Listener {
  takeRequest(request: K6Request): void;
  takePoint(point: K6Point): void;
}

/** Metrics that the module around the script makes (`mainModule.ts`): k6 itself tells none of it. */
export const LOAD_BEGAN = 'holdfast_load_began';
export const JOURNEY_BEGAN = 'holdfast_journey_began';
/** A journey whose script threw: it wanted a value that no step had given. */
export const JOURNEY_BROKEN = 'holdfast_journey_broken';

/** Tags that the exported script puts on each request. */
export const STEP_TAG = 'holdfast_step';
export const STAGE_TAG = 'holdfast_stage';

/**
 * k6's own tags that are asked for. Fewer tags make shorter lines; `vu` is what puts the check, and the end of a journey, to the request that
 * it is about.
 */
export const SYSTEM_TAGS = ['status', 'error', 'error_code', 'check', 'vu'] as const;
