import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { callKey, useConnection } from '#ui/app/backend.ts';
import { IDLE, nextSelfTestState, type SelfTestState } from './selfTestState.ts';

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
