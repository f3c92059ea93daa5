import type { Live } from '#contract/replies.ts';
import type { Sink } from '#contract/rpc/server.ts';
import { problemOf } from '#core/base/errors.ts';
import type { GeneratorReading } from '#core/result/schema.ts';
import { watchedIn } from '#core/result/readings.ts';
import { headOf } from '#backend/store/rows.ts';
import { InFlightByGenerator, type GeneratorWindow, mergeGenerators, worstReading } from '#backend/store/folding.ts';
import type { Store } from '#backend/store/store.ts';
import { LiveView } from './liveView.ts';

const POLL_EVERY_MS = 1_000;
/** Maximum wait for generators that have not reported a second. */
const MAX_LATE_SECONDS = 3;

export interface FollowParts {
  readonly store: Store;
  /** Ends runs whose process has ended, so nobody waits for them. */
  readonly recover: () => void;
}

/** Shows a run of another process from the store, once a second, until it has ended. Returns a function that leaves. */
export function followRun({ store, recover }: FollowParts, runId: string, sink: Sink<Live>): () => void {
  const record = store.find(runId);
  const { plan } = store.details(record.key);
  const levels = new InFlightByGenerator();
  const view = new LiveView(plan);
  let nextSecond = 0;
  let eventsSeen = 0;
  const monitorsUntil = new Map<number, number>();

  const readNews = (hasEnded: boolean) => {
    const generatorWindows = store.generatorWindows(record.key, nextSecond);
    const newest = Math.max(0, ...generatorWindows.map(({ window }) => window.second));
    const generators = store.generators(record.key);
    view.setGenerators(generators);
    const waitsFor = !hasEnded && generators.length > 1 ? MAX_LATE_SECONDS : 0;
    const complete = generatorWindows.filter(({ window }) => window.second <= newest - waitsFor);
    const generatorPoints = complete.flatMap((generatorWindow) => view.addGeneratorWindow(generatorWindow));
    const points = [...mergeGenerators(complete, levels)].map((window) => {
      nextSecond = window.second + window.width;
      return view.add(window, readingAt(complete, window.second));
    });
    const events = store.events(record.key).slice(eventsSeen);
    eventsSeen += events.length;
    for (const event of events) view.addEvent(event);
    const monitors = store.monitorInfos(record.key).map((info) => {
      const news = store.monitorPoints(record.key, info.number, monitorsUntil.get(info.number) ?? 0);
      const last = news.at(-1);
      if (last) monitorsUntil.set(info.number, last.second + last.width);
      return { info, points: news };
    });
    view.addMonitors(monitors);
    return { points, watched: watchedIn(complete.map(({ reading }) => reading)), generatorPoints, events, monitors };
  };
  const poll = (): void => {
    try {
      recover();
      const current = headOf(store.find(runId));
      sink.item(view.update(current, null, readNews(current.endedAt !== null)));
      if (current.endedAt === null) return;
      clearInterval(timer);
      sink.end();
    } catch (thrown) {
      clearInterval(timer);
      sink.end(problemOf(thrown));
    }
  };

  readNews(false);
  sink.item(view.full(headOf(record), null));
  const timer = setInterval(poll, POLL_EVERY_MS);
  return () => clearInterval(timer);
}

/** Returns the worst reading of all generators in a second. */
function readingAt(generatorWindows: readonly GeneratorWindow[], second: number): GeneratorReading | null {
  const [first, ...others] = generatorWindows.filter(({ window }) => window.second === second).map(({ reading }) => reading);
  return first === undefined ? null : worstReading(first, others);
}
