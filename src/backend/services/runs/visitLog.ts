import type { RunEvent } from '#core/result/schema.ts';
import type { Visit } from '#core/result/visit.ts';
import type { Filmstrip } from '#core/result/visits.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { VisitFacts } from '#backend/store/visitTable.ts';
import type { Frame } from '#backend/visits/film.ts';
import type { VisitSink } from '#backend/visits/runVisits.ts';
import { cleanCounts } from './liveFeed.ts';

export interface VisitLogParts {
  readonly browser: string;
  /** Name of the browser's host; null for this computer. */
  readonly from: string | null;
  readonly show: (visit: Visit) => void;
  readonly saveFacts: (facts: VisitFacts) => void;
  readonly saveVisit: (visit: Visit) => void;
  readonly saveFilm: (number: number, frames: Filmstrip['frames']) => void;
  readonly tell: (event: RunEvent) => void;
}

/** Passes visits to the run's readers and to the store. */
export class VisitKeeper implements VisitSink {
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
    this.parts.tell({ second, kind: 'visits', text: stepBackWords(pauseSeconds, this.parts.from ?? 'this computer') });
  }

  onGone(second: number): void {
    const where = this.parts.from === null ? '' : ` on ${this.parts.from}`;
    this.parts.tell({ second, kind: 'visits', text: `The browser${where} ended during the load, so visits ended.` });
  }

  /** Missing files are named by path, which a server may have chosen freely. */
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
