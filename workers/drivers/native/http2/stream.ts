import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import { MAX_RESENDS, mayBeSentAgain, TIMED_OUT } from '#workers/errorClass.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import { type FramerLimits, MAX_INTERIM_RESPONSES, type BodyListener } from '#framer/framer.ts';
import type { HeaderPlan } from '#framer/refusals.ts';
import type { ConnectionShare, Transport, TransportListener } from '../transport.ts';
import type { Field } from './hpack/hpackDecoder.ts';
import { RawStream } from './requestWriter.ts';
import type { Http2Session } from './session.ts';
import type { SessionStream } from './openStreams.ts';
import type { Http2Carrier } from './carrier.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';

const NO_DEADLINE_US = Number.POSITIVE_INFINITY;
const MAX_REFUSALS = 5;

/** Sends one request after the other, each in its own stream of the carrier's current session. */
export class Http2Transport implements Transport, SessionStream {
  readonly framed: StreamResponse;
  readonly raw = new RawStream();
  /** Whether received bytes are events of a held stream, which samples leave out. */
  private isHeld = false;
  deadlineUs = NO_DEADLINE_US;
  startUs = 0;
  writtenUs = 0;
  firstByteUs = 0;
  responses = 0;
  request: BuiltRequest | null = null;
  id = 0;
  sendWindow = 0;
  receivedBytes = 0;
  private unreportedBytes = 0;
  sentBodyBytes = 0;
  private readonly carrier: Http2Carrier;
  private readonly share: ConnectionShare;
  private readonly listener: TransportListener;
  private session: Http2Session | null = null;
  /** Whether this transport is counted as a user of the carrier. */
  private isMember = false;
  /** Number of times that the server reported the current request as unprocessed. */
  private refusals = 0;
  /** Number of times that the request lost its connection before the first byte of its response. */
  private losses = 0;
  /** Number of responses that the connection had received when the request was written. */
  private responsesBefore = 0;
  private phase: Phase = 'connect';

  constructor(
    carrier: Http2Carrier,
    share: ConnectionShare,
    plan: { readonly headers: HeaderPlan; readonly limits: FramerLimits },
    listener: TransportListener,
  ) {
    this.carrier = carrier;
    this.share = share;
    this.listener = listener;
    this.framed = new StreamResponse(plan.headers, plan.limits);
  }

  get isBusy(): boolean {
    return this.request !== null;
  }

  get address(): string | null {
    return this.session?.address ?? null;
  }

  get isOpen(): boolean {
    return this.carrier.isOpen;
  }

  send(request: BuiltRequest, startUs: number): void {
    this.request = request;
    this.startUs = startUs;
    this.firstByteUs = 0;
    this.phase = 'connect';
    this.refusals = 0;
    this.losses = 0;
    this.join();
    this.enter(startUs);
  }

  push(): number {
    throw new RangeError('Streams of HTTP/2 are upgraded to nothing.');
  }

  hold(): void {
    this.deadlineUs = NO_DEADLINE_US;
    this.isHeld = true;
    this.raw.begin();
  }

  expire(nowUs: number): void {
    if (this.request === null || nowUs < this.deadlineUs) return;
    const { session } = this;
    const phase = session?.openingPhase ?? this.phase;
    session?.leave(this, true);
    this.lost(TIMED_OUT, phase);
  }

  release(): Socket | null {
    return this.carrier.release();
  }

  close(): void {
    const { session, request } = this;
    this.request = null;
    this.deadlineUs = NO_DEADLINE_US;
    if (request !== null) session?.leave(this, true);
    this.session = null;
    if (!this.isMember) return;
    this.isMember = false;
    this.carrier.leave();
  }

  resolved(atUs: number, lookupUs: number): void {
    this.listener.resolved(atUs, lookupUs);
  }

