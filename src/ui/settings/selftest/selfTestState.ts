import type { Problem } from '#core/base/errors.ts';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';

/** A self-test on this page. `lost`: the connection went, and the self-test with it. */
export type SelfTestState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly progress: SelfTestProgress | null }
  | { readonly status: 'failed'; readonly problem: Problem }
  | { readonly status: 'lost' };

export type SelfTestEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly progress: SelfTestProgress }
  | { readonly kind: 'ended'; readonly problem: Problem | null }
  | { readonly kind: 'stopped' };

export const IDLE: SelfTestState = { status: 'idle' };

/** What comes late, after a stop, changes nothing any more. */
export function nextSelfTestState(state: SelfTestState, event: SelfTestEvent): SelfTestState {
  switch (event.kind) {
    case 'started':
      return { status: 'running', progress: null };
    case 'progress':
      return state.status === 'running' ? { status: 'running', progress: event.progress } : state;
    case 'ended':
      if (state.status !== 'running') return state;
      if (event.problem === null) return IDLE;
      return event.problem.code === 'GONE' ? { status: 'lost' } : { status: 'failed', problem: event.problem };
    case 'stopped':
      return state.status === 'running' ? IDLE : state;
    default:
      return event satisfies never;
  }
}
