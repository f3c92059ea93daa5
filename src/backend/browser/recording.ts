import type { RecordedAction } from './actions.ts';
import type { RecordedAccount } from './passwords.ts';
import type { RecordedEntry } from './recordedEntry.ts';

/** What the person has been seen doing, with what was sent because of it. */
export interface SeenAction extends RecordedAction {
  readonly requests: readonly SeenRequest[];
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** 0: no response. */
  readonly status: number;
  readonly type: string;
  readonly bytes: number;
}

export interface Recording {
  /** HAR 1.2 with what the person did in `_actions`; without any password. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> & { readonly entries: readonly RecordedEntry[] } };
  /** The passwords. */
  readonly accounts: readonly RecordedAccount[];
  readonly dropped: Dropped;
}

/** What did not fit. */
export interface Dropped {
  readonly requests: number;
  readonly bodies: number;
  readonly actions: number;
}
