import { parseJson } from '#core/base/json.ts';
import { percentDecoded, queryDecoded } from '../address.ts';
import { type Leaf, looksGenerated } from './leaves.ts';
import { escapeRegExp } from './valueLocation.ts';

/** A value within another value: a member of the JSON in a field, or a part of the address in a parameter. */
export interface InnerValue {
  readonly leaf: Leaf;
  /** The path before the value, if the value is part of a path. */
  readonly prefix: string;
  /** Matches the value in the text of a plan, together with the text before and after it. */
  readonly location: RegExp;
}

const MAX_INNER_VALUES = 50;
const MAX_TEXT_LENGTH = 200_000;
/**
 * Matches names of members that identify something. Other members are lengths, positions and types, which belong to the text beside them.
 */
const IDENTIFYING_MEMBER_PATTERN = /(id|key|uuid|guid|number|nonce|token|ref)$/i;

/** Returns the values within a value. In a parameter of an address, `raw` is percent-encoded, as is the text of the plan. */
export function listInnerValues({ location, raw, value }: Leaf): InnerValue[] {
  if (location === 'body' || value.length > MAX_TEXT_LENGTH) return [];
  const found = /^\s*[[{]/.test(value) ? listMembers(raw) : isAddress(value) ? listAddressValues(raw) : [];
  const bySource = new Map(found.map((one) => [one.location.source, one]));
  return [...bySource.values()].slice(0, MAX_INNER_VALUES);
}

/** Returns the identifying members of a JSON text. */
function listMembers(raw: string): InnerValue[] {
  if (parseJson(raw) === undefined) return [];
  return [...raw.matchAll(/"([\w$-]{1,60})"\s*:\s*(?:"([\w.+:=/-]{1,200})"|(\d{1,15})(?=\s*[,}]))/g)].flatMap(
    ([whole, name = '', word, number = '']): InnerValue[] => {
      const value = word ?? number;
      if (!IDENTIFYING_MEMBER_PATTERN.test(name) && !looksGenerated(value)) return [];
      const end = word === undefined ? '(?=\\s*[,}])' : '"';
      const before = whole.slice(0, whole.lastIndexOf(value));
      return [
        {
          leaf: { key: '', location: 'json', name, raw: value, value, isNumber: word === undefined },
          prefix: '',
          location: placeOf(before, value, end),
        },
      ];
    },
  );
}

const SEPARATOR_PATTERN = /(%2F|%3F|%26|%3D|[/?&=#])/i;

/** Matches the position at which a part of an address ends. */
const PART_END_PATTERN = '(?=%2[Ff]|%3[Ff]|%26|%3[Dd]|%23|[/?&=#]|$)';

function isAddress(value: string): boolean {
  return /^(https?:\/\/[^/\s]+)?\/\S+$/.test(value) || /^[\w./-]*\?[\w%.[\]-]+=\S+$/.test(value);
}

/** Returns parts of an address within an address: segments of its path with the path before them, and parameters with their names. */
function listAddressValues(raw: string): InnerValue[] {
  const tokens = raw.split(SEPARATOR_PATTERN);
  const values: InnerValue[] = [];
  let isQuery = false;
  let path = '';
  for (const [index, token] of tokens.entries()) {
    const sign = percentDecoded(token);
    if (index % 2 === 1) {
      isQuery ||= sign === '?';
      if (!isQuery) path += sign;
      continue;
    }
    const before = index === 0 ? '' : percentDecoded(tokens[index - 1] ?? '');
    const name = percentDecoded(tokens[index - 2] ?? '');
    if (token !== '' && !token.includes('{{') && (isQuery ? before === '=' : before === '/')) {
      const leaf: Leaf = { key: '', location: isQuery ? 'query' : 'path', name, raw: token, value: queryDecoded(token), isNumber: false };
      values.push({
        leaf,
        prefix: isQuery ? '' : path,
        location: placeOf(tokens.slice(index - 2, index).join(''), token, PART_END_PATTERN),
      });
    }
    if (!isQuery) path += sign;
  }
  return values;
}

function placeOf(before: string, value: string, after: string): RegExp {
  return new RegExp(`(${escapeRegExp(before)})${escapeRegExp(value)}(${after})`, 'g');
}

/** Replaces the inner value in a text of a plan with a placeholder; null if the text does not contain the value. */
export function replaceInner(text: string, { location }: InnerValue, placeholder: string): string | null {
  const written = text.replaceAll(location, (_, before: string, after: string) => `${before}${placeholder}${after}`);
  return written === text ? null : written;
}
