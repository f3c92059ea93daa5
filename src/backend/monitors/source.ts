import type { Duplex } from 'node:stream';
import { hrtimeUs } from '#engine/engine.ts';
import type { Catalogue, MonitorReading, MonitorLimit } from '#core/machines/monitors/result.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { HoldfastError, toProblem, codeOf } from '#core/base/errors.ts';
import { readLimits } from '#core/machines/monitors/services/reading.ts';
import { redactValue } from '#core/base/redact.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { plainText } from '../remote/ssh/problems.ts';

/**
 * Returns the time of this machine's monotonic clock in ms. All readings use this clock, and the engine reports the start of a run on it.
 */
export function nowMs(): number {
  return hrtimeUs() / 1_000;
}

/** Converts an instant of `performance.now()` to the clock of `nowMs`. */
export function fromPerformance(performanceMs: number): number {
  return performanceMs + nowMs() - performance.now();
}

/** A source that is read once a second. */
export interface MonitorSource {
  readonly catalogue: Catalogue;
  /**
   * Reads once. Called again only after the previous reading has settled. If it rejects (with a HoldfastError), the source is closed, the
   * problem is reported, and the source is opened again after some seconds. In the result,
   * `atMs` (clock of `nowMs`) is when the source was read, if that is known better than as the midpoint of question and response.
   * `errorMs` is the bound of the error of `atMs`.
   */
  read(): Promise<SourceReading>;
  /** Horizontal lines for the charts of this source, as far as they are known. */
  limits?(): MonitorLimit[];
  close(): void;
}

export interface SourceReading extends MonitorReading {
  readonly atMs?: number;
  readonly errorMs?: number;
}

/** How a monitor reaches what it monitors. */
export interface MonitorWay {
  /** The host of the monitor; null for this computer. The monitor ends with this connection. */
  readonly connection: SshConnection | null;
  /** Opens a stream to `host:port` or a socket path, from this computer or through the host. */
  connect(address: string): Promise<Duplex>;
  /** Resolves a secret of the plan; returns other texts unchanged. */
  secret(value: string | { readonly secret: string }): string;
}

/** Opens a monitor of one kind. Throws a HoldfastError with the cause and what to do. */
export type OpenMonitor<Spec> = (spec: Spec, way: MonitorWay) => Promise<MonitorSource>;

interface PollOptions {
  readonly close?: () => void;
  /** Credentials that must not appear in messages. A service may repeat them in its error. */
  readonly secrets?: readonly string[];
}

/** Creates a monitor that sends one question per reading. It also asks once before it opens, so that errors appear before the run. */
export async function createPolledSource(
  catalogue: Catalogue,
  ask: () => Promise<MonitorReading>,
  { close = () => {}, secrets = [] }: PollOptions = {},
): Promise<MonitorSource> {
  let gauges: MonitorReading['gauges'] = {};
  async function read(): Promise<MonitorReading> {
    try {
      const reading = await ask();
      ({ gauges } = reading);
      return reading;
    } catch (thrown) {
      throw withoutSecrets(thrown, secrets);
    }
  }
  try {
    await read();
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { catalogue, read, limits: () => readLimits(catalogue, gauges), close };
}

/** Returns a problem without any secret. Its cause is dropped, because causes are written to the log. */
export function withoutSecrets(thrown: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return thrown;
  const { code, message, hint } = toProblem(thrown);
  return new HoldfastError({ code, message: redactValue(message, secrets), hint: redactValue(hint, secrets) });
}

/** Time limit for a response. Readings are a second apart; a busy service may take a few seconds. */
export const RESPONSE_TIMEOUT_MS = 5_000;

export const OTHER_CREDENTIALS = 'Wrong user name or password.';

export function noResponseInTime(): Error {
  return new Error(`there was no response within ${RESPONSE_TIMEOUT_MS / 1_000} s`);
}

export function tooLongResponse(limitBytes: number): Error {
  return new Error(`its response is longer than ${limitBytes} bytes`);
}

/** Returns the problem of a service that cannot be reached. `what`: name of the service in messages, such as "nginx" or "The exporter". */
export function unreachable(what: string, address: string, thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const code = codeOf(thrown) ?? '';
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing listens there. Check that it runs, and that it listens on this address.',
    ENOENT: 'No such socket. Check that it runs, and that this is the path in its configuration.',
    EACCES: 'This user may not use the socket. Add it to the socket’s group.',
    ENOTFOUND: 'The name is unknown here. Check the spelling. If only another host knows the name, monitor through that host.',
  };
  return new HoldfastError(
    {
      code: 'MONITOR_UNREACHABLE',
      message: `Cannot read ${what} at ${address}: ${sentenceOf(thrown)}`,
      hint:
        getOwn(hints, code) ??
        'Check its address, that it runs, and that no firewall blocks the connection. To connect through a host, set “host”.',
    },
    { cause: thrown },
  );
}

/** Returns the problem of a service that responds, but not in the expected protocol. */
export function unexpectedProtocol(what: string, address: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_OTHER_ANSWER', message: `The service at ${address} is not ${what}.`, hint });
}

/** Returns the problem of a service that denies access. */
export function accessRefused(what: string, address: string, message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_REFUSED', message: `${what} at ${address} denies access: ${sentenceOf(message)}`, hint });
}

function sentenceOf(thrown: unknown): string {
  const message = plainText(thrown instanceof Error ? thrown.message || (codeOf(thrown) ?? thrown.name) : String(thrown));
  return `${message.replace(/\.$/, '')}.`;
}
