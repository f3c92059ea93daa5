/** What stands for something that is known only while a journey is walked. */
export interface Placeholder {
  readonly name: string;
  /** `{{name|raw}}`: the value as it is, not escaped for the place where it stands. */
  readonly isRaw: boolean;
}

/** Literal texts and placeholders, in their order. */
export type Template = readonly (string | Placeholder)[];

const PLACEHOLDER = /\\\{\{|\{\{\s*([A-Za-z_][\w-]*(?:\.[\w.-]+)?)\s*(?:\|\s*(raw)\s*)?\}\}/g;

/**
 * Reads `text {{name}} text`. `\{{` is a `{{` that stands for nothing; a `{{` without a name behind it, as other template languages write them, is text.
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let literal = '';
  let position = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, name, raw] = match;
    literal += text.slice(position, match.index);
    position = match.index + whole.length;
    if (name === undefined) literal += '{{';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push({ name, isRaw: raw !== undefined });
    }
  }
  literal += text.slice(position);
  return literal === '' && parts.length > 0 ? parts : [...parts, literal];
}

/** The names that a text asks for, each once. */
export function namesIn(text: string): string[] {
  return [...new Set(parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])))];
}

/** Whether anything in the text is filled in while a journey is walked. */
export function hasPlaceholders(text: string): boolean {
  return text.includes('{{') && parseTemplate(text).some((part) => typeof part !== 'string');
}

/** The text with its placeholders replaced. */
export function fillTemplate(template: Template, valueOf: (placeholder: Placeholder) => string): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : valueOf(part);
  return text;
}
