import { useEffect, useMemo } from 'react';
import { useCall, useStreamState, type StreamState } from '../app/backend.ts';
import { mergePoints, nextPicture, type Picture } from './picture.ts';

const MAX_FETCHED_POINTS = 3_600;

/** Follows a run. After a lost connection the stream starts with a full picture; points dropped for a slow reader are fetched. */
export function usePicture(runId: string): StreamState<Picture> {
  const state = useStreamState('runs.watch', { runId }, nextPicture);
  const resyncs = state.value?.resyncs ?? 0;
  const fetched = useCall('runs.points', { runId, maxPoints: MAX_FETCHED_POINTS }, { enabled: resyncs > 0 });
  const { refetch } = fetched;
  useEffect(() => {
    if (resyncs > 1) void refetch();
  }, [resyncs, refetch]);
  return useMemo(() => {
    if (resyncs === 0 || !fetched.data || !state.value) return state;
    const value = { ...state.value, points: mergePoints(fetched.data, state.value.points) };
    return state.status === 'open' ? { ...state, value } : { ...state, value };
  }, [state, resyncs, fetched.data]);
}
