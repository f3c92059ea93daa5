import type { Point } from '#core/result/schema.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { overloadedSeconds } from '#core/result/overload.ts';
import { overloadWords } from '#core/result/generatorNames.ts';
import { formatCount, formatNumber, formatRate, formatSeconds } from '#core/base/units.ts';
import { figure, pointsBetween, rangeOf, type Found, type Rule } from '../rule.ts';

/** Fewest seconds and waiting requests of a lasting queue. */
const MIN_SECONDS = 6;
const MIN_WAITING = 8;
/** Smallest excess of arrivals over completions, as a share of the arrivals. */
const MIN_EXCESS_SHARE = 0.03;
/** Smallest mean growth in standard errors. By chance (Student's t) reached in 1 of 190 stages of 6 seconds, 1 of 1,500 of 15 and 1 of 11,000 of 60. */
const MIN_T = 4;
/** Largest share of overloaded seconds. A busy generator notices responses late and so has a queue of its own. */
const MAX_OVERLOADED_SHARE = 0.3;

/**
 * Finds a queue that grows as long as the load lasts, because more requests arrive than are completed. With λ arrivals per second, service time S and m
 * workers, ρ = λ·S / m > 1. The completion rate is m / S while there is work, so ρ = arrivals / completions, and the queue grows by λ − m / S per second.
 * Requires constant arrivals. Growth is tested on the differences between started and ended requests in each second.
 */
export const growingQueue: Rule = {
  id: 'growingQueue',
  find(facts) {
    if (facts.plan.load.model !== 'arrivals') return [];
    return facts.stages.flatMap((stage): Found[] => {
      const { level } = stage;
      if (!isSteady(level) || level.to <= 0) return [];
      const all = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond);
      // Before the first response, every request is in flight, however quick the server is.
      const firstAnswer = all.findIndex(({ completed }) => completed > 0);
      const points = firstAnswer < 0 ? [] : all.slice(firstAnswer + 1);
      const seconds = sum(points, ({ width }) => width);
      const last = points.at(-1);
      if (last === undefined || seconds < MIN_SECONDS || last.inFlight < MIN_WAITING) return [];
      const overloaded = overloadedSeconds(points);
      if (!growsBeyondChance(points)) return [];
      const isDoubtful = overloaded > MAX_OVERLOADED_SHARE * seconds;
      // Requests that time out leave the queue without being completed.
      const clean = points.filter(({ failed, notStarted }) => failed === 0 && notStarted.target === 0);
      const told = sum(clean, ({ width }) => width) >= MIN_SECONDS / 2 ? clean : points;
      const tail = points.slice(-Math.ceil(points.length / 3));
      const goesOn = perSecond(tail, growth) > MIN_EXCESS_SHARE * perSecond(tail, ({ started }) => started);
      if (!goesOn && clean.length === points.length) return [];
      const came = perSecond(told, ({ started, notStarted }) => started + notStarted.target);
      const done = perSecond(told, ({ completed }) => completed);
      if (came - done < MIN_EXCESS_SHARE * came || done <= 0) return [];
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
              ? [
                  `${atStart(overloadWords(facts.generators))} for ${formatSeconds(overloaded)} of it: part of the growth may come from there.`,
                ]
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
  // Failed requests without a response no longer wait either.
  return started - Math.max(completed, ok + failed);
}

/** Student's t test of the mean growth per second. Unweighted, because all seconds are equally long. */
function growsBeyondChance(points: readonly Point[]): boolean {
  const rates = points.map((point) => growth(point) / point.width);
  const mean = rates.reduce((total, rate) => total + rate, 0) / rates.length;
  const squares = rates.reduce((total, rate) => total + (rate - mean) ** 2, 0);
  const error = Math.sqrt(squares / (rates.length - 1) / rates.length);
  return mean > 0 && mean >= MIN_T * error;
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
