import { freeName } from '#core/base/text.ts';
/** A JavaScript expression that is written unchanged. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object member with a comment above. */
export class CommentedMember {
  readonly comment: string;
  readonly value: JavaScriptValue;

  constructor(comment: string, value: JavaScriptValue) {
    this.comment = comment;
    this.value = value;
  }
}

/** Values that can be written as JavaScript. Undefined members of objects are left out. */
export type JavaScriptValue = string | number | boolean | null | Code | readonly JavaScriptValue[] | JavaScriptObject;
export interface JavaScriptObject {
  readonly [name: string]: JavaScriptValue | CommentedMember | undefined;
}

const MAX_LINE_LENGTH = 110;
const INDENT = '  ';

/** Formats a value, on one line if it fits. */
export function formatValue(value: JavaScriptValue, indent = ''): string {
  if (value instanceof Code) return value.text.replaceAll('\n', `\n${indent}`);
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  const inner = indent + INDENT;
  const items: { readonly comment: string | null; readonly text: string }[] = isList(value)
    ? value.map((item) => ({ comment: null, text: formatValue(item, inner) }))
    : Object.entries(value).flatMap(([name, member]) => {
        if (member === undefined) return [];
        const { comment, value: of } = member instanceof CommentedMember ? member : { comment: null, value: member };
        return [{ comment, text: `${memberName(name)}: ${formatValue(of, inner)}` }];
      });
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  const room = isList(value) ? '' : ' ';
  const line = `${open}${room}${items.map(({ text }) => text).join(', ')}${room}${close}`;
  const isShort = !line.includes('\n') && indent.length + line.length <= MAX_LINE_LENGTH && items.every(({ comment }) => comment === null);
  if (isShort) return line;
  const lines = items.map(({ comment, text }) => `${comment === null ? '' : `${inner}// ${formatOnOneLine(comment)}\n`}${inner}${text},`);
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

function isList(value: readonly JavaScriptValue[] | JavaScriptObject): value is readonly JavaScriptValue[] {
  return Array.isArray(value);
}

/** Quotes a text with single quotes. */
export function quote(text: string): string {
  return `'${escapeTemplate(text).replaceAll("'", String.raw`\'`)}'`;
}

/** Escapes a text for a template literal. */
export function templateLiteral(text: string): string {
  return escapeTemplate(text)
    .replaceAll('`', String.raw`\``)
    .replaceAll('${', String.raw`\${`);
}

/** Escapes a text like JSON, except for double quotes. */
function escapeTemplate(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

/** Returns a name for an object literal; `__proto__` would set the prototype. */
export function memberName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return isIdentifier(name) ? name : quote(name);
}

/** Returns the expression of a member. */
export function memberCode(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${quote(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Returns a regular expression literal with the necessary escapes. */
export function regularExpression(pattern: string, flags: string): string {
  return `/${new RegExp(pattern, flags).source}/${flags}`;
}

/** Converts a text to one line. */
export function formatOnOneLine(text: string): string {
  return text.replaceAll(/[\s\u2028\u2029]+/g, ' ').trim();
}

const RESERVED_WORDS = new Set([
  ...'break case catch continue debugger default do else finally for if return switch throw try while with'.split(' '),
  ...'class const delete export extends function import in instanceof new super this typeof var void'.split(' '),
  ...'await enum false implements interface let null package private protected public static true yield'.split(' '),
]);

/** Returns a unique identifier for a text: `few small rows` becomes `fewSmallRows`. */
export function uniqueIdentifier(text: string, taken: Set<string>, otherwise: string): string {
  const words = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const camel = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  const base =
    /^[a-z]/.test(camel) && !RESERVED_WORDS.has(camel)
      ? camel.slice(0, 40)
      : `${otherwise}${camel.charAt(0).toUpperCase()}${camel.slice(1, 40)}`;
  const name = freeName(
    base,
    (one) => taken.has(one),
    (number) => `${base}${number}`,
  );
  taken.add(name);
  return name;
}
