import type { Catalogue } from '#core/monitors/quantity.ts';
import type { MonitorReading } from '#core/monitors/reading.ts';
import { limitsOf } from '#core/monitors/services/reading.ts';
import type { MonitorSource } from '../source.ts';

/** A monitor that is asked anew each time. It is asked once before it is open, so that what is wrong is told before the run. */
export async function asked(
  catalogue: Catalogue,
  ask: () => Promise<MonitorReading>,
  close: () => void = () => {},
): Promise<MonitorSource> {
  let gauges: MonitorReading['gauges'] = {};
  async function read(): Promise<MonitorReading> {
    const reading = await ask();
    ({ gauges } = reading);
    return reading;
  }
  try {
    await read();
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { catalogue, read, limits: () => limitsOf(catalogue, gauges), close };
}
