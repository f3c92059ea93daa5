import { closing, MAX_VALUE_LENGTH } from './cssText.ts';

const MAX_REPLACED = 50;
const MISSING = '\0';

/** Replaces the variables of a value, innermost first. Returns undefined if one is missing or the result is too long. */
export function withVariables(written: string, valueOf: (name: string) => string | undefined): string | undefined {
  let value = written;
  for (let time = 0; time < MAX_REPLACED; time += 1) {
    const at = value.lastIndexOf('var(');
    if (at < 0) return value.includes(MISSING) ? undefined : value;
    const end = closing(value, at + 'var('.length);
    const inside = value.slice(at + 'var('.length, end);
    const comma = inside.indexOf(',');
    const name = (comma < 0 ? inside : inside.slice(0, comma)).trim();
    const given = valueOf(name) ?? (comma < 0 ? MISSING : inside.slice(comma + 1));
    value = `${value.slice(0, at)} ${given.trim()} ${value.slice(end + 1)}`;
    if (value.length > MAX_VALUE_LENGTH) return undefined;
  }
  return undefined;
}
