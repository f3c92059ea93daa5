import { createContext, Script } from 'node:vm';
import { UnreadableBody } from './decodeBody.ts';
import { PatternCost } from './patternCost.ts';

/**
 * Maximum number of steps of a search without a time limit: such a search takes about 10 ms. A time limit costs about 0.3 ms. The patterns of the recorder,
 * and most patterns that users write, stay far below this number on pages that are not made to attack.
 */
const MAX_FREE_STEPS = 2_000_000;
/** Of one search: the load thread does nothing else meanwhile. */
const MOST_MS = 500;
/** Number of overruns after which a pattern is not tried again where it needs a time limit. */
const MOST_OVERRUNS = 3;

const context = createContext({ search: null });
const script = new Script('search()');

/**
 * Searches with one regular expression of a plan. What it is searched in comes from a server, which may write what the pattern takes minutes for: a dot and a
 * star that begin anew at each letter take a time that grows with the square of the text.
 */
export class PatternSearch {
  private readonly label: string;
  private readonly cost: PatternCost;
  private overruns = 0;

  constructor(pattern: string, flags: string) {
    this.label = `/${pattern}/${flags}`;
    this.cost = new PatternCost(pattern, flags);
  }

  /** What `search` finds in the text. @throws {UnreadableBody} when it takes too long. */
  within<Found>(text: string, search: () => Found): Found {
    if (this.cost.of(text, MAX_FREE_STEPS) <= MAX_FREE_STEPS) return search();
    if (this.overruns >= MOST_OVERRUNS) throw this.tooSlow();
    const found: Found[] = [];
    context['search'] = () => void found.push(search());
    try {
      script.runInContext(context, { timeout: MOST_MS });
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown;
      this.overruns += 1;
    }
    for (const one of found) return one;
    throw this.tooSlow();
  }

  private tooSlow(): UnreadableBody {
    return new UnreadableBody('PATTERN_TOO_SLOW', this.label);
  }
}

/** It is an error of the other context, whose `Error` is another. */
function isTimeout(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
