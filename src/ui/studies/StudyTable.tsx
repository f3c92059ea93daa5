import { Activity, Ban, Check, CircleMinus, FileQuestionMark, Gauge, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StudyResult } from '#core/search/result.ts';
import type { StudyRun } from '#core/search/run.ts';
import { studyRunLine } from '#core/search/table.ts';
import { formatCount, formatMs, formatRate, formatShare } from '#core/base/units.ts';
import { useStream } from '../app/backend.ts';
import { classes } from '../components/classes.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { words } from '../words/words.ts';
import styles from './StudyPage.module.css';

const texts = words.studies.table;

/** The runs of a search in their order; the one that goes shows what it does now. */
export function StudyTable({ result: { study, runs } }: { readonly result: StudyResult }) {
  return (
    <Table caption={texts.caption[study.kind]} stacks>
      <thead>
        <Row>
          <HeadCell>{texts.level[study.kind]}</HeadCell>
          <HeadCell>{texts.state}</HeadCell>
          <HeadCell numeric>
            <Term name="throughput">{texts.rate}</Term>
          </HeadCell>
          <HeadCell numeric>{texts.time}</HeadCell>
          <HeadCell numeric>
            <Term name="p95">{texts.within}</Term>
          </HeadCell>
          <HeadCell numeric>{texts.failed}</HeadCell>
          <HeadCell>{texts.why}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.position} run={run} kind={study.kind} />
        ))}
      </tbody>
    </Table>
  );
}

function RunRow({ run, kind }: { readonly run: StudyRun; readonly kind: StudyResult['study']['kind'] }) {
  const { name, repeat, runId, phase, reason, reading } = run;
  const { okPerSecond, meanMs, p95, failedShare } = figuresOf(run);
  const why = reading?.kind === 'level' ? reading.text : reading?.kind === 'users' ? '' : (reason ?? otherWords(run));
  return (
    <Row>
      <HeadCell scope="row">
        <span className={styles.level}>{runId === null ? name : <a href={`#/runs/${runId}`}>{name}</a>}</span>
        {repeat === 1 || kind === 'characterize' ? null : <span className={styles.about}>{texts.run(formatCount(repeat))}</span>}
        {phase === 'load' && runId !== null ? <LiveFigures runId={runId} /> : null}
      </HeadCell>
      <Cell label={texts.state}>
        <Mark run={run} />
      </Cell>
      <Cell numeric label={texts.rate}>
        {okPerSecond === null ? '–' : formatRate(okPerSecond)}
      </Cell>
      <Cell numeric label={texts.time}>
        {meanMs === null ? '–' : formatMs(meanMs)}
      </Cell>
      <Cell numeric label={texts.within}>
        {p95 === null ? '–' : formatMs(p95)}
      </Cell>
      <Cell numeric label={texts.failed}>
        {failedShare === null ? '–' : formatShare(failedShare)}
      </Cell>
      <Cell label={texts.why}>{why === '' ? null : <div className={styles.why}>{why}</div>}</Cell>
    </Row>
  );
}

/** What a look at recovery or at an idle connection has shown. */
function otherWords(run: StudyRun): string {
  return run.reading === null ? '' : studyRunLine(run).replace(`${run.name} · `, '');
}

function figuresOf({ reading }: StudyRun) {
  const nothing = { okPerSecond: null, meanMs: null, p95: null, failedShare: null };
  if (reading?.kind === 'level') {
    const { okPerSecond, meanMs, p95, failed, sent } = reading;
    return { okPerSecond, meanMs, p95, failedShare: sent === 0 ? null : Math.min(1, failed / sent) };
  }
  if (reading?.kind !== 'users') return nothing;
  const { okPerSecond, meanMs, p95Ms, failed, sent } = reading;
  return { okPerSecond, meanMs, p95: p95Ms, failedShare: sent === 0 ? null : failed / sent };
}

const outcomeIcons = { held: <Check size={16} />, broke: <OctagonX size={16} />, unclear: <CircleMinus size={16} /> };
const stateIcons: Readonly<Record<StudyRun['state'], ReactNode>> = {
  running: <Activity size={16} />,
  value: <Gauge size={16} />,
  aborted: <Ban size={16} />,
  unread: <FileQuestionMark size={16} />,
  notRun: <CircleMinus size={16} />,
};

function Mark({ run: { state, phase, reading } }: { readonly run: StudyRun }) {
  const outcome = reading?.kind === 'level' && state !== 'running' ? reading.outcome : null;
  return (
    <span className={classes(styles.mark, styles[outcome ?? state])}>
      <span aria-hidden="true">{outcome === null ? stateIcons[state] : outcomeIcons[outcome]}</span>
      <span>
        {outcome === null ? texts.runStates[state] : texts.outcomes[outcome]}
        {phase === null ? null : <span className={styles.about}>{texts.phases[phase]}</span>}
      </span>
    </span>
  );
}

/** What the load of the run that goes does in this second. */
function LiveFigures({ runId }: { readonly runId: string }) {
  const live = useStream('runs.watch', { runId }).value;
  const last = live?.points.at(-1);
  if (live === undefined || last === undefined) return null;
  return <span className={styles.about}>{texts.now(formatRate(last.completed / last.width), formatCount(live.ledger.requests.sent))}</span>;
}
