import { HoldfastError, problemOf } from '#core/base/errors.ts';
import type { Catalogue, MonitorReading } from '#core/machines/monitors/quantity.ts';
import { limitsOf } from '#core/machines/monitors/services/reading.ts';
import { redactValue } from '#core/base/redact.ts';
import type { MonitorSource } from '../source.ts';

export interface AskedOptions {
  readonly close?: () => void;
  /** What it is entered with: a service may repeat it where it refuses us. */
  readonly secrets?: readonly string[];
}

/** A monitor that is asked anew each time. It is asked once before it is open, so that what is wrong is told before the run. */
export async function asked(
  catalogue: Catalogue,
  ask: () => Promise<MonitorReading>,
  { close = () => {}, secrets = [] }: AskedOptions = {},
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
  return { catalogue, read, limits: () => limitsOf(catalogue, gauges), close };
}

/** A problem that repeats none of them: without its cause, too, which would be logged. */
export function withoutSecrets(thrown: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return thrown;
  const { code, message, hint } = problemOf(thrown);
  return new HoldfastError({ code, message: redactValue(message, secrets), hint: redactValue(hint, secrets) });
}
