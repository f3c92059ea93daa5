import { z } from 'zod';
import type { LabProcess } from './labProcess.ts';

const gaugesSchema = z.record(z.string(), z.number());

/** What a practice server says of itself while it runs; NaN where it says no such thing. */
export async function gaugeOf({ control }: LabProcess, name: string): Promise<number> {
  const gauges = gaugesSchema.parse(await (await fetch(`${control}gauges`)).json());
  return gauges[name] ?? NaN;
}
