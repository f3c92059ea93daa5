import { parseJson } from '#core/base/json.ts';
import type { Draft } from '../draft.ts';
import type { Input } from '../shells/input.ts';
import { literal } from '../placeholders.ts';
import { entriesAt, textAt } from '../reading.ts';
import { type Part, partType } from '../requestParts.ts';
import { fillMarks, withNames } from '../shells/shellText.ts';

/** Types that curl derives from file extensions. */
const TYPES: readonly (readonly [extension: RegExp, type: string])[] = [
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
  const leaveOut = (what: string, instead?: string): null => {
    draft.leftOut(option, what, instead);
    return null;
  };
  const equals = text.indexOf('=');
  if (equals <= 0) return leaveOut('A form part has no name.');
  const name = fillMarks(literal(text.slice(0, equals)));
  const value = text.slice(equals + 1);
  if (isText) return { name, value: fillMarks(literal(value)) };
  const field = `The form field ${withNames(text.slice(0, equals)).slice(0, 60)}`;
  const [sign = ''] = /^[<@]/.exec(value) ?? [];
  const written = readPart(value.slice(sign.length), sign !== '');
  for (const other of written.others) leaveOut(`${field} has ${other}, which plans do not support.`);
  if (sign === '@') {
    if (written.value === '-') return leaveOut(`${field} is read from standard input.`);
    const type = written.type ?? TYPES.find(([extension]) => extension.test(written.value))?.[1];
    return filePart(name, written.value, partType(draft, type, option), written.fileName);
  }
  const isInput = sign === '<' && written.value === '-' && input?.kind === 'text';
  if (sign === '<' && !isInput) return leaveOut('A form field has its value from a file.', 'Plans send files as files only.');
  if (written.fileName !== null) leaveOut(`${field} has a file name.`, 'It is sent without the file name.');
  return { name, value: fillMarks(literal(isInput ? input.text : written.value)), ...partType(draft, written.type, option) };
}

/** Reads a form part of `-F` (curl, tool_formparse.c). `others`: what plans do not support, such as several files, headers and encodings. */
function readPart(text: string, isFile: boolean) {
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
    // A type may have parameters with spaces. After other settings, curl ignores such text.
    if (key === '' && isInType) type = `${type ?? ''};${blanks}${next.word}`;
    else if (key === '') others.push(`“${withNames(next.word.slice(0, 40))}” after an unquoted semicolon`);
    else {
      isInType = /^type$/i.test(key);
      if (isInType) type = setting.trim();
      else if (/^filename$/i.test(key)) fileName = nextWord(setting, /$^/).word;
      else others.push(`${key} of its own`);
    }
  }
  return { value: value.trim() === '' && isFile ? '' : value, type, fileName, others };
}

/** Reads a quoted word with escaped quotes and backslashes, or else the trimmed text up to `end`. */
function nextWord(text: string, end: RegExp): { word: string; rest: string } {
  const begun = text.trimStart();
  const [whole = '', before = '', quoted] = /^(filename=)?"((?:[^"\\]|\\[^])*)"\s*/i.exec(begun) ?? [];
  const behind = quoted === undefined ? begun : begun.slice(whole.length);
  const at = behind.search(end);
  const rest = at < 0 ? '' : behind.slice(at);
  if (quoted !== undefined) return { word: `${before}${quoted.replaceAll(/\\([\\"])/g, '$1')}`, rest };
  return { word: (at < 0 ? behind : behind.slice(0, at)).trimEnd(), rest };
}

function filePart(name: string, path: string, type: { readonly type?: string }, fileName: string | null): Part {
  const own = fileName === null ? {} : { fileName: fillMarks(literal(fileName.slice(0, 200))) };
  return { name, file: path.slice(0, 1_000) || 'file', ...type, ...own };
}

/** Reads autocannon’s form: an object whose members have a value or a path. */
export function partsFromJson(draft: Draft, text: string): Part[] {
  return entriesAt(parseJson(text)).flatMap(([name, value]): Part[] => {
    const path = textAt(value, 'path');
    const type = path === null ? {} : partType(draft, textAt(value, 'options', 'contentType'), '-F');
    if (path !== null) return [filePart(literal(name), path, type, textAt(value, 'options', 'filename'))];
    const sent = textAt(value, 'value');
    if (sent !== null) return [{ name: literal(name), value: literal(sent) }];
    draft.leftOut('-F', `The form field ${name.slice(0, 60)} has neither a value nor a path.`);
    return [];
  });
}
