import { Coverage } from './coverage.ts';
import { findFault, probeLong, findSlowness, type Fault } from './judge.ts';
import { minimizeInput } from './minimize.ts';
import { mutateInput, createDraw, longInput } from './mutation.ts';
import type { Subject } from './subject.ts';
import type { Finding, SubjectResult } from './tried.ts';

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
  const longEvery = Math.max(1, Math.floor(inputs / Math.min(MAX_LONG_INPUTS, Math.max(20, inputs / 500))));
  let slowest = { msPerKb: 0, ms: 0, letters: 0 };
  let memoryRatio = 0;
  let long = 0;
  let number = 0;
  let batch: string[] = [];
  let lastAt = performance.now();
  for (; number < inputs && lastAt < endsAt; number += 1) {
    const draw = createDraw(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b));
    if (judgesTimes && guide === null && number % longEvery === longEvery - 1) {
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
