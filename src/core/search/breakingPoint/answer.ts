import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchFacts } from './facts.ts';
import { levelWords } from './levels.ts';
import { predict } from './predict.ts';
import type { LevelReading } from './reading.ts';
import type { BreakingPointAnswer, Gauge } from './schema.ts';
import { reasonsOf, sentenceOf } from './words.ts';

export function answerOf(facts: SearchFacts): BreakingPointAnswer {
  const { plan, levels, recovery, bracket, range } = facts;
  const { sustained, breakingPoint } = bracket;
  const prediction = predict(plan, levels);
  const answer = {
    kind: 'breakingPoint' as const,
    unit: unitOf(plan),
    sustained,
    breakingPoint,
    isKnown: sustained !== null && facts.end !== 'unclear',
    estimate: sustained === null || breakingPoint === null ? null : Math.sqrt(sustained * breakingPoint),
    range,
    withoutTimeout: gaugeOf(levels, ({ timeouts }) => timeouts > 0),
    withoutError: gaugeOf(levels, ({ failed }) => failed > 0),
    prediction,
    recovery,
  };
  return { ...answer, sentence: sentenceOf(facts), reasons: reasonsOf(facts, answer, (level) => levelWords(plan, level)) };
}

function unitOf({ load }: Plan): (typeof LEVEL_UNITS)[number] {
  return load.model === 'arrivals' ? 'arrivalsPerSecond' : load.model;
}

/** Returns the highest level below the lowest one that shows a symptom. */
function gaugeOf(levels: readonly LevelReading[], isSeen: (reading: LevelReading) => boolean): Gauge {
  const seen = levels.filter(isSeen).map(({ level }) => level);
  const from = seen.length === 0 ? null : Math.min(...seen);
  const without = levels.filter((one) => one.sent > 0 && !isSeen(one) && (from === null || one.level < from)).map(({ level }) => level);
  return { upTo: without.length === 0 ? null : Math.max(...without), from };
}
