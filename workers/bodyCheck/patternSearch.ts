import { createContext, Script } from 'node:vm';
import { UnreadableBody } from './decodeBody.ts';
import { PatternCost } from './patternCost.ts';

/**
 * Maximum number of steps of a search without a time limit, which takes about 10 ms. A time limit costs about 0.3 ms. The patterns of the
 * recorder, and most patterns that users write, stay far below this number on pages that were not made for an attack.
 */
const MAX_FREE_STEPS = 2_000_000;
/** Maximum time of one search, during which the load thread does nothing else. */
const MAX_MS = 500;
/** Number of overruns after which a pattern is not tried again if it needs a time limit. */
const MAX_OVERRUNS = 3;

const context = createContext({ search: null });
const script = new Script('search()');

/**
 * Searches with one regular expression of a plan. The text comes from a server, which could make the search take minutes: for example, `.*`
 * restarts at each character, and its time grows with the square of the length.
 */
export class PatternSearch {
  private readonly label: string;
  private readonly cost: PatternCost;
  private overruns = 0;

  constructor(pattern: string, flags: string) {
    this.label = `/${pattern}/${flags}`;
    this.cost = new PatternCost(pattern, flags);
  }

  /**
   * Returns the result of `search`.
   * @throws {UnreadableBody} if the search takes too long.
   */
  runWithinTime<Found>(text: string, search: () => Found): Found {
    if (this.cost.of(text, MAX_FREE_STEPS) <= MAX_FREE_STEPS) return search();
    if (this.overruns >= MAX_OVERRUNS) throw this.tooSlowError();
    const found: Found[] = [];
    context['search'] = () => void found.push(search());
    try {
      script.runInContext(context, { timeout: MAX_MS });
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown;
      this.overruns += 1;
    }
    for (const one of found) return one;
    throw this.tooSlowError();
  }

  private tooSlowError(): UnreadableBody {
    return new UnreadableBody('PATTERN_TOO_SLOW', this.label);
  }
}

/** Recognizes a time-out by its code, because the error of another context is not an instance of this context's `Error`. */
function isTimeout(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
