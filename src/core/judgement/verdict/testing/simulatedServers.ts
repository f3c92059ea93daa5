import { exponential, randomFrom, type Random } from '#core/testing/queueRun.ts';

/** Response times in ms for each second of a run; infinite for a failed request. */
export type SimulatedSeconds = readonly (readonly number[])[];

export interface ServerKind {
  readonly name: string;
  /** Simulates `seconds` with about `perSecond` requests each, beginning at a random moment. */
  readonly run: (random: Random, seconds: number, perSecond: number) => SimulatedSeconds;
}

/** Times at which a server pauses, in order. */
type Pauses = readonly { readonly from: number; readonly to: number }[];

/** Returns a normally distributed number with mean 0 and standard deviation 1 (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let sum = exponential(1, random); sum < mean; sum += exponential(1, random)) count += 1;
  return count;
}

const lognormal = (medianMs: number, spread: number, random: Random): number => medianMs * Math.exp(spread * normal(random));

/** Returns a run with Poisson arrivals, each with an independent time that may depend on the second. */
function each(timeMs: (random: Random, second: number) => number): ServerKind['run'] {
  return (random, seconds, perSecond) =>
    Array.from({ length: seconds }, (_, second) => Array.from({ length: poisson(perSecond, random) }, () => timeMs(random, second)));
}

/** Returns a run whose level per second is autoregressive. `memory` is the part of the run after which the correlation is 1/e. */
function remembering(memory: number, levelSpread: number, ownSpread: number): ServerKind['run'] {
  return (random, seconds, perSecond) => {
    const kept = Math.exp(-1 / (memory * seconds));
    let level = normal(random);
    return Array.from({ length: seconds }, () => {
      level = kept * level + Math.sqrt(1 - kept * kept) * normal(random);
      return Array.from({ length: poisson(perSecond, random) }, () => lognormal(40 * Math.exp(levelSpread * level), ownSpread, random));
    });
  };
}

/** Returns a run with two states, whose durations are exponential with the given parts of the run as means. */
function switching(good: number, bad: number, badMs: (random: Random) => number): ServerKind['run'] {
  return (random, seconds, perSecond) => {
    const [goodSeconds, badSeconds] = [good * seconds, bad * seconds];
    let isBad = random() < badSeconds / (goodSeconds + badSeconds);
    let until = exponential(isBad ? badSeconds : goodSeconds, random);
    return Array.from({ length: seconds }, (_, second) =>
      Array.from({ length: poisson(perSecond, random) }, () => second + random())
        .toSorted((one, other) => one - other)
        .map((at) => {
          while (at > until) {
            isBad = !isBad;
            until += exponential(isBad ? badSeconds : goodSeconds, random);
          }
          return isBad ? badMs(random) : lognormal(40, 0.5, random);
        }),
    );
  };
}

/** Returns a run of an open model with pauses: requests continue to arrive during a pause and wait for its end. */
function pausing(readPauses: (random: Random, seconds: number) => Pauses): ServerKind['run'] {
  return (random, seconds, perSecond) => {
    const pauses = readPauses(random, seconds);
    const responded = Array.from({ length: seconds }, (): number[] => []);
    for (let at = exponential(1 / perSecond, random) - WARM_UP_SECONDS; at < seconds; at += exponential(1 / perSecond, random)) {
      const pause = pauses.find(({ from, to }) => from <= at && at < to);
      const end = Math.max(at, pause?.to ?? at);
      responded[Math.floor(end)]?.push((end - at) * 1_000 + lognormal(40, 0.5, random));
    }
    return responded;
  };
}

/** Seconds that are simulated before the first one, because responses to earlier requests arrive later. */
const WARM_UP_SECONDS = 5;

export const periodic =
  (every: (seconds: number) => number, lasting: number) =>
  (random: Random, seconds: number): Pauses => {
    const period = every(seconds);
    const first = -WARM_UP_SECONDS - lasting + random() * period;
    return Array.from({ length: Math.ceil((seconds + WARM_UP_SECONDS + lasting) / period) + 1 }, (_, index) => ({
      from: first + index * period,
      to: first + index * period + lasting,
    }));
  };

export const byChance =
  (every: (seconds: number) => number, lasting: (random: Random) => number) =>
  (random: Random, seconds: number): Pauses => {
    const pauses: { from: number; to: number }[] = [];
    for (let at = -10 * WARM_UP_SECONDS + exponential(every(seconds), random); at < seconds; at += exponential(every(seconds), random)) {
      const to = at + lasting(random);
      pauses.push({ from: at, to });
      at = to;
    }
    return pauses;
  };

