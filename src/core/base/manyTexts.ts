/** Position of a text that was found in another text. */
export interface FoundText {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Finds many texts in one pass (Aho and Corasick 1975). The time depends only on the length of the searched text, so somebody who chooses
 * both texts cannot make the search slow.
 */
export class MultiTextSearch {
  /** Transitions from a state and a character, as one number, to the next state. */
  private readonly next = new Map<number, number>();
  private readonly begins = new Uint8Array(65_536);
  private readonly states: { readonly before: number; readonly code: number; readonly depth: number }[] = [
    { before: 0, code: 0, depth: 0 },
  ];
  private readonly texts = new Map<number, string>();
  /** Failure links: for each state, the state of its longest suffix that begins one of the texts. null: not built. */
  private back: Uint32Array | null = null;
  /** For each state, the longest text that ends there. */
  private ending: (string | undefined)[] = [];

  add(text: string): void {
    if (text === '') return;
    this.begins[text.charCodeAt(0)] = 1;
    let state = 0;
    for (let at = 0; at < text.length; at += 1) state = this.nextState(state, text.charCodeAt(at)) ?? this.grow(state, text.charCodeAt(at));
    this.texts.set(state, text);
    this.back = null;
  }

  /** Returns all occurrences in order. Overlapping occurrences become one, with the longest text. */
  find(text: string): FoundText[] {
    const back = (this.back ??= this.link());
    const found: FoundText[] = [];
    if (this.states.length === 1) return found;
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (state === 0 && this.begins[code] === 0) continue;
      let next = this.nextState(state, code);
      while (next === undefined && state !== 0) {
        state = back[state] ?? 0;
        next = this.nextState(state, code);
      }
      state = next ?? 0;
      const ended = this.ending[state];
      if (ended !== undefined) join(found, { from: at + 1 - ended.length, to: at + 1, text: ended });
    }
    return found;
  }

  private nextState(state: number, code: number): number | undefined {
    return this.next.get(state * 65_536 + code);
  }

  private grow(before: number, code: number): number {
    const state = this.states.push({ before, code, depth: (this.states[before]?.depth ?? 0) + 1 }) - 1;
    this.next.set(before * 65_536 + code, state);
    return state;
  }

  private link(): Uint32Array {
    const back = new Uint32Array(this.states.length);
    this.ending = Array.from({ length: this.states.length }, (_, state) => this.texts.get(state));
    // Shorter states come first, because each failure link leads to a shorter state.
    const byDepth: number[][] = [];
    for (const [state, { depth }] of this.states.entries()) (byDepth[depth] ??= []).push(state);
    for (const state of byDepth.slice(2).flat()) {
      const { before, code } = this.states[state] ?? { before: 0, code: 0 };
      let shorter = back[before] ?? 0;
      while (shorter !== 0 && this.nextState(shorter, code) === undefined) shorter = back[shorter] ?? 0;
      back[state] = this.nextState(shorter, code) ?? 0;
      this.ending[state] ??= this.ending[back[state] ?? 0];
    }
    return back;
  }
}

/** Merges overlapping occurrences. */
export function mergeOverlapping(places: FoundText[]): FoundText[] {
  const found: FoundText[] = [];
  for (const place of places.sort((one, other) => one.to - other.to)) join(found, place);
  return found;
}

function join(found: FoundText[], next: FoundText): void {
  let { from, text } = next;
  for (let last = found.at(-1); last !== undefined && last.to > from; last = found.at(-1)) {
    found.pop();
    from = Math.min(from, last.from);
    if (last.text.length > text.length) text = last.text;
  }
  found.push({ from, to: next.to, text });
}
