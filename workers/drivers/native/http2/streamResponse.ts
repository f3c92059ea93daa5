import type { FramedResponse } from '#framer/framedResponse.ts';
import { type FramerLimits, MAX_INTERIM_RESPONSES, type BodyListener } from '#framer/framer.ts';
import type { HeaderPlan } from '#framer/refusals.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Why the frames of a server are not a valid response. The codes appear as error names in results and never change their meaning. */
export const STREAM_REFUSALS = {
  status: 'H2_BAD_STATUS',
  length: 'H2_BAD_LENGTH',
  trailers: 'H2_BAD_TRAILERS',
  dataBeforeHead: 'H2_DATA_BEFORE_HEAD',
  bodyTooLarge: 'BODY_TOO_LARGE',
  interim: 'TOO_MANY_INTERIM',
} as const;
type StreamRefusal = (typeof STREAM_REFUSALS)[keyof typeof STREAM_REFUSALS];

const STATUS_PATTERN = /^[1-9]\d\d$/;
const LENGTH_PATTERN = /^\d{1,15}$/;

/** Reads the responses of successive HTTP/2 streams from decoded header lists and bodies. */
export class StreamResponse implements FramedResponse {
  status = 0;
  bodyBytes = 0;
  readonly keepAlive = true;
  readonly namesUpgrade = false;
  readonly wanted: (string | undefined)[];
  onBody: BodyListener | null = null;
  private readonly plan: HeaderPlan;
  private readonly limits: FramerLimits;
  private keeps = true;
  private hasHead = false;
  private isHead = false;
  private interim = 0;
  private contentLength = -1;
  /** Header list of the previous response. If a server repeats a list, the session returns the same array. */
  private lastFields: readonly Field[] | null = null;

  constructor(plan: HeaderPlan, limits: FramerLimits) {
    this.plan = plan;
    this.limits = limits;
    this.wanted = plan.wanted.map(() => undefined);
  }

  get headComplete(): boolean {
    return this.hasHead;
  }

  keepWanted(keeps: boolean): void {
    if (this.keeps === keeps) return;
    this.keeps = keeps;
    this.lastFields = null;
  }

  begin(isHead: boolean): void {
    this.isHead = isHead;
    this.hasHead = false;
    this.interim = 0;
    this.bodyBytes = 0;
  }

  /** Reads a header list of the response: interim heads, the final head or trailers. Returns why the list is invalid, or null. */
  takeHead(fields: readonly Field[], endsStream: boolean): StreamRefusal | null {
    // Trailers follow the body and end the stream.
    if (this.hasHead) return endsStream && fields.every(({ name }) => !name.startsWith(':')) ? null : STREAM_REFUSALS.trailers;
    if (fields !== this.lastFields) {
      const status = fields[0]?.name === ':status' ? fields[0].value : '';
      if (!STATUS_PATTERN.test(status)) return STREAM_REFUSALS.status;
      this.status = Number(status);
      if (this.status < 200) {
        this.lastFields = null;
        this.interim += 1;
        if (endsStream || this.status === 101) return STREAM_REFUSALS.status;
        return this.interim > MAX_INTERIM_RESPONSES ? STREAM_REFUSALS.interim : null;
      }
      if (!this.takeFields(fields)) return STREAM_REFUSALS.length;
      this.lastFields = fields;
    }
    this.hasHead = true;
    return null;
  }

  takeBody(buffer: Buffer, start: number, end: number): StreamRefusal | null {
    if (!this.hasHead) return STREAM_REFUSALS.dataBeforeHead;
    this.bodyBytes += end - start;
    if (this.bodyBytes > this.limits.limitBodyBytes) return STREAM_REFUSALS.bodyTooLarge;
    if (this.onBody !== null) this.onBody(buffer, start, end);
    return null;
  }

  /** Checks that the response is complete when the server ends the stream. Returns why the response is incomplete, or null. */
  end(): StreamRefusal | null {
    if (!this.hasHead) return STREAM_REFUSALS.status;
    const hasBody = !this.isHead && this.status !== 204 && this.status !== 304;
    return this.contentLength >= 0 && hasBody && this.contentLength !== this.bodyBytes ? STREAM_REFUSALS.length : null;
  }

  /** Reads the fields of a head. Returns false if the length is invalid. */
  private takeFields(fields: readonly Field[]): boolean {
    const { wanted, plan } = this;
    this.contentLength = -1;
    if (wanted.length > 0) wanted.fill(undefined);
    for (const { name, value } of fields) {
      if (name === 'content-length') {
        // Content-Length may be repeated with the same value.
        if (!LENGTH_PATTERN.test(value) || (this.contentLength >= 0 && this.contentLength !== Number(value))) return false;
        this.contentLength = Number(value);
      }
      const at = this.keeps ? plan.wanted.indexOf(name) : -1;
      if (at < 0) continue;
      const before = wanted[at];
      wanted[at] = before === undefined ? value : `${before}\n${value}`;
    }
    return true;
  }
}
