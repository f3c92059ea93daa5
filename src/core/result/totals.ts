import { type RunOutcomes, type RequestOutcomes, SENT_OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import { correctPlanned, countPlannedJourneys } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type LatencySummary, summarize } from '#core/statistics/latency.ts';
import { countRequestOutcomes, responseTimes } from '#core/measurement/cellFigures.ts';
import { addCounters, JOURNEY_COUNTERS, zeroCounters } from '#core/measurement/counters.ts';
import { addLoaded, emptyCell, mergeCellIntoTotal, mergeSideCalls, emptyLoadedCount } from '#core/measurement/windowFold.ts';
import type { Cell, LoadedCount, SideCell, Window } from '#core/measurement/window.ts';

/** Running sums of a run's windows by stage and step. Windows must be in order of time. */
export class Totals {
  private readonly sums = new Map<string, Cell>();
  private readonly loaded = new Map<string, LoadedCount>();
  private readonly side: SideCell[] = [];
  private sideInFlight: number | null = null;
  private readonly journeys = zeroCounters(JOURNEY_COUNTERS);
  private inFlight = 0;
  private end = 0;

  add({ cells, loaded, journeys, inFlight, side, second, width }: Window): void {
    this.addCounts(cells, loaded, journeys);
    this.inFlight = inFlight;
    if (side) {
      mergeSideCalls(this.side, side.cells);
      this.sideInFlight = side.inFlight;
    }
    this.end = second + width;
  }

  /** Adds the sums of another load generator of the same run. */
  join({ sums, loaded, journeys, inFlight, side, sideInFlight, end }: Totals): void {
    this.addCounts(sums.values(), loaded.values(), journeys);
    this.inFlight += inFlight;
    mergeSideCalls(this.side, side);
    if (sideInFlight !== null) this.sideInFlight = (this.sideInFlight ?? 0) + sideInFlight;
    this.end = Math.max(this.end, end);
  }

  private addCounts(cells: Iterable<Cell>, loaded: Iterable<LoadedCount>, journeys: Window['journeys']): void {
    for (const cell of cells) {
      const key = `${cell.stage}/${cell.step}`;
      let sum = this.sums.get(key);
      if (!sum) this.sums.set(key, (sum = emptyCell(cell.stage, cell.step)));
      mergeCellIntoTotal(sum, cell);
    }
    for (const count of loaded) {
      const key = `${count.stage}/${count.step}`;
      let sum = this.loaded.get(key);
      if (!sum) this.loaded.set(key, (sum = emptyLoadedCount(count.stage, count.step)));
      addLoaded(sum, count);
    }
    addCounters(JOURNEY_COUNTERS, this.journeys, journeys);
  }

  /** Second at which the last window ends; 0 if there are no windows. */
  get endSecond(): number {
    return this.end;
  }

  /** The side calls so far, by index of their request. */
  get sideCalls(): readonly SideCell[] {
    return this.side;
  }

  /** The sums so far, one cell for each stage and step. */
  get cells(): Iterable<Cell> {
    return this.sums.values();
  }

  sum(wanted: (cell: Cell) => boolean = () => true): Cell {
    const sum = emptyCell(0, 0);
    for (const cell of this.sums.values()) if (wanted(cell)) mergeCellIntoTotal(sum, cell);
    return sum;
  }

  sumLoaded(wanted: (count: Pick<LoadedCount, 'stage' | 'step'>) => boolean): LoadedCount {
    const sum = emptyLoadedCount(0, 0);
    for (const count of this.loaded.values()) if (wanted(count)) addLoaded(sum, count);
    return sum;
  }

  /**
   * Returns all outcomes, warm-up included, and whether every identity of docs/method.md holds. `inFlight` is taken independently from the
   * last window, so that a lost or doubled request shows. While a run continues (`ended` is false), outstanding journeys are in no term, so
   * planned = started + notStarted is checked only at the end.
   */
  outcomes(plan: Plan, ended: boolean): { outcomes: RunOutcomes; balances: boolean } {
    const { started, finished, abandoned, notStartedTarget, notStartedGenerator, notStartedStopped } = this.journeys;
    const notStarted = notStartedTarget + notStartedGenerator + notStartedStopped;
    const scheduled = countPlannedJourneys(plan);
    const settled = started + notStarted;
    const planned =
      scheduled === null || (!ended && settled < scheduled) ? scheduled : correctPlanned(plan, scheduled, settled, plan.load.stages.length);
    const running = started - finished - abandoned;
    const requests = countRequestOutcomes(this.sums.values(), this.inFlight);
    const sideCalls = this.sideInFlight === null ? null : countRequestOutcomes(this.side, this.sideInFlight);
    const journeysBalance = running >= 0 && (planned === null || (ended ? planned === settled : planned >= settled));
    return {
      outcomes: {
        journeys: {
          planned,
          started,
          notStarted: { target: notStartedTarget, generator: notStartedGenerator, stopped: notStartedStopped },
          finished,
          abandoned,
          running: Math.max(0, running),
        },
        requests,
        ...(sideCalls === null ? {} : { sideCalls }),
      },
      balances: journeysBalance && isBalanced(requests) && (sideCalls === null || isBalanced(sideCalls)),
    };
  }

  /** Returns the response times of all complete responses so far, warm-up included. */
  latency(): LatencySummary {
    return summarize(responseTimes(this.sum()));
  }
}

function isBalanced(outcomes: RequestOutcomes): boolean {
  return outcomes.sent === SENT_OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], outcomes.inFlight);
}
