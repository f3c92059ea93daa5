import { createContext, Script } from 'node:vm';
import { UnreadableBody } from './decodeBody.ts';

/** A time limit costs about 0.3 ms: shorter texts are searched without. */
const LONG_TEXT = 65_536;
/** Of one search: the load thread does nothing else meanwhile. */
const MOST_MS = 500;
/** A pattern that went beyond its time so often is not tried on long texts again. */
const MOST_OVERRUNS = 3;

const context = createContext({ search: null });
const script = new Script('search()');

/**
 * Searches with one regular expression of a plan. What it is searched in comes from a server, which may write what the pattern takes minutes for: a dot and a
 * star that begin anew at each letter take a time that grows with the square of the text.
 */
export class PatternSearch {
  private readonly label: string;
  private overruns = 0;

  constructor(pattern: string, flags: string) {
    this.label = `/${pattern}/${flags}`;
  }

  /** What `search` finds in the text. @throws {UnreadableBody} when it takes too long. */
  within<Found>(text: string, search: () => Found): Found {
    if (text.length < LONG_TEXT) return search();
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
