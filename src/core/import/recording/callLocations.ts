import { isBlock } from '#core/base/json.ts';
import { bareName } from '#core/base/text.ts';
import { type ServerCall, serverCalls } from '#core/work/pages/serverCalls.ts';
import { type NamedLocation, escapeRegExp, type ValueLocation } from './valueLocation.ts';
import type { Exchange } from './walk.ts';

const MAX_ARGUMENTS_BEFORE = 5;
/** Matches an argument in a script, or in a script within a JSON string. */
const SCALAR_PATTERN = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\"[^"]*"|[^"'(),]*)`;
const OTHER_ARGUMENT_PATTERN = `[^()]{0,1000}?`;
const VERB_PATTERN = /^(?:set|get|add|update|show|init|load|put|new|on)$/;

/** Caches the calls of each exchange, because many values are looked up in the same page. */
const callsByExchange = new WeakMap<Exchange, readonly ServerCall[]>();

/** Finds the value among the arguments of calls in a response’s scripts: `set_draft_id("3")`, `add_row(7, …)`. */
export function callPlaces(value: string, exchange: Exchange, leaf: NamedLocation): ValueLocation[] {
  let calls = callsByExchange.get(exchange);
  if (calls === undefined) callsByExchange.set(exchange, (calls = serverCalls(exchange.text ?? '', { isAnyPage: true })));
  return calls.flatMap(({ name, args }) =>
    args.slice(0, MAX_ARGUMENTS_BEFORE + 1).flatMap((arg, index): ValueLocation[] => {
      if ((typeof arg !== 'string' && typeof arg !== 'number') || String(arg) !== value) return [];
      const before = args
        .slice(0, index)
        .map((one) => `${isBlock(one) || Array.isArray(one) ? OTHER_ARGUMENT_PATTERN : SCALAR_PATTERN}\\s*,\\s*`);
      const pattern = `(?:(?<![\\w$.])|(?<=\\\\[nrt]))${escapeRegExp(name)}\\(\\s*${before.join('')}(?:\\\\?["'])?([^"'\\\\(),]*)`;
      const location = { kind: 'script', called: name, isRelated: isOf(name, index, leaf), isListed: false } as const;
      return [
        { ...location, finder: { from: 'body', pattern } },
        { ...location, finder: { from: 'body', pattern, which: 'last' } },
      ];
    }),
  );
}

/**
 * Returns whether a call concerns the sent field: the field's name contains every word of the call's name, or the field is an id and the
 * value is the first argument.
 */
function isOf(name: string, index: number, leaf: NamedLocation): boolean {
  const words = name
    .slice(name.lastIndexOf('.') + 1)
    .split(/[_$]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '' && !VERB_PATTERN.test(word));
  const called = bareName(leaf.name);
  return (words.length > 0 && words.every((word) => called.includes(word))) || (index === 0 && /^[ug]?u?id$/.test(called));
}
