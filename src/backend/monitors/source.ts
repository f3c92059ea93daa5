import type { Duplex } from 'node:stream';
import type { Catalogue } from '#core/monitors/quantity.ts';
import type { MonitorReading } from '#core/monitors/reading.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';

/** Something that can be read, once a second. */
export interface MonitorSource {
  readonly catalogue: Catalogue;
  /**
   * Reads once. Asked again only when the last reading has come or failed. Rejects, with a HoldfastError, where nothing could be had: it is
   * told and tried again a second later. `atMs` (of `hrtimeMs`) is when it was read, where the source knows it better than from when it was asked and answered.
   */
  read(): Promise<MonitorReading & { readonly atMs?: number }>;
  close(): void;
}

/** How a monitor gets to what it watches. */
export interface MonitorWay {
  /** The host of the monitor; null for this computer. Lost with it is the monitor. */
  readonly connection: SshConnection | null;
  /** A stream to `host:port` or the path of a socket, from this computer or through the host. */
  connect(address: string): Promise<Duplex>;
  /** What stands for a text of the plan that is a secret; other texts as they are. */
  secret(value: string | { readonly secret: string }): string;
}

/** Opens a monitor of one kind. Throws a HoldfastError that says what is wrong and what to do. */
export type OpenMonitor<Spec> = (spec: Spec, way: MonitorWay) => Promise<MonitorSource>;
