import { readFile } from 'node:fs/promises';

/** Hundredths of a second that the processors of this computer have passed, and how many of them its hypervisor took. */
export interface ProcessorTime {
  readonly all: number;
  readonly stolen: number;
}

/** null where this computer does not tell. */
export async function readProcessorTime(): Promise<ProcessorTime | null> {
  try {
    return processorTimeIn(await readFile('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). */
export function processorTimeIn(text: string): ProcessorTime | null {
  const [, line] = /^cpu\s+(.*)$/m.exec(text) ?? [];
  const fields = line?.split(/\s+/).slice(0, 8).map(Number) ?? [];
  if (fields.length < 8 || fields.some(Number.isNaN)) return null;
  return { all: fields.reduce((sum, field) => sum + field, 0), stolen: fields[7] ?? 0 };
}

/** Share of the time between two readings that was stolen; null where they do not tell. */
export function stealBetween(before: ProcessorTime | null, after: ProcessorTime | null): number | null {
  if (before === null || after === null || after.all <= before.all) return null;
  return (after.stolen - before.stolen) / (after.all - before.all);
}
