import type { Duplex } from 'node:stream';
import { hrtimeUs } from '#engine/hrtime.ts';
import type { Catalogue, MonitorReading } from '#core/machines/monitors/quantity.ts';
import type { MonitorLimit } from '#core/machines/monitors/result.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';

/** The clock that all readings are laid on: this machine's monotonic one, in milliseconds, by which the engine tells when a run began. */
export function nowMs(): number {
  return hrtimeUs() / 1_000;
}

/** An instant of `performance.now()` on that clock. */
export function fromPerformance(performanceMs: number): number {
  return performanceMs + nowMs() - performance.now();
}

/** Something that can be read, once a second. */
export interface MonitorSource {
  readonly catalogue: Catalogue;
  /**
   * Reads once. Asked again only when the last reading has come or failed. A rejection (a HoldfastError) is a reading that could not be had: the source
   * is closed, the problem told, and after some seconds it is opened anew. `atMs` (of `nowMs` in clock.ts) is when it was read, where the source
   * knows it better than from when it was asked and answered; `errorMs` how wrong that may be.
   */
  read(): Promise<SourceReading>;
  /** Lines across its charts, as far as they are known by now. */
  limits?(): MonitorLimit[];
  close(): void;
}

export interface SourceReading extends MonitorReading {
  readonly atMs?: number;
  readonly errorMs?: number;
}

/** How a monitor gets to what it watches. */
export interface MonitorWay {
  /** The host of the monitor; null for this computer. When it is lost, so is the monitor. */
  readonly connection: SshConnection | null;
  /** A stream to `host:port` or the path of a socket, from this computer or through the host. */
  connect(address: string): Promise<Duplex>;
  /** What stands for a text of the plan that is a secret; other texts as they are. */
  secret(value: string | { readonly secret: string }): string;
}

/** Opens a monitor of one kind. Throws a HoldfastError that says what is wrong and what to do. */
export type OpenMonitor<Spec> = (spec: Spec, way: MonitorWay) => Promise<MonitorSource>;
