import { z } from 'zod';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { graphMonitor, layOnRun, type RunTime, explainOutside } from '#core/machines/monitors/graph/graphMonitor.ts';
import { type GraphProblem, readGraph } from '#core/machines/monitors/graph/readGraph.ts';
import { parseZone, type Zone } from '#core/machines/monitors/graph/times.ts';
import type { RunRecord } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';

/** The data of the clock event, which only runs with hosts have. */
const clockSchema = z.object({ startedAt: z.iso.datetime() });

/** Creates the call that attaches graphs from other tools to ended runs. */
export function createGraphCalls(store: Store): Pick<CallHandlers, 'monitors.attachGraph'> {
  return {
    'monitors.attachGraph': ({ runId, name, text, zone, replace }) => {
      const record = store.find(runId);
      const run = runTimeOf(store, record);
      const read = readGraph(text, { zone: zone === null ? undefined : requireZone(zone), nearMs: run.startedAtMs });
      if (read.graph === null) throw unreadable(name, read.problems);
      const laid = layOnRun(read.graph, run);
      if (laid === null) throw graphOutsideRun(name, explainOutside(read.graph, run));
      const infos = store.monitorInfos(record.key);
      const same = infos.find((info) => info.kind === 'graph' && info.name === name);
      if (same !== undefined && !replace) throw alreadyAttached(name);
      const { info, points } = graphMonitor(laid, { number: same?.number ?? nextNumber(infos), name });
      store.attachMonitor(record.key, info, points);
      return {
        columns: info.quantities.map(({ words }) => words),
        leftOut: [...read.leftOut],
        rows: points.length,
        rowsOutside: laid.outside,
      };
    },
  };
}

function nextNumber(infos: readonly { readonly number: number }[]): number {
  return Math.max(-1, ...infos.map(({ number }) => number)) + 1;
}

function runTimeOf(store: Store, { id, key, started_at: startedAt, ended_at: endedAt }: RunRecord): RunTime {
  if (endedAt === null)
    throw new HoldfastError({ code: 'RUN_GOING', message: `Run ${id} is still running.`, hint: 'Attach the graph when it has ended.' });
  const reported = store.events(key).find(({ kind }) => kind === 'clock')?.data;
  const clock = clockSchema.safeParse(reported);
  const startedAtMs = Date.parse(clock.success ? clock.data.startedAt : startedAt);
  return { startedAtMs, seconds: (Date.parse(endedAt) - startedAtMs) / 1_000 };
}

function requireZone(text: string): Zone {
  const zone = parseZone(text);
  if (zone !== null) return zone;
  throw new HoldfastError({
    code: 'BAD_TIME_ZONE',
    message: `${quote(text)} is not a time zone.`,
    hint: 'Enter UTC, an offset such as +02:00, or a place such as Europe/Berlin. Abbreviations such as CEST or IST are ambiguous.',
  });
}

function unreadable(name: string, problems: readonly GraphProblem[]): HoldfastError {
  const messages = problems.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`));
  return new HoldfastError({
    code: 'GRAPH_UNREADABLE',
    message: `${name} cannot be attached to the run: ${messages.join('; ')}.`,
    hint: 'Use a CSV file with a column of times and a column for each graph, as cloud consoles and Grafana export it.',
    data: { problems },
  });
}

function graphOutsideRun(name: string, reason: string): HoldfastError {
  return new HoldfastError({
    code: 'GRAPH_ELSEWHEN',
    message: `Nothing in ${name} was measured during the run: ${reason}.`,
    hint: 'Check the run, the day and the time zone.',
  });
}

function alreadyAttached(name: string): HoldfastError {
  return new HoldfastError({
    code: 'GRAPH_ATTACHED',
    message: `The run already has a graph called ${name}.`,
    hint: 'Choose another name, or replace that graph.',
  });
}
