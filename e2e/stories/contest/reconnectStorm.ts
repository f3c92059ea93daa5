import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, knownMs, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { streamsEndedFor, listen, countSkippedEvents } from './listeners.ts';

/** Number of events that are kept. It is smaller than the number of events while listeners are away. */
const KEPT_EVENTS = 5;

export const reconnectStorm = story({
  id: 'contest/reconnect-storm',
  statement: 'The scoreboard was restarted in the middle: all listeners came back at once, and had missed what was made meanwhile.',
  owner: 'conclusions',
  usualSeconds: 15,
  needs: [],
  draw: (dice) => ({
    listeners: dice.step(40, 80, 10),
    perSecond: dice.whole(15, 20),
    restartMs: dice.step(3_000, 5_000, 500),
    // The time is so long that 10 % of it is more than the delay on a busy machine.
    retryMs: dice.step(2_000, 3_000, 100),
  }),
  async play(scene, { listeners, perSecond, restartMs, retryMs }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'events-per-second': perSecond,
      'kept-events': KEPT_EVENTS,
      'cut-all-after-ms': restartMs,
      'cut-forgets': true,
      'retry-ms': scene.hidden(retryMs),
    });
    const { result, outcomes: counts, figures, log } = await listen(scene, lab, listeners, (restartMs + retryMs) / 1_000 + 2.5);
    const [finding] = findFindings(result, 'reconnectStorm');
    const missed = (listeners * perSecond * retryMs) / 1_000;
    return [
      exactFigure('cut', listeners, counts.lost + counts.ended, streamsEndedFor(log, 'restart').length),
      exactFigure('cut at once, as the finding says', listeners, figureOf(finding, 'Cut within 2 s') ?? NaN, null),
      exactFigure('came back', listeners, counts.reopened, log.listeners.filter(({ lastEventId }) => lastEventId !== null).length),
      equalFigure('responded', countResponses(result, 200), log.listeners.length),
      {
        name: 'until the restart',
        unit: 'ms',
        predicted: restartMs,
        measured: figures.held && knownMs(figures.held.p50),
        logged: null,
        within: restartMs / 10,
      },
      {
        name: 'events missed',
        unit: '',
        predicted: missed,
        measured: counts.missed,
        logged: countSkippedEvents(log),
        within: 0.1 * missed,
        agreeWithin: 0,
      },
    ];
  },
});
