import { findFault, probeLong, findSlowness, type Fault, allowedMsFor, measureCpuMs } from './judge.ts';
import { mutateInput, createDraw, longInput } from './mutation.ts';
import type { Subject } from './subject.ts';
import type { Finding, SubjectResult } from './tried.ts';
import { Session } from 'node:inspector';

type Ranges = readonly {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly startOffset: number; readonly count: number }[] }[];
}[];

/** Reports whether blocks of the project's sources have run for the first time since the last call, based on V8's block counts. */
class Coverage {
  private readonly session = new Session();
  private readonly seen = new Set<string>();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns whether new code has run. */
  hasGrown(): boolean {
    const before = this.seen.size;
    this.session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error === null) this.note(taken.result);
    });
    return this.seen.size > before;
  }

  close(): void {
    this.session.post('Profiler.stopPreciseCoverage');
    this.session.disconnect();
  }

  private note(scripts: Ranges): void {
    for (const { url, functions } of scripts) {
      if (!/\/(src|workers)\//.test(url)) continue;
      for (const { ranges } of functions)
        for (const { startOffset, count } of ranges) if (count > 0) this.seen.add(`${url}:${startOffset}`);
    }
  }
}

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

export interface TryOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Maximum duration in seconds. */
  readonly seconds: number;
  readonly isGuided: boolean;
  /** Whether times and memory are judged, for which long inputs are needed. */
  readonly judgesTimes: boolean;
  /** Called with each input before it is read. */
  begin?(input: string): void;
}

const MAX_FINDINGS = 5;
const BATCH_INPUTS = 25;
const MAX_LEARNED_INPUTS = 500;
/**
 * Number of guided inputs, and their share of the time. Their times are not judged, because counting blocks makes parsers slower. Most code
 * is reached early.
 */
const GUIDED_INPUTS = 10_000;
const GUIDED_SHARE = 0.2;
const MAX_LONG_INPUTS = 1_000;

/** Tries mutated and long inputs on a subject, and returns what was found. */
export function tryInputs(subject: Subject, { inputs, seed, seconds, isGuided, judgesTimes, begin }: TryOptions): SubjectResult {
  const corpus = [...subject.seeds];
  const coverage = isGuided ? new Coverage() : null;
  coverage?.hasGrown();
  let guide = coverage;
  const endsAt = performance.now() + seconds * 1_000;
  const beganAt = performance.now();
  const found = new Map<string, Finding>();
  const addFinding = (fault: Fault, input: string, number: number): void => {
    const key = `${fault.kind} ${fault.message.replaceAll(/[\d.]+/g, '#').slice(0, 80)}`;
    if (found.has(key) || found.size >= MAX_FINDINGS) return;
    found.set(key, { ...fault, input: minimizeInput(subject, input, fault), number });
  };
  const longInputInterval = Math.max(1, Math.floor(inputs / Math.min(MAX_LONG_INPUTS, Math.max(20, inputs / 500))));
  let slowest = { msPerKb: 0, ms: 0, letters: 0 };
  let memoryRatio = 0;
  let long = 0;
  let number = 0;
  let batch: string[] = [];
  let lastAt = performance.now();
  for (; number < inputs && lastAt < endsAt; number += 1) {
    const draw = createDraw(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b));
    if (judgesTimes && guide === null && number % longInputInterval === longInputInterval - 1) {
      const { of, what } = longInput(corpus, subject.tokens, draw);
      begin?.(of(65_536));
      const probed = probeLong(subject, of);
      long += 1;
      memoryRatio = Math.max(memoryRatio, probed.memoryRatio);
      if (probed.msPerKb > slowest.msPerKb)
        slowest = { msPerKb: probed.msPerKb, ms: (probed.msPerKb * probed.input.length) / 1_000, letters: probed.input.length };
      if (probed.fault !== null) addFinding({ ...probed.fault, message: `${probed.fault.message}; ${what}` }, probed.input, number);
      lastAt = performance.now();
      continue;
    }
    const input = number < subject.seeds.length ? (subject.seeds[number] ?? '') : mutateInput(corpus, subject.tokens, draw);
    begin?.(input);
    const startedAt = performance.now();
    const fault = findFault(subject, input);
    lastAt = performance.now();
    if (fault !== null) addFinding(fault, input, number);
    if (guide === null) {
      if (!judgesTimes) continue;
      const slow = findSlowness(subject, input, lastAt - startedAt);
      if (slow !== null) addFinding(slow, input, number);
      continue;
    }
    batch.push(input);
    if (batch.length < BATCH_INPUTS) continue;
    if (guide.hasGrown() && corpus.length < MAX_LEARNED_INPUTS) corpus.push(...batch);
    batch = [];
    if (number < Math.min(GUIDED_INPUTS, inputs * GUIDED_SHARE)) continue;
    guide.close();
    guide = null;
  }
  guide?.close();
  const learned = corpus.length - subject.seeds.length;
  const took = (performance.now() - beganAt) / 1_000;
  return {
    subject: subject.name,
    inputs: number,
    long,
    seconds: took,
    learned,
    slowest,
    memoryRatio,
    found: [...found.values()],
    diedAtStart: 0,
  };
}
