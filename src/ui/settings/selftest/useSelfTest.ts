import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { callKey, useConnection } from '#ui/app/backend.ts';
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

export interface SelfTest {
  readonly state: SelfTestState;
  start(quick: boolean): void;
  stop(): void;
}

/** Runs a self-test from this page. It belongs to the page: it stops when the page is left, and is never begun again by itself. */
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
