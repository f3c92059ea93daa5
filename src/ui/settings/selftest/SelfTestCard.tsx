import { Play, Square } from 'lucide-react';
import { useRef, useEffect, useReducer } from 'react';
import {
  outcomeOfChecks,
  type SelfTestLimits as Limits,
  type SelfTestProgress,
  type SelfTestReport,
} from '#core/measurement/selfTest/report.ts';
import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import { formatWhen, words } from '#ui/words/words.ts';
import { useCall, refreshCalls, useConnection } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Loaded } from '#ui/components/Placeholders.tsx';
import { useSuccessorFocus } from '#ui/components/useKeptFocus.ts';
import { SelfTestChecks } from './SelfTestChecks.tsx';
import styles from './SelfTestCard.module.css';
import { useQueryClient } from '@tanstack/react-query';
import type { Problem } from '#core/base/errors.ts';

const selfTestWords = words.selfTest;

const LIMIT_COLUMNS: readonly DataColumn<{ readonly name: string; readonly value: number | null }>[] = [
  { name: 'name', isHead: true, cell: ({ name }) => name },
  { name: 'value', numeric: true, cell: ({ value }) => (value === null ? selfTestWords.notMeasured : formatRate(value)) },
];

/** Shows the maximum load that this computer can send. */
function SelfTestLimits({ limits }: { readonly limits: Limits }) {
  const rows = [
    { name: selfTestWords.requestsPerSecond, value: limits.requestsPerSecond },
    { name: selfTestWords.arrivalsPerSecond(formatMs(limits.lagLimitMs)), value: limits.arrivalsPerSecond },
    { name: selfTestWords.connectionsPerSecond, value: limits.connectionsPerSecond },
  ];
  return (
    <div>
      <DataTable caption={selfTestWords.limits} showCaption hidesHead columns={LIMIT_COLUMNS} rows={rows} keyOf={({ name }) => name} />
      <p className="muted">{selfTestWords.limitsStory}</p>
    </div>
  );
}

/** Runs the self-test, and shows this computer's last result. */
export function SelfTestCard() {
  const { state, start, stop } = useSelfTest();
  const last = useCall('selftest.last', {});
  const isRunning = state.status === 'running';
  const actions = useRef<HTMLDivElement>(null);
  useSuccessorFocus(actions, isRunning);
  return (
    <Card title={selfTestWords.title}>
      <Stack gap={16}>
        <p>{selfTestWords.story}</p>
        {state.status === 'failed' ? <ProblemBanner problem={state.problem} onRetry={() => start(false)} /> : null}
        {state.status === 'lost' ? <Banner tone="inconclusive">{selfTestWords.lost}</Banner> : null}
        <div ref={actions} className={styles.actions}>
          {isRunning ? (
            <Button look="danger" icon={<Square />} onPress={stop}>
              {selfTestWords.stop}
            </Button>
          ) : (
            <>
              <Button look="primary" icon={<Play />} onPress={() => start(false)}>
                {selfTestWords.run}
              </Button>
              <Button icon={<Play />} onPress={() => start(true)}>
                {selfTestWords.runQuick}
              </Button>
            </>
          )}
        </div>
        <p className="muted">{isRunning ? selfTestWords.leaving : selfTestWords.durations}</p>
        {isRunning ? <Progress progress={state.progress} /> : null}
        {isRunning ? null : (
          <Loaded query={last} waitingFor={selfTestWords.loading} heights={[160]}>
            {({ report }) => <LastSelfTest report={report} />}
          </Loaded>
        )}
      </Stack>
    </Card>
  );
}

function Progress({ progress }: { readonly progress: SelfTestProgress | null }) {
  if (progress === null) return <p aria-live="polite">{words.common.waitingFor(selfTestWords.starting)}</p>;
  const { done, total, current, checks } = progress;
  return (
    <>
      <p aria-live="polite">{selfTestWords.doing(formatCount(done), formatCount(total), current ?? '')}</p>
      <progress className={styles.bar} value={done} max={total} aria-label={selfTestWords.progress} />
      {checks.length > 0 ? <SelfTestChecks checks={checks} /> : null}
    </>
  );
}

const TONES = { passed: 'passed', wrong: 'failed', busy: 'inconclusive', stolen: 'inconclusive' } as const;

function LastSelfTest({ report }: { readonly report: SelfTestReport | null }) {
  if (report === null) return <p>{selfTestWords.never}</p>;
  const { checks, limits, at, seconds, machine, quick } = report;
  const failed = formatCount(checks.filter(({ passed }) => !passed).length);
  const when = selfTestWords.when(formatWhen(at), machine.holdfastVersion, formatSeconds(seconds));
  const outcome = outcomeOfChecks(checks);
  const all = formatCount(checks.length);
  return (
    <>
      <Banner tone={TONES[outcome]} title={selfTestWords.outcomes[outcome](failed, all)} announce="status">
        {quick ? `${when} (${selfTestWords.quick})` : when}
        {outcome === 'passed' ? null : <p>{selfTestWords.hints[outcome]}</p>}
      </Banner>
      <SelfTestLimits limits={limits} />
      <SelfTestChecks checks={checks} />
    </>
  );
}

/** State of a self-test on this page. `lost` means that the connection was lost, which ended the self-test. */
export type SelfTestState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly progress: SelfTestProgress | null }
  | { readonly status: 'failed'; readonly problem: Problem }
  | { readonly status: 'lost' };

export type SelfTestEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly progress: SelfTestProgress }
  | { readonly kind: 'ended'; readonly problem: Problem | null }
  | { readonly kind: 'stopped' };

export const IDLE: SelfTestState = { status: 'idle' };

/** Returns the state after an event. Late events after a stop are ignored. */
export function nextSelfTestState(state: SelfTestState, event: SelfTestEvent): SelfTestState {
  switch (event.kind) {
    case 'started':
      return { status: 'running', progress: null };
    case 'progress':
      return state.status === 'running' ? { status: 'running', progress: event.progress } : state;
    case 'ended':
      if (state.status !== 'running') return state;
      if (event.problem === null) return IDLE;
      return event.problem.code === 'GONE' ? { status: 'lost' } : { status: 'failed', problem: event.problem };
    case 'stopped':
      return state.status === 'running' ? IDLE : state;
    default:
      return event satisfies never;
  }
}

interface SelfTest {
  readonly state: SelfTestState;
  start(quick: boolean): void;
  stop(): void;
}

/** Runs a self-test from this page. Leaving the page stops the test, which is not restarted automatically. */
function useSelfTest(): SelfTest {
  const connection = useConnection();
  const queries = useQueryClient();
  const [state, send] = useReducer(nextSelfTestState, IDLE);
  const leave = useRef<(() => void) | null>(null);
  useEffect(() => () => leave.current?.(), []);
  return {
    state,
    start(quick) {
      leave.current?.();
      send({ kind: 'started' });
      leave.current = connection.open(
        'selftest.run',
        { quick },
        {
          onItem: (progress) => send({ kind: 'progress', progress }),
          onEnd(problem) {
            leave.current = null;
            send({ kind: 'ended', problem: problem ?? null });
            void refreshCalls(queries, ['selftest.last']);
          },
        },
      );
    },
    stop() {
      leave.current?.();
      leave.current = null;
      send({ kind: 'stopped' });
    },
  };
}
