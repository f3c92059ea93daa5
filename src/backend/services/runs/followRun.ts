import type { Live } from '#contract/api.ts';
import type { Sink } from '#contract/rpc/server.ts';
import { problemOf } from '#core/errors.ts';
import { watchedIn } from '#core/report/watchedReadings.ts';
import { headOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { LiveView } from './liveView.ts';

const POLL_EVERY_MS = 1_000;

export interface FollowParts {
  readonly store: Store;
  /** Ends runs whose owner is gone, so that nobody waits for news of a dead process. */
  readonly recover: () => void;
}

/** Shows a run of another process, as the store tells of it once a second, until it has ended. Returns how to leave. */
export function followRun({ store, recover }: FollowParts, runId: string, sink: Sink<Live>): () => void {
  const record = store.find(runId);
  const { plan } = store.details(record.key);
  const view = new LiveView(plan);
  let nextSecond = 0;
  let eventsSeen = 0;
  const monitorsUntil = new Map<number, number>();

  const readNews = () => {
    const stretches = store.stretches(record.key, nextSecond);
    const points = stretches.map((stretch) => {
      nextSecond = stretch.window.second + stretch.window.width;
      return view.add(stretch);
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
    return { points, watched: watchedIn(stretches.map(({ reading }) => reading)), events, monitors };
  };
  const poll = (): void => {
    try {
      recover();
      const current = headOf(store.find(runId));
      sink.item(view.update(current, null, readNews()));
      if (current.endedAt === null) return;
      clearInterval(timer);
      sink.end();
    } catch (thrown) {
      clearInterval(timer);
      sink.end(problemOf(thrown));
    }
  };

  readNews();
  sink.item(view.full(headOf(record), null));
  const timer = setInterval(poll, POLL_EVERY_MS);
  return () => clearInterval(timer);
}
