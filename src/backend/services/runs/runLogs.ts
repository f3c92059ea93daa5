import type { LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { MonitorInfo, MonitorPoint } from '#core/machines/monitors/result.ts';
import type { RunEvent } from '#core/result/schema.ts';
import type { MonitorSink } from '#backend/monitors/runningMonitor.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { Filmstrip, Visit } from '#core/result/visits.ts';
import type { VisitFacts } from '#backend/store/detailTable.ts';
import type { Frame } from '#backend/visits/film.ts';
import type { VisitSink } from '#backend/visits/runVisits.ts';
import { cleanCounts } from './liveFeed.ts';

/** Number of seconds of monitor readings that are stored together. A killed run loses at most these. */
const STORED_POINTS = 10;

export interface MonitorLogParts {
  readonly show: (news: LiveMonitor) => void;
  readonly saveInfo: (info: MonitorInfo) => void;
  readonly savePoints: (info: MonitorInfo, points: readonly MonitorPoint[]) => void;
  readonly report: (event: RunEvent) => void;
}

/** Passes monitor readings to the run's readers, stores some seconds at a time, and reports lost monitors. */
export class MonitorLog implements MonitorSink {
  private readonly redaction: Redaction;
  private readonly parts: MonitorLogParts;
  private readonly waiting = new Map<number, { readonly info: MonitorInfo; readonly points: MonitorPoint[] }>();
  private readonly states = new Map<number, MonitorInfo['state']>();
  private second = 0;

  constructor(redaction: Redaction, parts: MonitorLogParts) {
    this.redaction = redaction;
    this.parts = parts;
  }

  onPoint(info: MonitorInfo, point: MonitorPoint): void {
    this.second = Math.max(this.second, point.second + point.width);
    const points = [...(this.waiting.get(info.number)?.points ?? []), point];
    this.waiting.set(info.number, { info, points });
    if (points.length >= STORED_POINTS) this.flushOne(info.number);
    this.parts.show({ info: this.clean(info), points: [point] });
  }

  onInfo(info: MonitorInfo): void {
    const clean = this.clean(info);
    const before = this.states.get(info.number);
    this.states.set(info.number, info.state);
    this.parts.saveInfo(clean);
    this.parts.show({ info: clean, points: [] });
    const text = before === info.state ? null : describeChange(clean, before);
    if (text !== null) this.parts.report({ second: this.second, kind: 'monitor', text });
  }

  /** Stores what is not stored yet. */
  flush(): void {
    for (const number of this.waiting.keys()) this.flushOne(number);
  }

  private flushOne(number: number): void {
    const waiting = this.waiting.get(number);
    if (waiting === undefined) return;
    this.waiting.delete(number);
    this.parts.savePoints(waiting.info, waiting.points);
  }

  /** Redacts a problem, because a service may repeat the request in its error. */
  private clean(info: MonitorInfo): MonitorInfo {
    return info.problem === null ? info : { ...info, problem: this.redaction.sentence(info.problem) };
  }
}

/** Returns a message about a monitor's change of state, or null if none is needed. */
function describeChange({ name, role, state, problem }: MonitorInfo, before: MonitorInfo['state'] | undefined): string | null {
  const why = problem ?? 'reason unknown';
  if (state === 'lost') return `${name} is no longer monitored: ${why} The run continues.`;
  if (state === 'watching' && before === 'lost') return `${name} is monitored again.`;
  // A load generator that does not run Linux cannot be monitored. This is not reported.
  if (state === 'unavailable' && role !== 'generator') return `${name} cannot be monitored: ${why} The run continues without it.`;
  return null;
}

interface VisitLogParts {
  readonly browser: string;
  /** Name of the browser's host; null for this computer. */
  readonly from: string | null;
  readonly show: (visit: Visit) => void;
  readonly saveFacts: (facts: VisitFacts) => void;
  readonly saveVisit: (visit: Visit) => void;
  readonly saveFilm: (number: number, frames: Filmstrip['frames']) => void;
  readonly report: (event: RunEvent) => void;
}

/** Passes visits to the run's readers and to the store. */
export class VisitLog implements VisitSink {
  private readonly redaction: Redaction;
  private readonly parts: VisitLogParts;
  private facts: VisitFacts;

  constructor(redaction: Redaction, parts: VisitLogParts) {
    this.redaction = redaction;
    this.parts = parts;
    this.facts = { browser: parts.browser, from: parts.from, stepsBack: [] };
    parts.saveFacts(this.facts);
  }

  onVisit(visit: Visit): void {
    const clean = this.clean(visit);
    this.parts.saveVisit(clean);
    this.parts.show(clean);
  }

  onFilm({ number }: Pick<Visit, 'number'>, frames: readonly Frame[]): void {
    this.parts.saveFilm(
      number,
      frames.map(({ atMs, jpeg }) => ({ atMs: Math.round(atMs), jpeg: jpeg.toString('base64') })),
    );
  }

  onStepBack(second: number, pauseSeconds: number | null): void {
    this.facts = { ...this.facts, stepsBack: [...this.facts.stepsBack, { second, pauseSeconds }] };
    this.parts.saveFacts(this.facts);
    this.parts.report({ second, kind: 'visits', text: stepBackWords(pauseSeconds, this.parts.from ?? 'this computer') });
  }

  onBrowserGone(second: number): void {
    const where = this.parts.from === null ? '' : ` on ${this.parts.from}`;
    this.parts.report({ second, kind: 'visits', text: `The browser${where} ended during the load, so visits ended.` });
  }

  /** Redacts the paths of missing files, which a server may have chosen. */
  private clean(visit: Visit): Visit {
    return {
      ...visit,
      missing: cleanCounts(visit.missing, this.redaction.text),
      leftOut: cleanCounts(visit.leftOut, this.redaction.text),
      problem: visit.problem === null ? null : this.redaction.sentence(visit.problem),
    };
  }
}

function stepBackWords(pauseSeconds: number | null, where: string): string {
  if (pauseSeconds === 0) return `Visits are as frequent as before: ${where} is overloaded without them too.`;
  const overloaded = `While the browser visited, ${where} was overloaded`;
  return pauseSeconds === null ? `${overloaded}, so visits ended.` : `${overloaded}: visits now pause ${pauseSeconds} s.`;
}