  opened(atUs: number, connectUs: number): void {
    this.listener.opened(atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number, isResumed: boolean): void {
    this.listener.secured(atUs, tlsUs, isResumed);
  }

  written(bytes: number, nowUs: number): void {
    const { firstByteUs, totalUs } = this.share.limits;
    this.phase = 'firstByte';
    this.responsesBefore = this.session?.responses ?? 0;
    this.writtenUs = nowUs;
    this.deadlineUs = Math.min(nowUs + firstByteUs, this.startUs + totalUs);
    this.framed.begin(this.request?.isHead ?? false);
    this.raw.begin();
    this.isHeld = false;
    this.listener.wrote(bytes);
  }

  wroteMore(bytes: number): void {
    this.listener.wrote(bytes);
  }

  head(fields: readonly Field[], endsStream: boolean, nowUs: number): string | null {
    this.firstByte(nowUs);
    const { sampler } = this.share;
    if (sampler !== null && sampler.isOpen && !this.framed.headComplete) this.raw.head = fields;
    return this.framed.takeHead(fields, endsStream);
  }

  body(buffer: Buffer, start: number, end: number): string | null {
    const { sampler } = this.share;
    if (sampler !== null && sampler.isOpen && !this.isHeld) {
      this.raw.keep();
      this.raw.collect(buffer, start, end, sampler.limitBytes);
    }
    return this.framed.takeBody(buffer, start, end);
  }

  take(bytes: number): void {
    this.unreportedBytes += bytes;
  }

  report(atUs: number): void {
    const { unreportedBytes } = this;
    this.unreportedBytes = 0;
    // The read continues with another stream, or has ended.
    if (this.request !== null) this.raw.keep();
    if (unreportedBytes > 0) this.listener.received(unreportedBytes, atUs);
  }

  ended(atUs: number): string | null {
    const refusal = this.framed.end();
    if (refusal !== null) return refusal;
    this.request = null;
    this.deadlineUs = NO_DEADLINE_US;
    this.responses = this.session?.responses ?? 0;
    const { unreportedBytes } = this;
    this.unreportedBytes = 0;
    this.listener.responded(atUs, unreportedBytes);
    return null;
  }

  /**
   * Sends the request again instead of failing it, as browsers do (RFC 9113, section 8.7). If this happens too often, the request fails.
   */
  unprocessed(code: string): void {
    if (this.request === null) return;
    this.refusals += 1;
    if (this.refusals > MAX_REFUSALS) {
      this.lost(code, null);
      return;
    }
    this.resend();
  }

  disconnected(code: string, phase: Phase | null): void {
    const { request } = this;
    if (request === null) return;
    const isClosingRace = this.phase === 'firstByte' && this.responsesBefore > 0 && mayBeSentAgain(request.method, code);
    // A request that waited for a stream was never sent.
    const isUnsent = phase === null && this.phase === 'connect';
    if (this.losses >= MAX_RESENDS || !(isClosingRace || isUnsent)) {
      this.lost(code, phase);
      return;
    }
    this.losses += 1;
    this.resend();
  }

  lost(code: string, phase: Phase | null): void {
    if (this.request === null) return;
    this.request = null;
    this.deadlineUs = NO_DEADLINE_US;
    this.listener.failed(code, phase ?? this.phase, this.share.now());
  }

  private resend(): void {
    const nowUs = this.share.now();
    if (this.phase !== 'connect') this.listener.resent(nowUs);
    this.phase = 'connect';
    this.firstByteUs = 0;
    this.enter(nowUs);
  }

  private enter(nowUs: number): void {
    const session = this.carrier.sessionFor();
    const { connectUs, totalUs } = this.share.limits;
    this.deadlineUs = this.startUs + (session.isOpen ? totalUs : Math.min(connectUs, totalUs));
    this.session = session;
    session.enter(this, nowUs);
  }

  private join(): void {
    if (this.isMember) return;
    this.isMember = true;
    this.carrier.join();
  }

  private firstByte(nowUs: number): void {
    if (this.firstByteUs !== 0) return;
    this.firstByteUs = nowUs;
    this.phase = 'body';
    this.deadlineUs = this.startUs + this.share.limits.totalUs;
  }
}

/** Why the frames of a server are not a valid response. The codes appear as error names in results and never change their meaning. */
const STREAM_REFUSALS = {
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
class StreamResponse implements FramedResponse {
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
