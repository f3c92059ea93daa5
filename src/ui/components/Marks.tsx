import {
  Activity,
  Ban,
  CircleCheck,
  CircleMinus,
  CircleX,
  Clock,
  FileQuestionMark,
  Gauge,
  OctagonX,
  Unplug,
  CircleHelp,
  Info,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunRow } from '#contract/replies.ts';
import type { Mark as CellMark } from '#core/presentation/document/model.ts';
import type { RunState } from '#core/result/schema.ts';
import { words } from '#ui/words/words.ts';
import { classes } from './classes.ts';
import styles from './Marks.module.css';
import tones from './Tone.module.css';
import type { Verdict } from '#core/result/verdict.ts';

export type Outcome = NonNullable<RunRow['outcome']>;
/** An outcome, or the state of a run that has no outcome. */
type Mark = Outcome | 'running' | 'stopped' | 'error' | 'interrupted';

const icons: Readonly<Record<Mark | CellMark, ReactNode>> = {
  passed: <CircleCheck />,
  failed: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
  running: <Activity />,
  stopped: <OctagonX />,
  error: <CircleX />,
  interrupted: <Unplug />,
  withinNoise: <CircleMinus />,
  waiting: <Clock />,
  value: <Gauge />,
  refused: <Ban />,
  aborted: <OctagonX />,
  unread: <FileQuestionMark />,
  notRun: <CircleMinus />,
  unclear: <CircleMinus />,
};

/** Shows a state as colour, icon and word, so that colour is not the only sign. */
export function StateMark({ mark, children }: { readonly mark: Mark | CellMark; readonly children: ReactNode }) {
  return (
    <span className={classes(styles.mark, styles[mark])}>
      <span className={styles.icon} aria-hidden="true">
        {icons[mark]}
      </span>
      <span>{children}</span>
    </span>
  );
}

/**
 * Returns the mark of a run: passed or failed if that is its outcome, else the reason for an early end, else its outcome. “Measured” alone
 * would hide that a run ended early.
 */
export function toMark(state: RunState, outcome: Outcome | null): Mark {
  if (state === 'preparing' || state === 'running' || state === 'draining') return 'running';
  if (outcome === 'passed' || outcome === 'failed') return outcome;
  return state === 'finished' ? (outcome ?? 'measured') : state === 'failed' ? 'error' : state;
}

/** The mark of a run, with the standard label for that mark. */
export function VerdictMark({ mark }: { readonly mark: Mark }) {
  return <StateMark mark={mark}>{words.marks[mark]}</StateMark>;
}

const bannerIcons: Readonly<Record<Verdict['outcome'] | 'running', ReactNode>> = {
  passed: <CircleCheck />,
  failed: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
  running: <Activity />,
};

interface VerdictBannerProps {
  readonly outcome: Verdict['outcome'] | 'running';
  /** Start of the sentence, in bold. */
  readonly title: string;
  readonly rest: string;
  /** Smaller text below the sentence. */
  readonly children?: ReactNode;
}

/** The verdict in large type, with its colour and icon. */
export function VerdictBanner({ outcome, title, rest, children }: VerdictBannerProps) {
  return (
    <section className={classes(styles.verdict, tones[outcome === 'running' ? 'info' : outcome])} aria-label={words.marks[outcome]}>
      <span className={styles.verdictBannerIcon} aria-hidden="true">
        {bannerIcons[outcome]}
      </span>
      <div>
        <p className={styles.sentence} aria-live={outcome === 'running' ? 'polite' : undefined}>
          <strong>{title}</strong>
          {rest}
        </p>
        {children === undefined || children === null ? null : <div className={styles.below}>{children}</div>}
      </div>
    </section>
  );
}

export type Severity = 'ok' | 'info' | 'warning' | 'problem' | 'unknown';

const levelIcons: Record<Severity, ReactNode> = {
  ok: <CircleCheck size={18} />,
  info: <Info size={18} />,
  warning: <TriangleAlert size={18} />,
  problem: <CircleX size={18} />,
  unknown: <CircleHelp size={18} />,
};

/** Shows a severity as colour, icon and word. Only screen readers get the word, unless `showWord` is set. */
export function SeverityMark({ level, showWord = false }: { readonly level: Severity; readonly showWord?: boolean }) {
  return (
    <span className={classes(styles.severityMark, styles[level])}>
      <span className={styles.levelMarkIcon} aria-hidden="true">
        {levelIcons[level]}
      </span>
      <span className={showWord ? undefined : 'only-read-out'}>{words.levels[level]}</span>
    </span>
  );
}

interface Line {
  readonly level: Severity;
  readonly text: ReactNode;
  /** What to do, in small type. */
  readonly hint?: ReactNode;
}

/** Shows a sentence with its severity and what to do. */
export function LevelLine({ level, text, hint }: Line) {
  return (
    <div className={styles.line}>
      <SeverityMark level={level} />
      <div>
        <p className={styles.lineText}>{text}</p>
        {hint ? <p className="muted">{hint}</p> : null}
      </div>
    </div>
  );
}

/** Shows sentences with their severities. */
export function LevelList({ lines }: { readonly lines: readonly (Line & { readonly key: string })[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="list">
      {lines.map(({ key, ...line }) => (
        <li key={key}>
          <LevelLine {...line} />
        </li>
      ))}
    </ul>
  );
}
