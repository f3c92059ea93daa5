import { exactFigure, type Figure } from '../framework/figure.ts';
import { findFindings, knownMs, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { streamsEndedFor, listen, RECONNECT_DELAY_MS, countWrittenEvents } from './listeners.ts';

const BURSTS = 5;

export const bufferedProxy = story({
  id: 'contest/buffered-proxy',
  statement: 'Scores came in bursts: the proxy before the scoreboard gathered them, and half of them were half a burst old.',
  owner: 'conclusions',
  usualSeconds: 14,
  needs: [],
  draw: (dice) => ({ listeners: dice.step(30, 60, 10), perSecond: dice.whole(15, 25), holdMs: dice.step(1_200, 1_800, 100) }),
  async play(scene, { listeners, perSecond, holdMs }) {
    const streamSeconds = (BURSTS * holdMs) / 1_000;
    const lab = await scene.lab('contest', {
      shards: 1,
      'events-per-second': perSecond,
      'hold-events-ms': scene.hidden(holdMs),
      'stream-seconds': streamSeconds,
      'retry-ms': RECONNECT_DELAY_MS,
    });
    const { result, outcomes, figures, log } = await listen(scene, lab, listeners, streamSeconds + 2);
    const [finding, ...others] = findFindings(result, 'eventsBuffered');
    const seconds = figureOf(finding, 'Between two bursts, p50');
    const inBurst = (perSecond * holdMs) / 1_000;
    const share = { predicted: 1 - 1 / inBurst, measured: figures.together / figures.events };
    const timeFigure = (name: string, predicted: number, measured: number | null): Figure => ({
      name,
      unit: 'ms',
      predicted,
      measured,
      logged: null,
      within: 0.08 * predicted,
    });
    return [
      exactFigure('streams', listeners, outcomes.opened, log.listeners.length),
      exactFigure('ended in order', listeners, outcomes.ended, streamsEndedFor(log, 'time').length),
      exactFigure('events', countWrittenEvents(log), outcomes.events, countWrittenEvents(log)),
      exactFigure('findings that say it', 1, finding === undefined ? 0 : 1 + others.length, null),
      timeFigure('between two bursts, as it says', holdMs, seconds === null ? null : seconds * 1_000),
      timeFigure('median delay', holdMs / 2, figures.delays && knownMs(figures.delays.p50)),
      { name: 'share that came together', unit: '', ...share, logged: null, within: 0.03 },
    ];
  },
});
