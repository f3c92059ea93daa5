import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { streamsEndedFor, listen, countSkippedEvents, countWrittenEvents } from './listeners.ts';

const STREAMS = 2;
const RETRY_MS = 2_000;
/** Ping interval in seconds. The scoreboard checks its streams every tenth of this interval. */
const PING_SECONDS = 1;

export const scoreboard = story({
  id: 'contest/scoreboard',
  statement: 'A scoreboard ends each stream after a while, as CMS does: listeners come back, and every event reaches every one of them.',
  owner: 'measure',
  usualSeconds: 16,
  needs: [],
  draw: (dice) => ({ listeners: dice.step(40, 80, 10), perSecond: dice.whole(10, 16), streamSeconds: dice.step(3, 4, 0.5) }),
  async play(scene, { listeners, perSecond, streamSeconds }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'events-per-second': scene.hidden(perSecond),
      'stream-seconds': streamSeconds,
      'retry-ms': RETRY_MS,
      'ping-seconds': PING_SECONDS,
    });
    const retrySeconds = RETRY_MS / 1_000;
    // The load must end while all listeners are away, so that nothing is in flight.
    const listened = STREAMS * streamSeconds + retrySeconds;
    const { result, outcomes: counts, figures, log } = await listen(scene, lab, listeners, listened + retrySeconds / 2);
    const events = listeners * perSecond * listened;
    // The event with the longest delay occurred right after the stream ended, or up to one event interval later.
    const oldest = RETRY_MS - 500 / perSecond;
    return [
      exactFigure('streams', STREAMS * listeners, counts.opened, log.listeners.length),
      exactFigure('streams responded', STREAMS * listeners, countResponses(result, 200), log.listeners.length),
      exactFigure('ended in order', STREAMS * listeners, counts.ended, streamsEndedFor(log, 'time').length),
      {
        name: 'events',
        unit: '',
        predicted: events,
        measured: counts.events,
        logged: countWrittenEvents(log),
        within: 0.1 * events,
        agreeWithin: 0,
      },
      exactFigure('events missed', 0, counts.missed, countSkippedEvents(log)),
      equalFigure('events twice', counts.repeated, 0),
      { name: 'median delay', unit: 'ms', predicted: 0, measured: figures.delays && knownMs(figures.delays.p50), logged: null, within: 50 },
      {
        name: 'longest delay',
        unit: 'ms',
        predicted: oldest,
        measured: figures.delays && knownMs(figures.delays.max),
        logged: null,
        within: 250,
      },
    ];
  },
});
