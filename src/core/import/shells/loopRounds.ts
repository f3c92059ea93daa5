import type { Loop } from './findLoops.ts';

export interface Rounds {
  readonly variable: string | null;
  /** The values of the variable, in order; null: endless. */
  readonly values: readonly string[] | null;
}

const MAX_ROUNDS = 1_000_000;

/** Returns the rounds of a loop, or why they are unknown. */
export function readRounds({ keyword, head: written }: Loop, text: string): Rounds | string {
  const head = written.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => findNumber(name, text) ?? whole);
  if (/^repeat$/i.test(keyword)) return { variable: null, values: numbersFrom(1, Number.parseInt(head, 10), 1) ?? [] };
  if (/^(?:while|until)$/i.test(keyword)) return readCondition(written, text);
  const counted = readCounter(head) ?? readRange(head);
  if (counted !== null) return counted;
  const [, variable = '', listed] = /^\(?\s*\$?([A-Za-z_]\w*)\s+in\s+([^]*?)\s*\)?$/i.exec(head) ?? [];
  if (listed === undefined || /^for \/[^l]/i.test(keyword)) return 'It runs over lines of a file or over the output of a command.';
  const values = readWords(listed.replace(/^\((.*)\)$/, '$1'));
  return values === null ? 'What it runs over is known only to the shell.' : { variable, values };
}

/** Returns the number that a text gives to a variable; null if it gives none, several or anything else. */
function findNumber(name: string, text: string): string | null {
  const values = [...text.matchAll(new RegExp(String.raw`(?<=^|[\n;&])[ \t]*(?:export[ \t]+)?${name}=([^\n;&\s]*)`, 'g'))].map(
    ([, value = '']) => value,
  );
  const [, number] = /^["']?(?:\$\{\w+:-)?(\d{1,9})\}?["']?$/.exec(values[0] ?? '') ?? [];
  return values.length === 1 && number !== undefined ? number : null;
}

/** Reads `((i=0; i<100; i++))`, `($i = 0; $i -lt 100; $i++)` and `%i in (1,1,100)`. */
function readCounter(head: string): Rounds | null {
  const [, name, from, relation = '', to, step = ''] =
    /^\(?\(\s*(?:let\s+)?\$?(\w+)\s*=\s*(\d+)\s*;\s*\$?\1\s*(<=?|-lt|-le)\s*(\d+)\s*;\s*(?:\$?\1\s*\+\+|\+\+\s*\$?\1|\$?\1\s*\+=\s*(\d+))\s*\)\)?/i.exec(
      head,
    ) ?? [];
  if (name !== undefined) {
    const last = Number(to) - (/=|-le/i.test(relation) ? 0 : 1);
    return countRounds(name, Number(from), last, step === '' ? 1 : Number(step));
  }
  const [, letter, first, by, end] = /^%{1,2}(\w)\s+in\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)/i.exec(head) ?? [];
  return letter === undefined ? null : countRounds(letter, Number(first), Number(end), Number(by));
}

/** Reads `1..100` of PowerShell, alone before `|` or in `($i in 1..100)`. */
function readRange(head: string): Rounds | null {
  const [, name = '_', from, to] = /^\(?\s*(?:\$(\w+)\s+in\s+)?\(?(\d+)\.\.(\d+)\)?/i.exec(head) ?? [];
  return from === undefined ? null : countRounds(name, Number(from), Number(to), 1);
}

function countRounds(variable: string, from: number, to: number, step: number): Rounds | null {
  const values = numbersFrom(from, to, step);
  return values === null ? null : { variable, values };
}

/** Reads the condition of a loop: always true, or a counter that the text sets before the loop. */
function readCondition(head: string, text: string): Rounds | string {
  const condition = head.replace(/^(?:\[\[?|\(\(?|test\b)\s*(.*?)\s*(?:\]\]?|\)\)?)?$/, '$1').trim();
  if (/^(?:true|:|1|\$true|sleep\s.*|false)$/i.test(condition)) return { variable: null, values: null };
  if (/^(?:IFS=\S*\s+)?read\b/.test(condition)) return 'It runs over the lines of its input.';
  const [, name = '', relation = '', to] = /^"?\$?\{?(\w+)\}?"?\s*(-lt|-le|<=?|-ne)\s*"?\$?\{?(\w+)\}?"?$/.exec(condition) ?? [];
  const end = to === undefined || /^\d+$/.test(to) ? to : findNumber(to, text);
  const [, from] = new RegExp(String.raw`(?:^|[\n;])[ \t]*(?:let[ \t]+|\$)?${name || '\\b'}[ \t]*=[ \t]*"?(\d+)`).exec(text) ?? [];
  const isCounted =
    name !== '' &&
    new RegExp(String.raw`\b${name}\s*(?:\+\+|\+=\s*1\b|=\s*\$\(\(\s*\$?${name}\s*\+\s*1\s*\)\))|\+\+\s*\$?${name}\b`).test(text);
  if (from === undefined || end === undefined || end === null || !isCounted) return 'When it ends is known only to the shell.';
  return countRounds(name, Number(from), Number(end) - (/-le|<=/.test(relation) ? 0 : 1), 1) ?? 'It has no round, or too many.';
}

/** Returns the words that a loop runs over: a range of numbers, or plain words. Returns null for files and output of programs. */
function readWords(listed: string): string[] | null {
  const [, sequence] = /^(?:\$\(|`|\()?\s*seq\s+([\d\s]+?)\s*[)`]?$/.exec(listed) ?? [];
  if (sequence !== undefined) {
    const numbers = sequence.split(/\s+/).map(Number);
    const [from, step, to] = numbers.length > 2 ? numbers : numbers.length > 1 ? [numbers[0], 1, numbers[1]] : [1, 1, numbers[0]];
    return numbersFrom(from ?? 1, to ?? 0, step ?? 1);
  }
  const [, from, to, step = '1'] = /^\{(\d+)\.\.(\d+)(?:\.\.(\d+))?\}$/.exec(listed) ?? [];
  if (from !== undefined) return numbersFrom(Number(from), Number(to), Number(step));
  const words = listed.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  return listed === '' || words.some((word) => /[$`*?{}()[\]<>|&;,"']/.test(word)) ? null : words;
}

function numbersFrom(from: number, to: number, step: number): string[] | null {
  const count = Math.floor((to - from) / step) + 1;
  return step > 0 && count > 0 && count <= MAX_ROUNDS ? Array.from({ length: count }, (_none, index) => String(from + index * step)) : null;
}
