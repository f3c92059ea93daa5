import type { RunResult } from '#core/result/schema.ts';
import type { LoggedListener, LoggedStreams } from '#lab/streamLog.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { PlanOfStory, Scene } from '../framework/scene.ts';

/**
 * Reconnect delay in ms. It is longer than the load, so that no listener reconnects during the load. Everything that was written to a
 * stream has then arrived at its end, and every count is exact.
 */
export const RECONNECT_DELAY_MS = 600_000;

type StreamsResult = NonNullable<RunResult['streams']>;

/** The app's figures about the streams of one step, and the scoreboard's log of the same streams. */
export interface Listened {
  readonly result: RunResult;
  readonly outcomes: StreamsResult['outcomes'];
  readonly figures: StreamsResult['steps'][number]['figures'];
  readonly log: LoggedStreams;
}

/** Connects all listeners to the scoreboard at once, and holds their event streams during the load. */
export async function listen(scene: Scene, lab: LabProcess, users: number, seconds: number): Promise<Listened> {
  const plan: PlanOfStory = {
    targets: [{ url: lab.address('Scoreboard') }],
    journey: [{ name: 'events', path: 'events', stream: { sentAt: { from: 'data', path: '$.at' }, number: { from: 'id' } } }],
    load: { model: 'users', stages: [{ users, seconds }] },
  };
  const result = await scene.run(plan);
  await lab.stop();
  const [step] = result.streams?.steps ?? [];
  if (result.streams === null || step === undefined) throw new Error('The app saw no stream.');
  return { result, outcomes: result.streams.outcomes, figures: step.figures, log: await lab.streams('scoreboard-events') };
}

/** Returns the number of events that were written, for all listeners together. */
export function countWrittenEvents({ listeners }: LoggedStreams): number {
  return listeners.reduce((sum, { events }) => sum + events, 0);
}

/** Returns the streams that the server ended for this reason. */
export function streamsEndedFor({ listeners }: LoggedStreams, reason: LoggedListener['why']): LoggedListener[] {
  return listeners.filter(({ why }) => why === reason);
}

/** Returns how many events occurred between consecutive streams of the same listener. */
export function countSkippedEvents({ listeners }: LoggedStreams): number {
  return listeners.reduce((sum, { lastEventId, first }) => sum + (lastEventId === null || first === null ? 0 : first - lastEventId - 1), 0);
}
