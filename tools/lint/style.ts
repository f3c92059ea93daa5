import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { commentsIn, isForPeople, lineAt, type Source, testTitlesIn, textsIn } from './texts.ts';

/** A word or phrase that docs/style.md forbids, and its replacement. */
interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** A passage that also matches this is about something else. */
  readonly unless?: RegExp;
  /** Forbidden in user-facing texts only; comments and test titles may have it. */
  readonly isForScreens?: true;
}

/** One term per thing, and plain words: docs/style.md has the same table for people. */
const RULES: readonly Rule[] = [
  { pattern: /\banswer(?:s|ed|ing)?\b/iu, instead: 'response, respond', unless: /\bquestions?\b|\bquiz|\bpresets?\b|\bwizard/iu },
  { pattern: /\b(?:bears?|bore|borne)\b/iu, instead: 'handles, sustains' },
  { pattern: /\bow(?:e|es|ed)\b/iu, instead: 'outstanding' },
  { pattern: /\b(?:told|tells?)\b/iu, instead: 'reported, shows, says' },
  { pattern: /\bgo(?:es|ing)\b/iu, instead: 'runs, continues, is sent' },
  { pattern: /\bso that\b/iu, instead: 'a second sentence, or “to”', isForScreens: true },
  { pattern: /\b(?:not|as) yet\b|\byet\b/iu, instead: '“not”, or “still”', isForScreens: true },
  { pattern: /(?<!\b(?:one|each|all|both|some|\w+th) )\bof (?:which|whom)\b/iu, instead: 'a second sentence, or “whose”' },
  { pattern: /\bshall\b/iu, instead: 'a question, or “must”' },
  { pattern: /\bstands? out\b/iu, instead: 'findings' },
  { pattern: /\b\d+ of 20\b|\ball but 1\b|\b1 in (?:\d|…)/iu, instead: 'a percentage: 95 %, 99.3 %', isForScreens: true },
  { pattern: /\bwrite (?:a|an|the|one) (?:\w+ )?(?:number|address|name|value|date|time)\b/iu, instead: 'Enter', isForScreens: true },
  { pattern: /\blimits? (?:\w+ ){0,3}(?:was|were|is|are) (?:kept|missed|held)\b/iu, instead: 'passed, failed' },
  // Code and field values in documents keep straight quotes.
  { pattern: /(?<![=\w])"(?:…|\p{L}+)"/u, instead: 'curly quotes, by quoted()', isForScreens: true, unless: /[{}[\]]|\bAS "|^proxy_/u },
  { pattern: /\b(?:is|are|was|were) not known\b/iu, instead: 'unknown, inconclusive' },
];

/** Maximum number of words in a sentence. */
const MAX_WORDS = 30;

/** A user-facing text, and its place (`path:line`). */
interface Passage {
  readonly location: string;
  readonly text: string;
}

export interface StyleReport {
  /** Every violation, as `path:line: what it is: the text`. */
  readonly problems: readonly string[];
  /** Number of words of each sentence, in the order of the passages. */
  readonly sentenceWords: readonly number[];
}

/** Minimum number of words of a literal that counts as user-facing text. */
const MIN_WORDS = 3;

/** Returns the user-facing texts of a TypeScript file: its literals, templates and JSX texts. */
export function passagesOfCode(source: Source): Passage[] {
  return textsIn(source)
    .filter(({ text }) => isForPeople(text, MIN_WORDS))
    .map(({ text, start }) => ({ text, location: `${source.path}:${lineAt(source.text, start)}` }));
}

/** Returns the comments and test titles of a TypeScript file. */
export function passagesOfComments(source: Source): Passage[] {
  return [...commentsIn(source), ...testTitlesIn(source)]
    .filter(({ text }) => text.includes(' '))
    .map(({ text, start }) => ({
      text,
      location: `${source.path}:${lineAt(source.text, start)}`,
    }));
}

/** Returns the texts of a Markdown page: paragraphs, items, cells and headings, without code, images and link addresses. */
export function passagesOfMarkdown({ path, text }: Source): Passage[] {
  const passages: Passage[] = [];
  let block: { readonly line: number; words: string } | undefined;
  let isCode = false;
  const close = (): void => {
    if (block !== undefined && /\p{L}/u.test(block.words))
      passages.push({ location: `${path}:${block.line}`, text: withoutMarks(block.words) });
    block = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      close();
      isCode = !isCode;
      continue;
    }
    if (isCode || /^\s*$/.test(line) || /^ {4,}\S/.test(line)) {
      if (!isCode && block !== undefined && /\S/.test(line)) block.words += ` ${line.trim()}`;
      else close();
      continue;
    }
    if (/^\s*\|/.test(line)) {
      close();
      for (const cell of line.split('|'))
        if (/\p{L}/u.test(cell)) passages.push({ location: `${path}:${index + 1}`, text: withoutMarks(cell) });
      continue;
    }
    if (/^\s*(?:[-*+]|\d+\.|#+|>)\s/.test(line)) close();
    if (block === undefined) block = { line: index + 1, words: line.trim() };
    else block.words += ` ${line.trim()}`;
    if (/^\s*#/.test(line)) close();
  }
  close();
  return passages;
}

function withoutMarks(words: string): string {
  return words
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*+]|\d+\.|#+|>)\s+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns every text of a preset that is more than a name. */
export function passagesOfPreset({ path, text }: Source): Passage[] {
  const passages: Passage[] = [];
  const lines = new LineCounter();
  visit(parseDocument(text, { lineCounter: lines }), {
    Scalar: (key, node) => {
      if (key === 'key' || !isScalar(node) || typeof node.value !== 'string' || !isForPeople(node.value, MIN_WORDS)) return;
      passages.push({ location: `${path}:${lines.linePos(node.range?.[0] ?? 0).line}`, text: node.value.replaceAll(/\s+/g, ' ').trim() });
    },
  });
  return passages;
}

/** Returns the violations of docs/style.md in these passages of screens and documents, or of code: comments and test titles. Quotations in curly quotes are ignored. */
export function checkStyle(passages: readonly Passage[], of: 'screens' | 'code' = 'screens'): StyleReport {
  const problems: string[] = [];
  const sentenceWords: number[] = [];
  for (const { location, text } of passages) {
    const own = text.replaceAll(/“[^”]*”/gu, '…');
    for (const { pattern, instead, unless, isForScreens } of RULES) {
      if (of === 'code' && isForScreens === true) continue;
      const found = unless?.test(own) === true ? null : pattern.exec(own);
      if (found !== null) problems.push(`${location}: “${found[0]}” (better: ${instead}): ${text}`);
    }
    for (const sentence of own.split(/(?<=[.!?:;])\s+/u)) {
      const words = sentence.split(' ').filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
      if (words < MIN_WORDS) continue;
      sentenceWords.push(words);
      if (words > MAX_WORDS) problems.push(`${location}: ${words} words in a sentence, at most ${MAX_WORDS}: ${sentence}`);
    }
  }
  return { problems, sentenceWords };
}
