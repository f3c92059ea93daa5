import { sumFailures } from '#core/measurement/requestOutcomes.ts';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { OverloadCause } from '#core/measurement/window.ts';
import { formatCount, formatMs, formatRate } from '#core/base/units.ts';
import { WAITING_FOR_RESPONSES } from '#core/presentation/document/words.ts';
import type { Output } from '../output/stream.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';

/** Formats the state of a run in one line of at most `columns` characters. */
export function progressLine(live: LiveSnapshot, columns: number): string {
  const { requests } = live.outcomes;
  const completed = requests.sent - requests.inFlight;
  const last = live.points.at(-1);
  const parts = [
    live.run.state === 'draining' ? WAITING_FOR_RESPONSES : (live.stage?.name ?? live.run.state),
    elapsedText(live, completed),
    arrivalsText(live),
    last === undefined ? '' : `${formatRate(last.completed / last.width)}`,
    typeof live.latency.p95 === 'number' ? `p95 ${formatMs(live.latency.p95)}` : '',
    `${formatCount(sumFailures(live.outcomes))} failed`,
    `${formatCount(requests.inFlight)} in flight`,
    overloadWords(live.generator?.overloadedBy ?? []),
  ];
  return parts
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, Math.max(0, columns - 1));
}

function overloadWords(causes: readonly OverloadCause[]): string {
  if (causes.length === 0) return '';
  return causes.includes('standstill') ? 'computer stalled' : 'computer overloaded';
}

function elapsedText(live: LiveSnapshot, completed: number): string {
  const seconds = clockText(live.elapsedSeconds);
  if (live.plannedSeconds !== null) return `${seconds} of ${clockText(live.plannedSeconds)}`;
  return live.plannedRequests === null ? seconds : `${seconds}, ${formatCount(completed)} of ${formatCount(live.plannedRequests)} requests`;
}

/** Formats due and started arrivals and how late they are, for an open model with a planned number and time. */
function arrivalsText({ outcomes: { journeys }, plannedSeconds, generator }: LiveSnapshot): string {
  if (journeys.planned === null || plannedSeconds === null) return '';
  const leftOut = journeys.notStarted.target + journeys.notStarted.generator;
  const due = `${formatCount(journeys.started + leftOut)} of ${formatCount(journeys.planned)} due, ${formatCount(journeys.started)} started`;
  const late = generator === null || generator.scheduleLagMs === null ? '' : `, ${formatMs(generator.scheduleLagMs)} late`;
  return `${due}${leftOut === 0 ? '' : `, ${formatCount(leftOut)} left out`}${late}`;
}

function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

export interface Progress {
  show(live: LiveSnapshot): void;
  /** Shows the current activity while there is no load. */
  doing(text: string): void;
  /** Prints a permanent line above the progress line. */
  note(text: string): void;
  /** Removes the progress line. */
  end(): Promise<void>;
}

/** Starts a line that is redrawn on a terminal. Nothing is drawn on other outputs. */
export function startLine(err: Output, isWanted: boolean): { show(text: string): void; end(): Promise<void> } {
  return {
    show(text) {
      if (isWanted) void err.redraw(text);
    },
    async end() {
      if (isWanted) await err.redraw('');
    },
  };
}

/** Starts a progress line that is redrawn on a terminal. On other outputs, only notes are printed. */
export function startProgress(err: Output, isWanted: boolean): Progress {
  const draws = isWanted && err.isTerminal;
  let drawn = '';
  const draw = (text: string): void => {
    if (!draws) return;
    drawn = text;
    void err.redraw(drawn);
  };
  return {
    show: (live) => draw(progressLine(live, err.columns)),
    doing: draw,
    note(text) {
      void (draws ? err.redraw(drawn, text) : err.write(`${text}\n`));
    },
    async end() {
      if (draws) await err.redraw('');
    },
  };
}

/** Resolves at the first Ctrl-C. A second Ctrl-C exits the process at once. */
export function untilInterrupted(context: Pick<CliContext, 'onInterrupt' | 'quit'>): Promise<void> {
  return new Promise((resolve) => {
    let interrupts = 0;
    context.onInterrupt(() => {
      interrupts += 1;
      if (interrupts > 1) context.quit(EXIT.stoppedByUser);
      resolve();
    });
  });
}

/** Prints `text` and stops the work at the first Ctrl-C; exits the process at the second. Returns a function that removes the listener. */
export function stopOnInterrupt(stop: () => Promise<unknown>, text: string, context: CliContext, progress: Progress): () => void {
  let interrupts = 0;
  return context.onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) return context.quit(EXIT.stoppedByUser);
    progress.note(`${text} Press Ctrl-C again to quit at once.`);
    // An error is ignored, because the run may have ended in the meantime.
    stop().catch(() => {});
  });
}
