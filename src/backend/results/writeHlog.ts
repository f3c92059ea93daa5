import { deflateSync } from '#threads/zlib.ts';
import { newHlog, type HlogLine } from '#core/presentation/formats/hlogFormat.ts';
import type { RunResult } from '#core/result/schema.ts';
import { compressedHead } from '#core/statistics/hdrEncoding.ts';
import type { Window } from '#core/measurement/window.ts';
import { inTurns } from './inTurns.ts';

/**
 * The log of HDR histograms of a run. An hour of it is thousands of histograms, which take seconds to read, so they are read in slices, between which everything else has
 * its turn. Each is compressed where it is: it takes a tenth of a millisecond, less than handing it to a thread.
 */
export async function writeHlog(
  result: Pick<RunResult, 'run' | 'plan' | 'durationSeconds'>,
  slices: Iterable<readonly Window[]>,
): Promise<string> {
  const log = newHlog(result);
  const texts = [log.head];
  for await (const slice of inTurns(slices)) texts.push(...slice.flatMap((window) => log.add(window)).map(textOf));
  texts.push(...log.end().map(textOf));
  return texts.join('');
}

function textOf({ before, histogram }: HlogLine): string {
  const compressed = deflateSync(histogram);
  return `${before}${Buffer.concat([compressedHead(compressed.length), compressed]).toString('base64')}\n`;
}
