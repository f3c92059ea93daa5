import { type Document, isNode, parseDocument, visit, type YAMLError } from 'yaml';
import type { Issue } from './issues.ts';

/** Longer sources are refused before they are read: the largest honest plan takes a few kilobytes. */
export const MAX_SOURCE_LENGTH = 1_000_000;
/** A few hundred letters of nested aliases can stand for billions of values. */
const MAX_ALIASES = 100;

export interface ReadSource {
  /** What was written; undefined when there are issues. */
  readonly value: unknown;
  readonly issues: Issue[];
}

/** Reads YAML 1.2 (which JSON is a part of). Never throws; every fault of the syntax becomes an issue with line and column. */
export function readYaml(source: string): ReadSource {
  if (source.length > MAX_SOURCE_LENGTH) {
    return refused('SOURCE_TOO_LONG', `The text has ${source.length} characters.`, `At most ${MAX_SOURCE_LENGTH} are read.`);
  }
  try {
    const document = parseDocument(source, { uniqueKeys: true, prettyErrors: true, logLevel: 'silent' });
    if (document.errors.length > 0) return { value: undefined, issues: document.errors.map(syntaxIssue) };
    if (holdsItself(document)) {
      return refused(
        'REPEATS_ITSELF',
        'A part of the text is meant to hold itself (a YAML alias inside its own anchor).',
        'Write the part out.',
      );
    }
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, issues: [] };
  } catch (thrown) {
    if (thrown instanceof ReferenceError) {
      return refused('TOO_MANY_ALIASES', 'The text repeats parts of itself too often (YAML aliases).', 'Write the repeated parts out.');
    }
    return refused('SOURCE_UNREADABLE', 'The text cannot be read as YAML or JSON.', 'It is probably nested too deeply or damaged.');
  }
}

/** Resolving such an alias would never end. */
function holdsItself(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias(_key, { source }, path) {
      found ||= path.some((node) => isNode(node) && 'anchor' in node && node.anchor === source);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

function syntaxIssue(error: YAMLError): Issue {
  const place = error.linePos?.[0];
  const where = place ? `line ${place.line}, column ${place.col}` : '';
  if (error.code === 'DUPLICATE_KEY') {
    return {
      level: 'error',
      code: 'DUPLICATE_KEY',
      path: where,
      message: 'A name stands twice in the same block.',
      hint: 'Keep one of the two; which one was meant cannot be told.',
    };
  }
  const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'It cannot be read.';
  return {
    level: 'error',
    code: 'SYNTAX',
    path: where,
    message: `This is not valid YAML or JSON: ${message}`,
    hint: 'Check indentation, quotes and brackets at that place.',
  };
}

function refused(code: string, message: string, hint: string): ReadSource {
  return { value: undefined, issues: [{ level: 'error', code, path: '', message, hint }] };
}
