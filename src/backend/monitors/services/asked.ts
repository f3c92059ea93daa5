import type { Catalogue } from '#core/monitors/quantity.ts';
import type { MonitorReading } from '#core/monitors/reading.ts';
import type { MonitorSource } from '../source.ts';

/** A monitor that is asked anew each time. It is asked once before it is open, so that what is wrong is told before the run. */
export async function asked(
  catalogue: Catalogue,
  read: () => Promise<MonitorReading>,
  close: () => void = () => {},
): Promise<MonitorSource> {
  try {
    await read();
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { catalogue, read, close };
}
