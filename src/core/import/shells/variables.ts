import { isSecretField } from '#core/plan/secretNames.ts';

/** Letters that values may bring in: they may hold each other. */
const MOST_FILLED_IN = 100_000;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The variables of the shell that a text sets and asks for. */
export class ShellVariables {
  /** Values that stand behind `:-` and were taken. */
  readonly assumed = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly filledIn = new Set<string>();
  private lettersFilledIn = 0;
  /** Names that stand for what only a shell knows, by its text. */
  private readonly unknown = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** The last number behind each name that more than one text wanted. */
  private readonly lastNumbers = new Map<string, number>();

  /** Takes the values of a command that does nothing but set variables. */
  setBy(words: readonly string[]): void {
    for (const [name, value] of assigned(words)) this.values.set(name, value);
  }

  /** Whether a command does nothing but set variables, and their values were put where they are asked for. */
  isFilledIn(words: readonly string[]): boolean {
    const names = assigned(words).map(([name]) => name);
    return names.length > 0 && names.every((name) => this.filledIn.has(name));
  }

  /** The value that was given to it before, or what is said to stand `otherwise`; null for a secret, and for what is not known: it is asked for when the plan runs. */
  valueOf(name: string, otherwise: string | null): string | null {
    const value = isSecretField(name) ? null : (this.values.get(name) ?? otherwise);
    if (value === null || this.lettersFilledIn + value.length > MOST_FILLED_IN) return null;
    if (!this.values.has(name)) this.assumed.set(name, value);
    this.filledIn.add(name);
    this.lettersFilledIn += value.length;
    return value;
  }

  /** A name that nothing else has, for what only a shell knows; the same for the same text. */
  nameFor(source: string, wanted: string): string {
    const known = this.unknown.get(source);
    if (known !== undefined) return known;
    let name = wanted;
    let number = this.lastNumbers.get(wanted) ?? 1;
    while (this.taken.has(name) || this.values.has(name)) {
      number += 1;
      name = `${wanted}_${number}`;
    }
    this.lastNumbers.set(wanted, number);
    this.taken.add(name);
    this.unknown.set(source, name);
    return name;
  }
}

/** Names and values of a command that only sets variables; none of another one. */
function assigned(words: readonly string[]): (readonly [name: string, value: string])[] {
  const own = /^(export|set|readonly|declare)$/.test(words[0] ?? '') ? words.slice(1) : words;
  if (own.length === 0 || !own.every((word) => ASSIGNMENT.test(word))) return [];
  return own.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
}
