import type { LiveSnapshot } from '#contract/replies.ts';
import type { Sink } from '#contract/rpc/server.ts';
import { joinLiveMonitors, type LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { PointOfGenerator } from '#core/result/liveGenerators.ts';
import type { GeneratorReading, Point, RunEvent, RunHead } from '#core/result/schema.ts';
import type { Visit } from '#core/result/visits.ts';
import type { Window } from '#core/measurement/window.ts';
import { listWatchedReadings, type WatchedReading } from '#core/result/readings.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { mergeServers } from '#core/measurement/windowFold.ts';
import { LiveView } from './liveView.ts';

/** Minimum time between two updates. */
const UPDATE_EVERY_MS = 250;

export interface LiveState {
  readonly head: RunHead;
  readonly stage: number | null;
}

/** Sends an active run to its readers. A new reader gets the full state first; then all readers get updates. */
export class LiveFeed {
  private readonly view: LiveView;
  private readonly state: () => LiveState;
  private readonly readers = new Set<Sink<LiveSnapshot>>();
  private points: Point[] = [];
  private watched: WatchedReading[] = [];
  private generatorPoints: PointOfGenerator[] = [];
  private events: RunEvent[] = [];
  private monitors: LiveMonitor[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(view: LiveView, state: () => LiveState) {
    this.view = view;
    this.state = state;
  }

  get hasReaders(): boolean {
    return this.readers.size > 0;
  }

  /** Time of the slowest response so far or, if that is longer, the longest wait for a response, in ms. */
  get slowestMs(): number {
    return this.view.slowestMs;
  }

  subscribe(sink: Sink<LiveSnapshot>): () => void {
    // The full state includes the pending update, which the new reader must not get again.
    this.flush();
    this.readers.add(sink);
    const { head, stage } = this.state();
    sink.item(this.view.fullState(head, stage));
    return () => void this.readers.delete(sink);
  }

  add(window: Window, reading: GeneratorReading | null): Point {
    const point = this.view.add(window, reading);
    if (this.hasReaders) {
      this.points.push(point);
      if (reading !== null) this.watched.push(...listWatchedReadings([reading]));
    }
    this.scheduleUpdate();
    return point;
  }

  setGenerators(generators: Parameters<LiveView['setGenerators']>[0]): void {
    this.view.setGenerators(generators);
    this.scheduleUpdate();
  }

  addGeneratorWindow(generatorWindow: Parameters<LiveView['addGeneratorWindow']>[0]): void {
    const generatorPoints = this.view.addGeneratorWindow(generatorWindow);
    if (this.hasReaders) this.generatorPoints.push(...generatorPoints);
  }

  addVisit(visit: Visit): void {
    this.view.addVisit(visit);
    this.scheduleUpdate();
  }

  addEvent(event: RunEvent): void {
    this.view.addEvent(event);
    if (this.hasReaders) this.events.push(event);
    this.scheduleUpdate();
  }

  addMonitor(news: LiveMonitor): void {
    this.view.addMonitors([news]);
    if (this.hasReaders) this.monitors = joinLiveMonitors(this.monitors, [news]);
    this.scheduleUpdate();
  }

  /** Schedules an update within a quarter of a second. */
  scheduleUpdate(): void {
    this.timer ??= setTimeout(() => this.flush(), UPDATE_EVERY_MS);
  }

  /** Sends the last state and ends all readers. */
  end(): void {
    this.flush();
    for (const reader of this.readers) reader.end();
    this.readers.clear();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { points, watched, generatorPoints, events, monitors } = this;
    this.points = [];
    this.watched = [];
    this.generatorPoints = [];
    this.events = [];
    this.monitors = [];
    if (!this.hasReaders) return;
    const { head, stage } = this.state();
    const update = this.view.update(head, stage, { points, watched, generatorPoints, events, monitors });
    for (const reader of this.readers) reader.item(update);
  }
}

/**
 * Redacts names in a window that a server influences, such as its own name or error names. The counts of names that become equal are added.
 */
export function cleanWindow(window: Window, clean: (text: string) => string): Window {
  const { side } = window;
  return {
    ...window,
    cells: window.cells.map((cell) => ({ ...cell, errors: cleanCounts(cell.errors, clean), servers: cleanServers(cell.servers, clean) })),
    ...(side && { side: { ...side, cells: side.cells.map((cell) => ({ ...cell, errors: cleanCounts(cell.errors, clean) })) } }),
  };
}

export function cleanCounts(counts: Readonly<Record<string, number>>, clean: (text: string) => string): Record<string, number> {
  const cleaned: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const cleanName = clean(name);
    setOwn(cleaned, cleanName, (getOwn(cleaned, cleanName) ?? 0) + count);
  }
  return cleaned;
}

function cleanServers(servers: Window['cells'][number]['servers'], clean: (text: string) => string): Window['cells'][number]['servers'] {
  const cleaned: Window['cells'][number]['servers'] = {};
  for (const [name, count] of Object.entries(servers)) {
    const one: Window['cells'][number]['servers'] = {};
    setOwn(one, clean(name), count);
    mergeServers(cleaned, one);
  }
  return cleaned;
}
