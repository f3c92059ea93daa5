import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { dipAmong } from '#core/statistics/dip.ts';
import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { OVERLOAD_WORDS } from '#core/result/overloadWords.ts';
import type { Finding, GeneratorReading } from '#core/result/schema.ts';
import { figure, type Rule, overloadedShare } from '../rule.ts';

/** Finds a level with far fewer responses than lighter and heavier ones: the server was in another state. */
export const rateDips: Rule = {
  id: 'rateDips',
  find(facts) {
    if (overloadedShare(facts) > 0.2) return [];
    const stages = facts.stages.filter(({ counted, level }) => counted && level.unit !== 'arrivalsPerSecond' && isSteady(level));
    const dip = dipAmong(
      stages.flatMap(({ name, level, requests, rates }) =>
        rates.completedPerSecond === null
          ? []
          : [{ name, level: level.to, answers: answeredRequests(requests), perSecond: rates.completedPerSecond }],
      ),
    );
    if (dip === null) return [];
    const { lighter, between, heavier } = dip;
    const stage = stages.find(({ name }) => name === between.name);
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The server was not steady: ${formatRate(between.perSecond)} in “${between.name}”, but ${formatRate(lighter.perSecond)} with less load in “${lighter.name}” and ${formatRate(heavier.perSecond)} with more in “${heavier.name}”.`,
        evidence: ['An overloaded server gets slower with more load, but not faster again with even more.'],
        figures: stages.map(({ name, level, rates, latency }) =>
          figure(
            `“${name}”, ${formatCount(level.to)}`,
            `${formatRate(rates.completedPerSecond)}, median ${formatMs(latency.response.p50)}`,
          ),
        ),
        remedy:
          'A cache was cold, something else ran on the server, or it was restarted. Warm it up with a stage that does not count, run all levels again, and trust only repeated results.',
        confidence: 'likely',
        range:
          stage === undefined || stage.startedAtSecond === null || stage.endedAtSecond === null
            ? null
            : { fromSecond: stage.startedAtSecond, toSecond: stage.endedAtSecond },
        insteadOf: ['notSteady'],
      },
    ];
  },
};

const MAX_LISTED = 3;

interface Span {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly ms: number;
}

/** Finds the longest standstill of a load generator: suspended, stopped, or without processor time. */
export const standstill: Rule = {
  id: 'standstill',
  find({ generators }) {
    return generators.flatMap(({ name, readings }, number) =>
      spansOf(readings)
        .toSorted((one, other) => other.ms - one.ms)
        .slice(0, MAX_LISTED)
        .map(({ fromSecond, toSecond, ms }): Finding => ({
          id: `${this.id}.${number}.${fromSecond}`,
          level: 'warning',
          sentence: `${atStart(name)} stood still for ${formatSeconds(ms / 1_000)} from second ${fromSecond} on: it sent nothing and received no responses.`,
          evidence: [
            'none of its threads ran, or the machine was suspended',
            'requests scheduled then started late or not at all, and responses look slower than they were',
          ],
          remedy: OVERLOAD_WORDS.standstill.remedy,
          confidence: 'certain',
          range: { fromSecond, toSecond },
        })),
    );
  },
};

/** Consecutive seconds are one standstill. */
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
