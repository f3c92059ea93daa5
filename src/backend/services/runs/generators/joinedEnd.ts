import { addNames } from '#core/base/foreignNames.ts';
import type { EngineEnd } from '#engine/engine.ts';

/** What the ends of several generators say about the end of the run that they made together; at least one. */
export function joinedEnd(ends: readonly EngineEnd[]): Omit<EngineEnd, 'reason' | 'problem'> {
  const length = Math.max(0, ...ends.map(({ firstBodyLengths }) => firstBodyLengths.length));
  return {
    endedAtSecond: Math.max(0, ...ends.map(({ endedAtSecond }) => endedAtSecond)),
    firstBodyLengths: Array.from({ length }, (_, step) => firstKnown(ends.map(({ firstBodyLengths }) => firstBodyLengths[step]))),
    serverSoftware: firstKnown(ends.map(({ serverSoftware }) => serverSoftware)),
    addresses: addNames(ends.map(({ addresses }) => addresses)),
    leftOut: addNames(ends.map(({ leftOut }) => leftOut)),
    stages: joinedStages(ends.map(({ stages }) => stages)),
  };
}

/** From the first to begin until the last to end. */
function joinedStages(ofAll: readonly EngineEnd['stages'][]): EngineEnd['stages'] {
  const length = Math.max(0, ...ofAll.map((stages) => stages.length));
  return Array.from({ length }, (_, stage) => {
    const reached = ofAll.flatMap((stages) => stages[stage] ?? []);
    return {
      startedAtSecond: Math.min(...reached.map(({ startedAtSecond }) => startedAtSecond)),
      endedAtSecond: Math.max(...reached.map(({ endedAtSecond }) => endedAtSecond)),
    };
  });
}

function firstKnown<Value>(values: readonly (Value | null | undefined)[]): Value | null {
  return values.find((value) => value !== null && value !== undefined) ?? null;
}
