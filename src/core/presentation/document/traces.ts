import { explainFailure } from '#core/work/samples/text.ts';
import { formatMs } from '#core/base/units.ts';
import { fillTraceLink } from '#core/plan/schema/trace.ts';
import type { RunResult } from '#core/result/schema.ts';
import { dashOr } from './figures.ts';
import { column, numbers, type Passage, table } from './model.ts';

/** Returns the requests whose traces explain the result: failures, and the slowest successful responses. */
export function traceBlocks({ traces = [], plan }: Pick<RunResult, 'traces' | 'plan'>): Passage[] {
  const link = plan.trace?.link;
  return table(
    'Requests with a trace',
    traces,
    [
      column('Request', ({ request }) => request),
      column('Outcome', ({ failure }) => (failure === null ? 'slow' : explainFailure(failure).message)),
      numbers('Service time', ({ serviceMs }) => dashOr(serviceMs, formatMs)),
      column('Trace', ({ traceId }) => (link === undefined ? traceId : { text: traceId, href: fillTraceLink(link, traceId) })),
    ],
    link === undefined ? undefined : `The traces are at ${new URL(link).host}.`,
  );
}
