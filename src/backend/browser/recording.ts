import type { RecordedAction } from './actions.ts';
import type { RecordedAccount } from './passwords.ts';
import type { RecordedEntry } from './recordedEntry.ts';

/** A user action with the requests that it caused. */
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
  /** HAR 1.2 with the user actions in `_actions`, without passwords. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> & { readonly entries: readonly RecordedEntry[] } };
  /** The accounts with their passwords. */
  readonly accounts: readonly RecordedAccount[];
  readonly dropped: Dropped;
}

/** What exceeded the limits. */
export interface Dropped {
  readonly requests: number;
  readonly bodies: number;
  readonly actions: number;
}
