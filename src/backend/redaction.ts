import { secretForms } from '#core/redact.ts';

/** Shorter values occur in ordinary text by chance; replacing them would garble it and point at them. */
const SHORTEST = 4;
const MARK = '[secret]';

export type Redaction = ReturnType<typeof createRedaction>;

/**
 * Takes every secret that this process has seen out of text on its way to a log, the store or a screen: as it is, and in
 * every other form it may have been written in.
 */
export function createRedaction() {
  const looks = new Set<string>();
  let longestFirst: string[] = [];

  function text(original: string): string {
    let clean = original;
    for (const look of longestFirst) clean = clean.replaceAll(look, MARK);
    return clean;
  }

  return {
    add(value: string): void {
      if (value.length < SHORTEST) return;
      for (const look of secretForms(value)) looks.add(look);
      longestFirst = [...looks].sort((a, b) => b.length - a.length);
    },
    text,
    /** The same for everything that can be written as JSON; what cannot is left out. */
    value<Value>(original: Value, parse: (clean: unknown) => Value): Value {
      return longestFirst.length === 0 ? original : parse(redactDeep(original, text));
    },
  };
}

function redactDeep(value: unknown, text: (original: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), redactDeep(item, text)]));
}
