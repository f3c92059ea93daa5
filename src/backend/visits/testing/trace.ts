import type { Browser } from 'playwright-core';
import { z } from 'zod';

const eventSchema = z.object({
  name: z.string(),
  ts: z.number(),
  args: z.object({ data: z.record(z.string(), z.unknown()).optional() }).optional(),
});
type TraceEvent = z.infer<typeof eventSchema>;

/** Times of a visit from Chromium's own trace, in ms from the start of the navigation. */
export interface TracedVisit {
  readonly firstByteMs: number;
  readonly largestPaintMs: number;
  readonly layoutShift: number;
}

/** Records a trace of the browser while `work` runs. */
export async function traceWork<Result>(browser: Browser, address: string, work: () => Promise<Result>): Promise<[Result, TracedVisit]> {
  const tools = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  tools.on('Tracing.dataCollected', ({ value }) => {
    for (const one of value) {
      const event = eventSchema.safeParse(one);
      if (event.success) events.push(event.data);
    }
  });
  await tools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['loading', 'blink.user_timing', 'devtools.timeline'], excludedCategories: ['*'] },
  });
  const result = await work();
  const complete = new Promise<void>((resolve) => tools.once('Tracing.tracingComplete', () => resolve()));
  await tools.send('Tracing.end');
  await complete;
  await tools.detach();
  return [result, read(events, address)];
}

const timingSchema = z.object({ requestTime: z.number(), receiveHeadersStart: z.number() });

/**
 * Returns whether an id belongs to the request for a document, which has the id of its navigation. Ids of other requests contain a full
 * stop.
 */
const isOfDocument = (id: unknown): boolean => typeof id === 'string' && !id.includes('.');

const numberOf = (value: unknown): number => z.number().parse(value);

function read(events: readonly TraceEvent[], address: string): TracedVisit {
  const data = ({ args }: TraceEvent): Record<string, unknown> => args?.data ?? {};
  const start = events.findLast((event) => event.name === 'navigationStart' && data(event)['documentLoaderURL'] === address);
  if (start === undefined) throw new Error('The trace has no navigation.');
  const since = events.filter(({ ts }) => ts >= start.ts).toSorted((one, other) => one.ts - other.ts);
  const largest = since.findLast(({ name }) => name === 'largestContentfulPaint::Candidate');
  const firstBytes = since.flatMap((event) => {
    const isResponse = event.name === 'ResourceReceiveResponse' && isOfDocument(data(event)['requestId']);
    const timing = isResponse ? timingSchema.safeParse(data(event)['timing']).data : undefined;
    const atMs = timing === undefined ? -1 : timing.requestTime * 1_000 + timing.receiveHeadersStart - start.ts / 1_000;
    // Earlier events belong to another navigation.
    return atMs < 0 ? [] : [atMs];
  });
  const shifts = since.filter((event) => event.name === 'LayoutShift' && data(event)['had_recent_input'] !== true);
  return {
    // The request for the page's icon has such an id too, but comes later, so the minimum is the document's.
    firstByteMs: Math.min(...firstBytes),
    largestPaintMs: largest === undefined ? Number.NaN : (largest.ts - start.ts) / 1_000,
    // All shifts are one session, because the test page shifts within a second.
    layoutShift: shifts.reduce((sum, event) => sum + numberOf(data(event)['weighted_score_delta']), 0),
  };
}
