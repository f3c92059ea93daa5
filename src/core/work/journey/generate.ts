import { mix, drawUniform } from '#core/statistics/uniformAt.ts';
import type { Variable } from '#core/plan/schema/journey.ts';

/** Identifies a value of a sequence. Numbers that a variable does not use are 0. */
export interface Draw {
  /** Seed of the plan, or of the stage if values must differ between stages. */
  readonly seed: number;
  /** Index of the user or arrival. */
  readonly user: number;
  /** Index of the journey among those of this user. */
  readonly journey: number;
  /** Index of the request in this journey. */
  readonly request: number;
}

/**
 * Returns the value of a variable. It depends only on the name and the draw, not on the thread. A timestamp is `nowMs`, a Unix time in
 * milliseconds.
 */
export function generate(name: string, variable: Variable, draw: Draw, nowMs: number): string {
  switch (variable.kind) {
    case 'uuid':
      return drawUuid(createNumberDraw(name, variable.per, draw));
    case 'integer': {
      const { from, to } = variable;
      return String(from + Math.floor(createNumberDraw(name, variable.per, draw)(0) * (to - from + 1)));
    }
    case 'item':
      return String(variable.of[Math.floor(createNumberDraw(name, variable.per, draw)(0) * variable.of.length)]);
    case 'number':
      return String(variable.from + (variable.to === undefined ? draw.user : draw.user % Math.max(1, variable.to - variable.from + 1)));
    case 'timestamp':
      return timestamp(variable.unit, nowMs);
    default:
      return variable satisfies never;
  }
}

/**
 * Returns a number in (0, 1) that is independent between purposes and seeds. Each part is hashed in two ways, into two 32-bit words. Among
 * a million draws, some share one word, but the probability that any two of them share both words is 1 in 30 million.
 */
export function drawFor(purpose: string, { seed, user, journey, request }: Draw, index: number): number {
  let first = hashOf(purpose);
  let second = mix(first ^ 0x85eb_ca6b);
  for (const part of [seed, user, journey, request, index]) {
    first = mix(first ^ part);
    second = mix(second + Math.imul(part, 0x9e37_79b1) + 0x3c6e_f372);
  }
  return drawUniform(first, second);
}

/**
 * Returns the purpose of a variable. UUIDs differ between runs, because a server may reject one that it already knows. All other values
 * depend only on the seed.
 */
export function seedPurpose(runId: string, name: string, { kind }: Variable): string {
  return kind === 'uuid' ? `${runId} ${name}` : name;
}

function createNumberDraw(name: string, per: 'user' | 'journey' | 'request', draw: Draw): (index: number) => number {
  const relevant: Draw = { ...draw, journey: per === 'user' ? 0 : draw.journey + 1, request: per === 'request' ? draw.request + 1 : 0 };
  return (index) => drawFor(name, relevant, index);
}

/** Returns a UUID of version 4 (RFC 9562, 5.4): 122 random bits. */
function drawUuid(numberAt: (index: number) => number): string {
  const words = [0, 1, 2, 3].map((index) => Math.floor(numberAt(index) * 4_294_967_296));
  const [a = 0, b = 0, c = 0, d = 0] = words;
  const hex = (word: number): string => word.toString(16).padStart(8, '0');
  const second = hex(((b & 0xffff_0fff) | 0x4000) >>> 0);
  const third = hex(((c & 0x3fff_ffff) | 0x8000_0000) >>> 0);
  return `${hex(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(d)}`;
}

function timestamp(unit: Extract<Variable, { kind: 'timestamp' }>['unit'], nowMs: number): string {
  switch (unit) {
    case 'seconds':
      return String(Math.floor(nowMs / 1_000));
    case 'milliseconds':
      return String(Math.floor(nowMs));
    case 'iso':
      return isoTime(nowMs);
    default:
      return unit satisfies never;
  }
}

function isoTime(nowMs: number): string {
  return new Date(nowMs).toISOString();
}

/** Returns the hash FNV-1a (Fowler, Noll, Vo) with 32 bits, over UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash;
}
