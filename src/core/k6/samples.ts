/** The k6 tags that Holdfast uses. A missing tag is an empty text. */
export interface K6Labels {
  /** Number of the request, as in windows and in the tags of the exported script. `stage`: number of the stage. */
  readonly step: string;
  readonly stage: string;
  readonly vu: string;
}

/** A finished request. Times are in microseconds, and 0 also means that a phase was not reached. `endUs` is a Unix time. */
export interface K6Request extends K6Labels {
  readonly endUs: number;
  /** Status of the response; 0 if there is no complete response. */
  readonly status: number;
  /** k6's error code; empty if there is no error. */
  readonly errorCode: string;
  readonly error: string;
  /** Time spent waiting for a connection, including connecting and TLS. */
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
  /** Name of the check, for the metric `checks`. */
  readonly check: string;
}

/** Receives samples in the order of k6's output. */
export interface K6Listener {
  takeRequest(request: K6Request): void;
  takePoint(point: K6Point): void;
}

/** Metrics that the module around the script (`mainModule.ts`) reports, because k6 itself does not. */
export const LOAD_BEGAN_METRIC = 'holdfast_load_began';
export const JOURNEY_BEGAN_METRIC = 'holdfast_journey_began';
/** Counts journeys whose script threw an error, for example because a value was missing. */
export const JOURNEY_BROKEN_METRIC = 'holdfast_journey_broken';

export const STEP_TAG = 'holdfast_step';
export const STAGE_TAG = 'holdfast_stage';

/** Tags that k6 is asked for. Fewer tags make shorter lines; `vu` connects checks and the end of a journey to the request. */
export const SYSTEM_TAGS = ['status', 'error', 'error_code', 'check', 'vu'] as const;
