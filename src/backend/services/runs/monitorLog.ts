import type { LiveMonitor } from '#core/machines/monitors/live.ts';
import type { MonitorInfo, MonitorPoint } from '#core/machines/monitors/result.ts';
import type { RunEvent } from '#core/result/schema.ts';
import type { MonitorSink } from '#backend/monitors/runningMonitor.ts';
import type { Redaction } from '#backend/redaction.ts';

/** Maximum number of seconds of monitor readings that a killed run loses. */
const STORED_POINTS = 10;

export interface MonitorLogParts {
  readonly show: (news: LiveMonitor) => void;
  readonly saveInfo: (info: MonitorInfo) => void;
  readonly savePoints: (info: MonitorInfo, points: readonly MonitorPoint[]) => void;
  readonly tell: (event: RunEvent) => void;
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
    const text = before === info.state ? null : wordsOf(clean, before);
    if (text !== null) this.parts.tell({ second: this.second, kind: 'monitor', text });
  }

  /** Stores what was not stored so far. */
  flush(): void {
    for (const number of this.waiting.keys()) this.flushOne(number);
  }

  private flushOne(number: number): void {
    const waiting = this.waiting.get(number);
    if (waiting === undefined) return;
    this.waiting.delete(number);
    this.parts.savePoints(waiting.info, waiting.points);
  }

  /** The problem of a service may repeat the request to it. */
  private clean(info: MonitorInfo): MonitorInfo {
    return info.problem === null ? info : { ...info, problem: this.redaction.sentence(info.problem) };
  }
}

/** Returns a message about a change of a monitor, or null if it is not worth one. */
function wordsOf({ name, role, state, problem }: MonitorInfo, before: MonitorInfo['state'] | undefined): string | null {
  const why = problem ?? 'reason unknown';
  if (state === 'lost') return `${name} is no longer monitored: ${why} The run continues.`;
  if (state === 'watching' && before === 'lost') return `${name} is monitored again.`;
  // A load generator that is not Linux is expected and not reported.
  if (state === 'unavailable' && role !== 'generator') return `${name} cannot be monitored: ${why} The run continues without it.`;
  return null;
}
