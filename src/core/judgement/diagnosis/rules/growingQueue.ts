import type { Point } from '#core/result/schema.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { overloadedSeconds } from '#core/result/overload.ts';
import { overloadWords } from '#core/result/generatorNames.ts';
import { formatCount, formatNumber, formatRate, formatSeconds } from '#core/base/units.ts';
import { figure, pointsBetween, rangeOf, type Found, type Rule } from '../rule.ts';

/** Fewer seconds tell nothing of what lasts, and fewer waiting requests are no queue. */
const LEAST_SECONDS = 6;
const LEAST_WAITING = 8;
/** What comes beyond what is worked off, as a share of what comes: less is not told from rounding. */
const LEAST_EXCESS = 0.03;
/** The mean growth of a second in its standard errors: by chance (Student) once in 190 stages of 6 seconds, in 1,500 of 15 and in 11,000 of 60. */
const LEAST_T = 4;
/** A generator that is busy for a larger part notices answers too late, and so has a queue of its own. */
const MOST_SICK = 0.3;

/**
 * More requests come than are worked off, so that the queue grows for as long as the load lasts. With λ arrivals a second, service time S and m at a time, that is where
 * ρ = λ·S / m > 1; m / S is what is answered a second while there is always something to do, so ρ is what comes over what is answered. The queue then grows
 * by λ − m / S a second. Judged on constant arrivals; whether it grows is asked of the differences between what began and what ended in each second.
 */
export const growingQueue: Rule = {
  id: 'growingQueue',
  find(facts) {
    if (facts.plan.load.model !== 'arrivals') return [];
    return facts.stages.flatMap((stage): Found[] => {
      const { level } = stage;
      if (!isSteady(level) || level.to <= 0) return [];
      const all = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond);
      // Until the first answers came everything is on its way, however quick the server is.
      const firstAnswer = all.findIndex(({ completed }) => completed > 0);
      const points = firstAnswer < 0 ? [] : all.slice(firstAnswer + 1);
      const seconds = sum(points, ({ width }) => width);
      const last = points.at(-1);
      if (last === undefined || seconds < LEAST_SECONDS || last.inFlight < LEAST_WAITING) return [];
      const sick = overloadedSeconds(points);
      if (!growsBeyondChance(points)) return [];
      const isDoubtful = sick > MOST_SICK * seconds;
      // What is given up after a time limit makes room without being worked off.
      const clean = points.filter(({ failed, notStarted }) => failed === 0 && notStarted.target === 0);
      const told = sum(clean, ({ width }) => width) >= LEAST_SECONDS / 2 ? clean : points;
      const tail = points.slice(-Math.ceil(points.length / 3));
      const goesOn = perSecond(tail, growth) > LEAST_EXCESS * perSecond(tail, ({ started }) => started);
      if (!goesOn && clean.length === points.length) return [];
      const came = perSecond(told, ({ started, notStarted }) => started + notStarted.target);
      const done = perSecond(told, ({ completed }) => completed);
      if (came - done < LEAST_EXCESS * came || done <= 0) return [];
      const most = Math.max(...points.map(({ inFlight }) => inFlight));
      return [
        {
          id: `${this.id}.${stage.name}`,
          level: 'warning',
          sentence: `In “${stage.name}” requests arrived faster than they were completed: ${formatRate(came)} against ${formatRate(done)}. The queue grew by ${formatNumber(came - done)} a second, up to ${formatCount(most)} in flight, and keeps growing as long as this load lasts.`,
          evidence: [
            `ρ = ${formatNumber(came)} / ${formatNumber(done)} = ${formatNumber(came / done)}. Above 1 no queue is long enough, and each request waits longer than the one before.`,
            `At this pace, ${formatCount(Math.round((came - done) * 600))} more are waiting after ten minutes.`,
            ...(isDoubtful
              ? [`${atStart(overloadWords(facts.generators))} for ${formatSeconds(sick)} of it: part of the growth may come from there.`]
              : []),
            ...(goesOn ? [] : ['It stopped growing only because requests timed out.']),
          ],
          figures: [
            figure('Arrived', formatRate(came)),
            figure('Completed', formatRate(done)),
            figure('Growth of the queue', `${formatNumber(came - done)} a second`),
            figure('Max in flight', formatCount(most)),
            figure('Watched for', formatSeconds(seconds)),
          ],
          remedy: `It sustains at most ${formatRate(done)} of these. More workers or servers raise that in proportion; so do faster requests. A longer queue or time-out does not.`,
          confidence: isDoubtful ? 'possible' : 'likely',
          range: rangeOf(points),
          insteadOf: [`slowerAndSlower.${stage.name}`],
        },
      ];
    });
  },
};

function growth({ started, completed, failed, ok }: Point): number {
  // What failed without an answer is no longer waited for either.
  return started - Math.max(completed, ok + failed);
}

/** Student's t of the growth in a second, weighted by nothing: seconds are of one length. */
function growsBeyondChance(points: readonly Point[]): boolean {
  const rates = points.map((point) => growth(point) / point.width);
  const mean = rates.reduce((total, rate) => total + rate, 0) / rates.length;
  const squares = rates.reduce((total, rate) => total + (rate - mean) ** 2, 0);
  const error = Math.sqrt(squares / (rates.length - 1) / rates.length);
  return mean > 0 && mean >= LEAST_T * error;
}

function perSecond(points: readonly Point[], pick: (point: Point) => number): number {
  return (
    sum(points, pick) /
    Math.max(
      1e-9,
      sum(points, ({ width }) => width),
    )
  );
}

function sum(points: readonly Point[], pick: (point: Point) => number): number {
  return points.reduce((total, point) => total + pick(point), 0);
}
