import { atStart } from '#core/plan/hosts/places.ts';
import type { Finding, GeneratorReading } from '#core/result/schema.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

const MOST_TOLD = 3;

interface Span {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly ms: number;
}

/** A generator that did nothing at all for a while: suspended with its machine, stopped, or without any turn. The longest of its standstills. */
export const standstill: Rule = {
  id: 'standstill',
  find({ generators }) {
    return generators.flatMap(({ name, readings }, number) =>
      spansOf(readings)
        .toSorted((one, other) => other.ms - one.ms)
        .slice(0, MOST_TOLD)
        .map(({ fromSecond, toSecond, ms }): Finding => ({
          id: `${this.id}.${number}.${fromSecond}`,
          level: 'warning',
          sentence: `${atStart(name)} stood still for ${formatSeconds(ms / 1_000)} from second ${fromSecond} on: it sent nothing, and noticed no answers.`,
          evidence: [
            'no thread of it had a turn, or the machine was suspended',
            'requests that were due then started late or not at all, and answers look slower than they were',
          ],
          remedy: 'Keep the machine from sleeping (lid open, power plugged in) and Holdfast from being stopped, then run again.',
          confidence: 'certain',
          range: { fromSecond, toSecond },
        })),
    );
  },
};

/** Seconds that follow each other are one standstill. */
function spansOf(readings: readonly GeneratorReading[]): Span[] {
  const spans: Span[] = [];
  let isGoing = false;
  for (const [index, { second, stoodStillMs }] of readings.entries()) {
    const ms = stoodStillMs ?? 0;
    const toSecond = readings[index + 1]?.second ?? second + 1;
    const last = spans.at(-1);
    if (ms > 0 && isGoing && last !== undefined) spans[spans.length - 1] = { ...last, toSecond, ms: last.ms + ms };
    else if (ms > 0) spans.push({ fromSecond: second, toSecond, ms });
    isGoing = ms > 0;
  }
  return spans;
}
