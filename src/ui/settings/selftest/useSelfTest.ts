import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { callKey, useConnection } from '#ui/shared/backend.ts';
import type { Problem } from '#core/base/errors.ts';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';

/** State of a self-test on this page. `lost`: the connection was lost, which ended the self-test. */
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

/** Returns the state after an event. Late events after a stop are ignored. */
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

export interface SelfTest {
  readonly state: SelfTestState;
  start(quick: boolean): void;
  stop(): void;
}

/** Runs a self-test from this page. It stops when the page is left, and never restarts by itself. */
export function useSelfTest(): SelfTest {
  const connection = useConnection();
  const queries = useQueryClient();
  const [state, tell] = useReducer(nextSelfTestState, IDLE);
  const leave = useRef<(() => void) | null>(null);
  useEffect(() => () => leave.current?.(), []);
  return {
    state,
    start(quick) {
      leave.current?.();
      tell({ kind: 'started' });
      leave.current = connection.open(
        'selftest.run',
        { quick },
        {
          onItem: (progress) => tell({ kind: 'progress', progress }),
          onEnd(problem) {
            leave.current = null;
            tell({ kind: 'ended', problem: problem ?? null });
            void queries.invalidateQueries({ queryKey: callKey('selftest.last') });
          },
        },
      );
    },
    stop() {
      leave.current?.();
      leave.current = null;
      tell({ kind: 'stopped' });
    },
  };
}
