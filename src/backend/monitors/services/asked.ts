import { HoldfastError, problemOf } from '#core/base/errors.ts';
import type { Catalogue, MonitorReading } from '#core/machines/monitors/quantity.ts';
import { limitsOf } from '#core/machines/monitors/services/reading.ts';
import { redactValue } from '#core/base/redact.ts';
import type { MonitorSource } from '../source.ts';

export interface AskedOptions {
  readonly close?: () => void;
  /** Credentials to hide from messages: a service may repeat them in its error. */
  readonly secrets?: readonly string[];
}

/** Creates a monitor that sends one question per reading. Asks once before it opens, so errors show before the run. */
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

/** Returns a problem without any secret. Its cause is dropped, because causes are logged. */
export function withoutSecrets(thrown: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return thrown;
  const { code, message, hint } = problemOf(thrown);
  return new HoldfastError({ code, message: redactValue(message, secrets), hint: redactValue(hint, secrets) });
}
