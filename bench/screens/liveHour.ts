import type { Page, WebSocketRoute } from '@playwright/test';
import { LiveView } from '#backend/services/runs/liveView.ts';
import { planFor } from '#backend/testing/plans.ts';
import { syntheticReading, syntheticWindow } from '#backend/testing/windows.ts';
import type { Window } from '#core/measurement/window.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { type ReplyFrame, requestFrameSchema } from '#contract/rpc/frames.ts';
import type { LiveSnapshot, RunRow } from '#contract/replies.ts';

const GENERATORS = 2;
/** Interval in ms at which the backend sends updates. */
const UPDATE_INTERVAL_MS = 500;

/** A synthetic active run of this length. Its live items are like those from the backend. */
export class LiveHour {
  readonly run = { ...runHead, id: 'live', name: 'An hour', state: 'running' as const, endedAt: null };
  private readonly view: LiveView;
  private second = 0;
  /** The windows of one minute, which are repeated. For each second: the window of all generators together, then that of each generator. */
  private readonly minute: readonly (readonly Window[])[];

  constructor(seconds: number, steps: number) {
    const makeWindow = (second: number, places: number, seed: number): Window =>
      syntheticWindow(second, { perSecond: 500 * places, steps, seed });
    this.minute = Array.from({ length: 60 }, (_, second) => [
      makeWindow(second, GENERATORS, 0),
      ...Array.from({ length: GENERATORS }, (_place, place) => makeWindow(second, 1, place + 1)),
    ]);
    this.view = new LiveView(
      planFor('http://127.0.0.1:1/', {
        journey: Array.from({ length: steps }, (_, step) => ({ name: `step ${step}` })),
        load: { model: 'connections', stages: [{ name: 'load', connections: 50 * GENERATORS, seconds: 2 * seconds }] },
      }),
    );
    this.view.setGenerators(Array.from({ length: GENERATORS }, (_, place) => ({ name: `host ${place}`, lost: null })));
    while (this.second < seconds) this.nextUpdate();
  }

  fullView(): LiveSnapshot {
    return this.view.fullState(this.run, null);
  }

  /** Returns the update that follows after one more second. */
  nextUpdate(): LiveSnapshot {
    const second = this.second++;
    const [whole, ...parts] = (this.minute[second % 60] ?? []).map((window) => ({ ...window, second }));
    if (whole === undefined) throw new Error('a minute has 60 seconds');
    const generatorPoints = parts.flatMap((window, generator) => this.view.addGeneratorWindow({ generator, window }));
    const point = this.view.add(whole, syntheticReading(second));
    return this.view.update(this.run, null, { points: [point], watched: [], generatorPoints, events: [], monitors: [] });
  }

  /** Returns the current state without new points, as it is sent between two seconds. */
  repeatUpdate(): LiveSnapshot {
    return this.view.update(this.run, null, { points: [], watched: [], generatorPoints: [], events: [], monitors: [] });
  }
}

/** Intercepts the page's WebSocket: adds this run, and passes everything else on unchanged. */
export async function showLive(page: Page, hour: LiveHour): Promise<void> {
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const asked = requestFrameSchema.safeParse(JSON.parse(String(message)));
      if (asked.success && asked.data.type === 'open' && asked.data.stream === 'runs.watch')
        return notify(page, socket, asked.data.id, hour);
      if (asked.success && asked.data.type === 'open' && asked.data.stream === 'runs.active') {
        const row: RunRow = {
          ...hour.run,
          target: 'http://127.0.0.1:1/',
          load: null,
          outcome: null,
          sentence: null,
          requests: 0,
          completedPerSecond: null,
          p95Ms: null,
          sparkline: [],
        };
        return response(socket, { type: 'item', id: asked.data.id, item: { runs: [row] } });
      }
      server.send(message);
    });
  });
}

function notify(page: Page, socket: WebSocketRoute, id: number, hour: LiveHour): void {
  response(socket, { type: 'item', id, item: hour.fullView() });
  let reportedCount = 0;
  const timer = setInterval(() => {
    reportedCount += 1;
    response(socket, { type: 'item', id, item: reportedCount % 2 === 0 ? hour.nextUpdate() : hour.repeatUpdate() });
  }, UPDATE_INTERVAL_MS);
  socket.onClose(() => clearInterval(timer));
  page.once('close', () => clearInterval(timer));
}

function response(socket: WebSocketRoute, frame: ReplyFrame): void {
  socket.send(JSON.stringify(frame));
}
