import { parseJson } from '#core/base/json.ts';
import type { Draft } from '../draft.ts';
import type { Input } from '../shells/input.ts';
import { literal } from '../placeholders.ts';
import { entriesAt, textAt } from '../reading.ts';
import { partType, type Payload } from '../requestParts.ts';
import { fillMarks, withNames } from '../shells/shellText.ts';

type Part = Extract<Payload, { kind: 'multipart' }>['parts'][number];

/** A form part of `-F` (curl, tool_formparse.c). */
interface WrittenPart {
  readonly value: string;
  readonly type: string | null;
  readonly fileName: string | null;
  /** Features that plans do not support: several files, headers, encodings. */
  readonly others: readonly string[];
}

/** Types that curl derives from file extensions. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.gif$/i, 'image/gif'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.png$/i, 'image/png'],
  [/\.svg$/i, 'image/svg+xml'],
  [/\.txt$/i, 'text/plain'],
  [/\.html?$/i, 'text/html'],
  [/\.pdf$/i, 'application/pdf'],
  [/\.xml$/i, 'application/xml'],
];

/** Reads `name=value`, `name="value";type=text/css`, `name=@file;type=image/png;filename=x.png` or `name=<file`. `isText`: of `--form-string`. */
export function partOf(draft: Draft, option: string, text: string, isText: boolean, input: Input | null): Part | null {
  const equals = text.indexOf('=');
  const name = fillMarks(literal(text.slice(0, Math.max(0, equals))));
  const value = text.slice(equals + 1);
  if (equals <= 0) {
    draft.leftOut(option, 'A form part has no name.');
    return null;
  }
  if (isText) return { name, value: fillMarks(literal(value)) };
  const told = withNames(text.slice(0, equals)).slice(0, 60);
  const sign = /^[<@]/.exec(value)?.[0] ?? null;
  const written = readPart(sign === null ? value : value.slice(1), sign !== null);
  for (const other of written.others) draft.leftOut(option, `The form field ${told} has ${other}, which plans do not support.`);
  if (sign === '@') {
    if (written.value === '-') {
      draft.leftOut(option, `The form field ${told} is read from standard input.`);
      return null;
    }
    const guessed = TYPES.find(([ending]) => ending.test(written.value))?.[1];
    return filePart(name, written.value, partType(draft, written.type ?? guessed, option), written.fileName);
  }
  if (sign === '<' && (written.value !== '-' || input?.kind !== 'text')) {
    draft.leftOut(option, 'A form field has its value from a file.', 'Plans send files as files only.');
    return null;
  }
  if (written.fileName !== null) draft.leftOut(option, `The form field ${told} has a file name.`, 'It is sent without the file name.');
  const sent = sign === '<' && input?.kind === 'text' ? input.text : written.value;
  return { name, value: fillMarks(literal(sent)), ...partType(draft, written.type, option) };
}

function readPart(text: string, isFile: boolean): WrittenPart {
  const others: string[] = [];
  let { word: value, rest } = nextWord(text, isFile ? /[;,]/ : /;/);
  let type: string | null = null;
  let fileName: string | null = null;
  let isInType = false;
  if (rest.startsWith(',')) {
    others.push('more than one file');
    rest = rest.replace(/^[^;]*/, '');
  }
  while (rest.startsWith(';')) {
    const [blanks = ''] = /^\s*/.exec(rest.slice(1)) ?? [];
    const next = nextWord(rest.slice(1), /;/);
    ({ rest } = next);
    const [, key = '', setting = ''] = /^(type|filename|headers|encoder)=([^]*)$/i.exec(next.word) ?? [];
    switch (key.toLowerCase()) {
      case 'type':
        type = setting.trim();
        isInType = true;
        break;
      case 'filename':
        fileName = nextWord(setting, /$^/).word;
        isInType = false;
        break;
      case '':
        // A type may have parameters with spaces. After other settings, curl ignores such text.
        if (isInType) type = `${type ?? ''};${blanks}${next.word}`;
        else others.push(`“${withNames(next.word.slice(0, 40))}” after an unquoted semicolon`);
        break;
      default:
        others.push(`${key} of its own`);
        isInType = false;
    }
  }
  return { value: value.trim() === '' && isFile ? '' : value, type, fileName, others };
}

/** Reads a quoted word with escaped quotes and backslashes, or else the trimmed text up to `end`. */
function nextWord(text: string, end: RegExp): { word: string; rest: string } {
  const begun = text.trimStart();
  const quoted = /^(filename=)?"((?:[^"\\]|\\[^])*)"\s*/i.exec(begun);
  const behind = quoted === null ? '' : begun.slice(quoted[0].length);
  if (quoted !== null) {
    const at = behind.search(end);
    const rest = at < 0 ? '' : behind.slice(at);
    return { word: `${quoted[1] ?? ''}${(quoted[2] ?? '').replaceAll(/\\([\\"])/g, '$1')}`, rest };
  }
  const at = begun.search(end);
  const word = at < 0 ? begun : begun.slice(0, at);
  return { word: word.trimEnd(), rest: at < 0 ? '' : begun.slice(at) };
}

function filePart(name: string, path: string, type: { readonly type?: string }, fileName: string | null): Part {
  return {
    name,
    file: path.slice(0, 1_000) || 'file',
    ...type,
    ...(fileName === null ? {} : { fileName: fillMarks(literal(fileName.slice(0, 200))) }),
  };
}

/** Reads autocannon’s form: an object whose members have a value or a path. */
export function partsFromJson(draft: Draft, text: string): Part[] {
  return entriesAt(parseJson(text)).flatMap(([name, value]) => jsonPart(draft, name, value));
}

function jsonPart(draft: Draft, name: string, value: unknown): Part[] {
  const path = textAt(value, 'path');
  if (path !== null) {
    const type = partType(draft, textAt(value, 'options', 'contentType'), '-F');
    return [filePart(literal(name), path, type, textAt(value, 'options', 'filename'))];
  }
  const text = textAt(value, 'value');
  if (text !== null) return [{ name: literal(name), value: literal(text) }];
  draft.leftOut('-F', `The form field ${name.slice(0, 60)} has neither a value nor a path.`);
  return [];
}
