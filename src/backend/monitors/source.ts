import type { Duplex } from 'node:stream';
import { hrtimeUs } from '#engine/hrtime.ts';
import type { Catalogue, MonitorReading } from '#core/machines/monitors/quantity.ts';
import type { MonitorLimit } from '#core/machines/monitors/result.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';

/** Returns the monotonic clock of this machine in ms. All readings use it, and the engine reports the start of a run on it. */
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
   * Reads once. Called again only after the last reading has resolved or rejected. A rejection (a HoldfastError) closes the source; the
   * problem is reported and the source opened again after some seconds. `atMs` (clock of `nowMs`) is when the source was read, if it knows
   * better than the midpoint of question and response; `errorMs` bounds its error.
   */
  read(): Promise<SourceReading>;
  /** Horizontal lines for its charts, as far as known. */
  limits?(): MonitorLimit[];
  close(): void;
}

export interface SourceReading extends MonitorReading {
  readonly atMs?: number;
  readonly errorMs?: number;
}

/** How a monitor reaches what it watches. */
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
