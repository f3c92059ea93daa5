import { listRecordedRequests } from '#core/plan/requests.ts';
import { MAX_COMPARED_ITEMS } from '#core/plan/schema/populate.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { MAX_PEOPLE_RECORDS } from '#core/measurement/people.ts';
import type { SentItem } from '#contract/agent/frames.ts';
import type { EngineEnd } from '#engine/engine.ts';
import { plainText } from '../ssh/problems.ts';

/** Maximum time by which an agent may be ahead of this machine's clock, because clocks drift and this machine may have been suspended. */
const MAX_AHEAD_SECONDS = 120;
const MAX_EVENTS = 5_000;
const MAX_EVENT_CHARACTERS = 4_000;
/** Maximum number of samples: far more than are kept. The size limit is larger than any sample that the engine makes. */
const MAX_SAMPLES = 1_000;
const MAX_SAMPLE_CHARACTERS = 500_000;
/** Maximum length of lists whose names come from others: addresses, hosts, socket states. */
const MAX_NAMES = 1_000;
const MAX_NAME_CHARACTERS = 300;

/**
 * Limits what a host may report in one run. Its data is shown, stored and added up, so length, times and number are all bounded.
 * `elapsedSeconds` returns the time since the run was handed over, including suspension of this machine.
 */
export class AgentBounds {
  private readonly elapsedSeconds: () => number;
  private readonly stages: number;
  private readonly requests: number;
  /** Length of a pair of slots in seconds; null for a plan without a duet. */
  private readonly pairSeconds: number | null;
  private events = 0;
  private samples = 0;
  private compared = 0;

  constructor(plan: Plan, elapsedSeconds: () => number) {
    this.elapsedSeconds = elapsedSeconds;
    this.stages = plan.load.stages.length;
    this.requests = listRecordedRequests(plan).length;
    this.pairSeconds = plan.duet === undefined ? null : (2 * plan.duet.slotMs) / 1_000;
  }

  /** Returns why a window cannot belong to this run, or null. */
  findWindowProblem({ second, cells, loaded, side, people, duet = [] }: Window, reading: Pick<GeneratorReading, 'second'>): string | null {
    if (second > this.elapsedSeconds() + MAX_AHEAD_SECONDS) return `second ${second} of a run that is not that old`;
    if (reading.second !== second) return `a reading of second ${reading.second} with second ${second}`;
    // Start-up phases of stages are numbered after the stages of the plan.
    const isOfPlan = (cell: { stage: number; step: number }): boolean => cell.stage < 2 * this.stages && cell.step < this.requests;
    if (![...cells, ...loaded].every(isOfPlan) || side?.cells.some(({ step }) => step >= this.requests) === true)
      return 'counts of requests that are not in the plan';
    if (people?.records.some(({ person, step }) => person >= MAX_PEOPLE_RECORDS || (step ?? 0) >= this.requests) === true)
      return 'people who are not in the plan';
    if (duet.some(({ pair }) => this.pairSeconds === null || pair * this.pairSeconds > this.elapsedSeconds() + MAX_AHEAD_SECONDS))
      return 'slots of a duet that are not in this run';
    // Duplicate cells would let sums grow without bound.
    if (new Set(cells.map((cell) => cell.stage * this.requests + cell.step)).size !== cells.length) return 'counts that are reported twice';
    return null;
  }

  isStage(stage: number): boolean {
    return stage >= 0 && stage < this.stages;
  }

  /** Clamps a second to the range in which events can have happened. */
  second(second: number): number {
    return Math.min(Math.max(0, second), this.elapsedSeconds() + MAX_AHEAD_SECONDS);
  }

  /** Returns the bounded event to show and store, or null after too many. */
  event({ second, kind, text, data }: RunEvent): RunEvent | null {
    this.events += 1;
    if (this.events > MAX_EVENTS) return null;
    const isShort = data !== undefined && JSON.stringify(data).length <= MAX_EVENT_CHARACTERS;
    const bounded = { second: this.second(second), kind: plainText(kind, 40), text: plainText(text, MAX_EVENT_CHARACTERS) };
    return { ...bounded, ...(isShort ? { data } : {}) };
  }

  admitSample(sample: Sample): boolean {
    this.samples += 1;
    return this.samples <= MAX_SAMPLES && JSON.stringify(sample).length <= MAX_SAMPLE_CHARACTERS;
  }

  /**
   * Returns the items that are compared. In total these are at most one more than MAX_COMPARED_ITEMS; the extra one shows that items are
   * left out.
   */
  items(items: readonly SentItem[]): readonly SentItem[] {
    const remaining = MAX_COMPARED_ITEMS + 1 - this.compared;
    this.compared += items.length;
    return items.slice(0, Math.max(0, remaining));
  }

  reading(reading: GeneratorReading): GeneratorReading {
    const { sockets, watched } = reading;
    return { ...reading, sockets: sockets === null ? null : firstNames(sockets), watched: firstNames(watched) };
  }

  boundEnd({ problem, firstBodyLengths, serverSoftware, addresses, silentAddresses, leftOut, stages, ...end }: EngineEnd): EngineEnd {
    return {
      ...end,
      problem: problem === null ? null : boundedProblem(problem),
      endedAtSecond: this.second(end.endedAtSecond),
      firstBodyLengths: firstBodyLengths.slice(0, this.requests),
      serverSoftware: serverSoftware === null ? null : plainText(serverSoftware, MAX_NAME_CHARACTERS),
      addresses: firstNames(addresses),
      silentAddresses: firstNames(silentAddresses),
      leftOut: firstNames(leftOut),
      stages: stages.slice(0, this.stages).map(({ startedAtSecond, endedAtSecond }) => ({
        startedAtSecond: this.second(startedAtSecond),
        endedAtSecond: this.second(endedAtSecond),
      })),
    };
  }
}

export function boundedProblem({ code, message, hint }: { code: string; message: string; hint: string }): {
  code: string;
  message: string;
  hint: string;
} {
  return { code: plainText(code, 40), message: plainText(message, MAX_EVENT_CHARACTERS), hint: plainText(hint, MAX_EVENT_CHARACTERS) };
}

function firstNames(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts)
      .slice(0, MAX_NAMES)
      .map(([name, count]) => [plainText(name, MAX_NAME_CHARACTERS), count]),
  );
}
