import { HoldfastError } from '#core/base/errors.ts';
import { BrokenPromise, type Subject } from './subject.ts';
import type { Finding } from './tried.ts';

/** Maximum time for a parser: one second per megabyte. */
const MAX_MS_PER_MB = 1_000;
/** Minimum time that is judged. A shorter time may be caused by a pause of the garbage collector or the machine instead of the input. */
const MIN_MS = 60;
const MAX_MEMORY_RATIO = 20;
const MIN_BYTES = 2_000_000;
/** Maximum factor by which the time may grow if the input becomes four times as long. With quadratic time, the factor would be 16. */
const MAX_GROWTH_RATIO = 10;
const LONG_INPUT_LENGTH = 65_536;

export type Fault = Pick<Finding, 'kind' | 'message'>;

/** Returns the fault that an input reveals in a subject, or null. */
export function findFault(subject: Subject, input: string): Fault | null {
  let fault: Fault | null = null;
  try {
    subject.read(input);
  } catch (thrown) {
    fault = faultOfThrown(subject, thrown);
  }
  return Object.keys(Object.prototype).length > 0 ? prototypeFault() : fault;
}

function faultOfThrown(subject: Subject, thrown: unknown): Fault | null {
  if (thrown instanceof BrokenPromise) return { kind: 'broken', message: thrown.message };
  if (thrown instanceof HoldfastError || subject.isDocumented?.(thrown) === true) return null;
  const { name, message, stack } = thrown instanceof Error ? thrown : { name: 'thrown', message: String(thrown), stack: '' };
  const place = /\/((?:src|workers|node_modules)\/[^\s)]+)/.exec(stack ?? '')?.[1] ?? '';
  return { kind: 'crash', message: `${name}: ${message.slice(0, 200)} ${place}`.trim() };
}

function prototypeFault(): Fault {
  const names = Object.keys(Object.prototype);
  for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  return { kind: 'prototype', message: `Object.prototype has ${names.join(', ')}` };
}

/** Runs `work` and returns the processor time of this thread in ms. */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the shortest of three times, because other programs may disturb a measurement. */
function measureMinMs(subject: Subject, input: string): number {
  return Math.min(...[1, 2, 3].map(() => measureCpuMs(() => void findFault(subject, input))));
}

/** Measures again an input that was slow once. Returns a fault if it is slow each time. */
export function findSlowness(subject: Subject, input: string, ms: number): Fault | null {
  const allowedMs = allowedMsFor(subject, input.length);
  if (ms <= allowedMs) return null;
  const least = measureMinMs(subject, input);
  return least <= allowedMs ? null : { kind: 'slow', message: `${least.toFixed(0)} ms for ${input.length} letters` };
}

export function allowedMsFor({ msPerMb = MAX_MS_PER_MB }: Subject, length: number): number {
  return Math.max(MIN_MS, (length / 1_000_000) * msPerMb);
}

export interface LongProbe {
  readonly fault: Fault | null;
  readonly input: string;
  readonly msPerKb: number;
  readonly memoryRatio: number;
}

/** Reads an input of two lengths. The time must grow linearly, and the memory that is kept must be a bounded multiple of the input. */
export function probeLong(subject: Subject, of: (length: number) => string): LongProbe {
  const longest = Math.min(LONG_INPUT_LENGTH, subject.longest ?? LONG_INPUT_LENGTH);
  const input = of(longest);
  const isLarge = (ratio: number): boolean => ratio > (subject.memoryRatio ?? MAX_MEMORY_RATIO) && ratio * input.length > MIN_BYTES;
  const { ms, memoryRatio: firstRatio } = measureReading(subject, input);
  // Memory of V8's compiler appears in one reading only, whereas memory that the parser keeps appears in every reading.
  const memoryRatio = isLarge(firstRatio) ? Math.min(...[1, 2, 3].map(() => measureReading(subject, input).memoryRatio)) : firstRatio;
  const probed = { input, msPerKb: (ms / Math.max(1, input.length)) * 1_000, memoryRatio };
  const fault = findFault(subject, input) ?? findSlowness(subject, input, ms) ?? findGrowth(subject, of, ms, input);
  if (fault !== null) return { ...probed, fault };
  if (isLarge(memoryRatio))
    return {
      ...probed,
      fault: { kind: 'large', message: `it is ${memoryRatio.toFixed(0)} times as large as its ${input.length} letters` },
    };
  return { ...probed, fault: null };
}

/** Reads the input once. Returns the time and the number of bytes kept per character. */
function measureReading(subject: Subject, input: string): { readonly ms: number; readonly memoryRatio: number } {
  const heldBefore = measureHeapBytes();
  const kept: unknown[] = [];
  const ms = measureCpuMs(() => {
    try {
      kept.push(subject.read(input));
    } catch {
      // Exceptions are judged elsewhere.
    }
  });
  const keptBytes = measureHeapBytes() - heldBefore - (subject.fixedBytes ?? 0);
  const isKept = kept.pop() !== undefined;
  return { ms, memoryRatio: isKept ? Math.max(0, keptBytes) / Math.max(1, input.length) : 0 };
}

function findGrowth(subject: Subject, of: (length: number) => string, ms: number, input: string): Fault | null {
  // A fast input needs no second measurement: its time can hardly have grown.
  if (ms < 12) return null;
  const short = of(Math.floor(input.length / 4));
  const lengths = input.length / Math.max(1, short.length);
  if (lengths < 3) return null;
  const shortMs = Math.max(0.3, measureMinMs(subject, short));
  const longMs = measureMinMs(subject, input);
  if (longMs < 20 || longMs / shortMs <= (MAX_GROWTH_RATIO * lengths) / 4) return null;
  // The short input may have been fast because of a limit that lies between the two lengths. Quadratic time would continue to grow.
  const isLongest = subject.longest !== undefined && 4 * input.length > subject.longest;
  if (!isLongest && measureMinMs(subject, of(4 * input.length)) / longMs <= MAX_GROWTH_RATIO) return null;
  return { kind: 'grows', message: `${shortMs.toFixed(1)} ms for ${short.length} letters, ${longMs.toFixed(0)} ms for ${input.length}` };
}

/**
 * Returns the used heap after a garbage collection, if one can be forced. It is forced twice, because buffers found in one collection are
 * freed in the next.
 */
function measureHeapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
