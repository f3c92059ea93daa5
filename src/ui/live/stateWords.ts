import type { Live } from '#contract/replies.ts';
import { formatCount } from '#core/base/units.ts';
import { words } from '../words/words.ts';

/** True from the moment somebody asked for the end. */
export function isStopping({ run }: Live): boolean {
  return run.endedBecause !== null && run.endedAt === null;
}

/** What the run is doing, in a sentence; empty while it simply runs. */
export function stateSentence(live: Live): string {
  const { run, ledger } = live;
  const { states, answers } = words.live;
  const owed = ledger.requests.inFlight;
  const owedWords = answers(owed, formatCount(owed));
  if (run.endedAt !== null) return states.ended;
  if (isStopping(live)) return owed > 0 ? states.stopping(owedWords) : states.stoppingNothingOwed;
  switch (run.state) {
    case 'preparing':
      return states.preparing;
    case 'running':
      return '';
    case 'draining':
      return owed > 0 ? states.draining(owedWords) : states.drained;
    case 'finished':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return states.ended;
    default:
      return run.state satisfies never;
  }
}
