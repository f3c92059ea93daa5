import { z } from 'zod';
import { decodeHistogram, encodeHistogram, createHistogram, record, type Histogram } from '#core/statistics/histogram.ts';

const count = z.int().min(0);

/** The server's record of everything that has reached it, in its transfer format. */
export const truthSchema = z.strictObject({
  connections: count,
  requests: count,
  bytesReceived: count,
  bytesSent: count,
  /** Numbers of complete responses by status. */
  statuses: z.record(z.string(), count),
  /** Number of body bytes in complete responses. */
  bodyBytes: count,
  /** Number of complete responses whose body length differs from the first response's. */
  bodyLengthDiffers: count,
  resets: count,
  silences: count,
  /** Number of responses that ended before their announced length. */
  cuts: count,
  /** Number of requests whose sender had left before the response was due. */
  left: count,
  /**
   * A histogram in µs, encoded in base64. Times are from a request's last byte (on a new connection: from its acceptance) until the
   * response was passed to the kernel. If the end of the connection ends the response, the time includes it.
   */
  service: z.base64(),
});
export type TruthRecord = z.infer<typeof truthSchema>;

/** A {@link TruthRecord} whose histogram is unpacked. */
export interface Truth extends Omit<TruthRecord, 'service'> {
  readonly service: Histogram;
}

export function readTruth({ service, ...counts }: TruthRecord): Truth {
  return { ...counts, service: decodeHistogram(Buffer.from(service, 'base64')) };
}

/** The server's log: counters and a histogram of constant size. */
export class TruthLog {
  connections = 0;
  requests = 0;
  bytesReceived = 0;
  bytesSent = 0;
  resets = 0;
  silences = 0;
  cuts = 0;
  left = 0;
  private bodyBytes = 0;
  private bodyLengthDiffers = 0;
  private firstBodyBytes: number | null = null;
  private readonly statuses = new Map<number, number>();
  private readonly service = createHistogram();

  responded(status: number, bodyBytes: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.bodyBytes += bodyBytes;
    this.firstBodyBytes ??= bodyBytes;
    if (bodyBytes !== this.firstBodyBytes) this.bodyLengthDiffers += 1;
  }

  took(serviceUs: number): void {
    record(this.service, serviceUs);
  }

  record(): TruthRecord {
    return {
      connections: this.connections,
      requests: this.requests,
      bytesReceived: this.bytesReceived,
      bytesSent: this.bytesSent,
      bodyBytes: this.bodyBytes,
      bodyLengthDiffers: this.bodyLengthDiffers,
      resets: this.resets,
      silences: this.silences,
      cuts: this.cuts,
      left: this.left,
      statuses: Object.fromEntries(this.statuses),
      service: Buffer.from(encodeHistogram(this.service)).toString('base64'),
    };
  }
}
