import { z } from 'zod';
import type { LabProcess } from './labProcess.ts';

const gaugesSchema = z.record(z.string(), z.number());

/** Returns the current value of a practice server's gauge, or NaN if there is no such gauge. */
export async function getGauge({ control }: LabProcess, name: string): Promise<number> {
  const gauges = gaugesSchema.parse(await (await fetch(`${control}gauges`)).json());
  return gauges[name] ?? NaN;
}