/** Returns a run with one worker that serves first come, first served, with utilization ρ = `busy` and exponential service times. */
function queueing(busy: number): ServerKind['run'] {
  return (random, seconds, perSecond) => {
    const meanService = busy / perSecond;
    // The stationary wait is 0 with probability 1 − ρ, and otherwise exponential with mean S / (1 − ρ).
    let wait = random() < busy ? exponential(meanService / (1 - busy), random) : 0;
    const responded = Array.from({ length: seconds }, (): number[] => []);
    let at = 0;
    for (;;) {
      const gap = exponential(1 / perSecond, random);
      at += gap;
      if (at >= seconds) return responded;
      const service = exponential(meanService, random);
      wait = Math.max(0, wait - gap);
      responded[Math.floor(at + wait + service)]?.push((wait + service) * 1_000);
      wait += service;
    }
  };
}

/** Returns a run with ten connections that send the next request after each response. They send few requests in a pause. */
export function closedLoad(readPauses: (random: Random, seconds: number) => Pauses): ServerKind['run'] {
  return (random, seconds, perSecond) => {
    const pauses = readPauses(random, seconds);
    const connections = 10;
    const responded = Array.from({ length: seconds }, (): number[] => []);
    for (let connection = 0; connection < connections; connection += 1) {
      for (let at = -WARM_UP_SECONDS * random(); at < seconds;) {
        const pause = pauses.find(({ from, to }) => from <= at && at < to);
        const end = Math.max(at, pause?.to ?? at) + exponential(connections / perSecond, random);
        responded[Math.floor(end)]?.push((end - at) * 1_000);
        at = end;
      }
    }
    return responded;
  };
}

const slow = (random: Random): number => lognormal(600, 0.5, random);

/** Kinds of servers. Recurring changes happen at least three times in a run. */
export const SERVER_KINDS: readonly ServerKind[] = [
  { name: 'independent', run: each((random) => exponential(50, random)) },
  { name: 'a few requests a second', run: (random, seconds) => each(() => lognormal(60, 0.6, random))(random, seconds, 2) },
  { name: 'heavy tails', run: each((random) => 20 * (1 - random()) ** (-1 / 1.3)) },
  { name: 'bimodal', run: each((random) => (random() < 0.1 ? slow(random) : lognormal(40, 0.4, random))) },
  { name: 'one slow replica', run: each((random) => lognormal(random() < 0.25 ? 120 : 40, 0.5, random)) },
  { name: 'short memory', run: remembering(1 / 60, 0.4, 0.5) },
  { name: 'memory', run: remembering(1 / 30, 0.4, 0.5) },
  { name: 'long memory', run: remembering(1 / 20, 0.5, 0.4) },
  {
    name: 'garbage pauses',
    run: pausing(
      byChance(
        () => 3,
        () => 0.2,
      ),
    ),
  },
  {
    name: 'long garbage pauses',
    run: pausing(
      byChance(
        (seconds) => seconds / 8,
        (random) => 0.3 + random(),
      ),
    ),
  },
  {
    name: 'rare pauses by chance',
    run: pausing(
      byChance(
        (seconds) => seconds / 4,
        () => 1.5,
      ),
    ),
  },
  { name: 'periodic freezes', run: pausing(periodic((seconds) => seconds / 6, 1)) },
  { name: 'freezes as rare as may be', run: pausing(periodic((seconds) => seconds / 3, 2)) },
  { name: 'freezes of a closed load', run: closedLoad(periodic((seconds) => seconds / 5, 2)) },
  {
    name: 'drift',
    run: (random, seconds, perSecond) =>
      each((r, second) => lognormal(40 * (1 + (2 * second) / seconds), 0.5, r))(random, seconds, perSecond),
  },
  { name: 'waves', run: waves },
  { name: 'on and off', run: switching(1 / 15, 1 / 15, slow) },
  { name: 'short bursts', run: switching(1 / 12, 1 / 60, slow) },
  { name: 'failures in bursts', run: switching(1 / 10, 1 / 60, () => Number.POSITIVE_INFINITY) },
  { name: 'saturating', run: queueing(0.75) },
  { name: 'recovering', run: recovering },
];

/** Returns four periods of a sine in a run, from a random phase on. */
function waves(random: Random, seconds: number, perSecond: number): SimulatedSeconds {
  const phase = 2 * Math.PI * random();
  return each((r, second) => lognormal(60 * Math.exp(0.6 * Math.sin(phase + (8 * Math.PI * second) / seconds)), 0.4, r))(
    random,
    seconds,
    perSecond,
  );
}

/** Returns a run with random shocks, six on average. Each shock makes responses ten times as slow and decays exponentially. */
function recovering(random: Random, seconds: number, perSecond: number): SimulatedSeconds {
  const shocks: number[] = [];
  for (let at = -seconds; at < seconds; at += exponential(seconds / 6, random)) shocks.push(at);
  const excess = (second: number): number =>
    shocks.reduce((sum, at) => (at > second ? sum : sum + 9 * Math.exp((-30 * (second - at)) / seconds)), 0);
  return each((r, second) => lognormal(40 * (1 + excess(second)), 0.5, r))(random, seconds, perSecond);
}

/** Simulates the same run for the same seed. */
export function simulatedRun({ run }: ServerKind, seed: number, seconds: number, perSecond: number): SimulatedSeconds {
  return run(randomFrom(seed), seconds, perSecond);
}
