import { exactFigure } from '../framework/figure.ts';
import { countResponses, findFindings, figureOf } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { streamsEndedFor, listen } from './listeners.ts';

const CUT_COUNT = 3;
const RETRY_MS = 2_500;

export const idleCut = story({
  id: 'contest/idle-cut',
  statement: 'A proxy cuts streams that are silent: how often follows from its time-out and from the time until listeners return.',
  owner: 'conclusions',
  usualSeconds: 18,
  needs: [],
  draw: (dice) => ({ listeners: dice.step(20, 50, 10), idleMs: dice.step(1_500, 2_000, 100) }),
  async play(scene, { listeners, idleMs }) {
    const lab = await scene.lab('contest', { shards: 1, scoreboard: true, 'cut-idle-ms': scene.hidden(idleMs), 'retry-ms': RETRY_MS });
    // The load must end while all listeners are away after the last cut. That cut is up to 10 % late.
    const seconds = (1.05 * CUT_COUNT * idleMs + (CUT_COUNT - 0.5) * RETRY_MS) / 1_000;
    const { result, outcomes: counts, log } = await listen(scene, lab, listeners, seconds);
    const cut = CUT_COUNT * listeners;
    const [finding, ...others] = findFindings(result, 'streamTimeout');
    const shortest = figureOf(finding, 'Silent before the cut: min, p50, max');
    return [
      exactFigure('cuts', cut, counts.lost, streamsEndedFor(log, 'idle').length),
      exactFigure('responded', cut, countResponses(result, 200), log.listeners.length),
      exactFigure('came back', cut - listeners, counts.reopened, log.listeners.length - listeners),
      exactFigure('findings that say it', 1, finding === undefined ? 0 : 1 + others.length, null),
      {
        name: 'silent before a cut, as it says',
        unit: 's',
        predicted: idleMs / 1_000,
        measured: shortest,
        logged: null,
        within: (0.1 * idleMs) / 1_000,
      },
    ];
  },
});
