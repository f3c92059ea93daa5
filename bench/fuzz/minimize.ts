import { allowedMsFor, measureCpuMs, findFault, type Fault } from './judge.ts';
import type { Subject } from './subject.ts';

const MAX_TRIES = 1_000;
const MAX_MS = 5_000;

/** Removes everything from the input that is not needed for the fault. */
export function minimizeInput(subject: Subject, input: string, fault: Fault): string {
  const endsAt = performance.now() + MAX_MS;
  let tries = 0;
  const isSame = (text: string): boolean => {
    tries += 1;
    if (fault.kind === 'slow') return measureCpuMs(() => void findFault(subject, text)) > allowedMsFor(subject, text.length);
    const other = findFault(subject, text);
    return other?.kind === fault.kind && other.message.slice(0, 30) === fault.message.slice(0, 30);
  };
  if (fault.kind === 'grows' || fault.kind === 'large') return input;
  let text = input;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < text.length;) {
      if (tries >= MAX_TRIES || performance.now() > endsAt) return text;
      const shorter = text.slice(0, from) + text.slice(from + size);
      if (isSame(shorter)) text = shorter;
      else from += size;
    }
  }
  return text;
}
