import { readFileSync } from 'node:fs';
import { parseCpuTimes, type CpuTimes } from './procFiles.ts';

/** The processor's times since boot; null where the platform has no such file. */
export function readCpuTimes(): CpuTimes | null {
  try {
    return parseCpuTimes(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}
