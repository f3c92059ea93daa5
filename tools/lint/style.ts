import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { commentsIn, functionsIn, isForPeople, lineAt, namesIn, type Source, testTitlesIn, textsIn } from './texts.ts';

/** A word or phrase that docs/style.md forbids, with its replacement. */
interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** A passage that also matches this pattern is about something else, so it is allowed. */
  readonly unless?: RegExp;
  /** Whether the word is forbidden only in user-facing texts, and allowed in comments and test titles. */
  readonly isForScreens?: true;
}

/** The rules: one term for each thing, and plain words. docs/style.md has the same table for people. */
const RULES: readonly Rule[] = [
  {
    pattern: /\banswer(?:s|ed|ing)?\b/iu,
    instead: 'response, respond',
    unless: /\bquestions?\b|\bquiz|\bpresets?\b|\bwizard|\bexams?\b|\bpupils?\b/iu,
  },
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
  // Code and field values in documents have straight quotes.
  { pattern: /(?<![=\w])"(?:…|\p{L}+)"/u, instead: 'curly quotes, by quoted()', isForScreens: true, unless: /[{}[\]]|\bAS "|^proxy_/u },
  { pattern: /\b(?:is|are|was|were) not known\b/iu, instead: 'unknown, inconclusive' },
];

/** Matches files in which an “answer” is an answer to a question of a preset. Code and plans call it by that name. */
const ABOUT_QUESTIONS =
  /^(?:src\/core\/(?:presets|plan|review|calculators)|src\/core\/(?:testing\/arbitraries|series\/noise|import\/recording)|src\/cli|src\/ui\/(?:wizard|words)|src\/contract\/api|src\/lab\/(?:school-site|exam)|src\/backend\/(?:services\/(?:app|recordings)|testing|backend\.test|canaries)|bench\/exports|e2e\/stories|presets|tools\/har|bench\/recording)\b/;

/** Words that no name in code, plans and results may contain in any form. */
const NAME_RULES: readonly { readonly words: readonly string[]; readonly instead: string; readonly except?: RegExp }[] = [
  { words: ['answer', 'answers', 'answered', 'answering', 'unanswered'], instead: 'response, reply, conclusion', except: ABOUT_QUESTIONS },
  // The table with the earlier names of plan fields is exempt.
  { words: ['objective', 'objectives'], instead: 'criterion, criteria', except: /^src\/core\/plan\/schemaIssues\.ts$/ },
  { words: ['ledger', 'ledgers', 'books'], instead: 'outcomes' },
  { words: ['sick', 'sickness'], instead: 'overloaded, overload' },
  { words: ['owe', 'owes', 'owed', 'owing'], instead: 'outstanding' },
  { words: ['maker', 'makers'], instead: 'generator' },
  { words: ['tell', 'tells', 'told', 'said'], instead: 'report, reported, stated' },
  { words: ['bear', 'bears', 'bore', 'borne'], instead: 'sustain, sustained' },
];
const RULE_BY_WORD = new Map(NAME_RULES.flatMap((rule) => rule.words.map((word) => [word, rule] as const)));

/** Nouns before “Of” that read as English, because they name what the function returns. */
const NOUNS_OF: ReadonlySet<string> = new Set(
  (
    'address body bucket bytes child children code codeLines columns cookie cookies count csv depth descendants distribution ' +
    'drainSeconds duration end endSecond entry fact facts family field fields figure file fingerprint first firstStep folder ' +
    'format foundLimit hash hatch head header headers height highestUs host hostName hosts id ids imports index is isId isOne ' +
    'isPart json key kind last lastItem lastPause length level levels lines links load loadingTimes lowestUs luminance max ' +
    'maxInFlight maxLoad mean median method middle middleUs monitor name names number opening origin outcome outline owner ' +
    'packageImports page pages part password path percent percentile phase pids place places plotPoints port position procStat ' +
    'progress protocol range rank rarity rate ratio recorder reload requests role roles row rows rule runTime scale second ' +
    'seconds sentence separators series severity shape share size slope slot some specificity stage stages start state statements ' +
    'status stem step steps story string sum target text time title top total trueLimit trueRecoverySeconds truth type unit ' +
    'urgency url usableMs user value visitorSteps visits weight width widthUs x y'
  ).split(' '),
);

/** Maximum number of words in a sentence. */
const MAX_WORDS = 30;

/** A user-facing text and its location (`path:line`). */
interface Passage {
  readonly location: string;
  readonly text: string;
}

export interface StyleReport {
  /** All violations, each in the form `path:line: what it is: the text`. */
  readonly problems: readonly string[];
  /** Numbers of words in each sentence, in the order of the passages. */
  readonly sentenceWords: readonly number[];
}

/** Minimum number of words in a literal that counts as user-facing text. */
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
    .map(({ text, start }) => ({ text, location: `${source.path}:${lineAt(source.text, start)}` }));
}

/** Returns the names in a TypeScript file, including its path, that docs/style.md forbids: `path:line: name (better: …)`. */
export function problemsOfNames(source: Source): string[] {
  const locationAt = (start: number): string => `${source.path}:${lineAt(source.text, start)}`;
  // Files are parsed only if one of their words would be a problem as a name.
  const words = [...new Set(source.text.match(/[\w$]+/g))];
  const names = words.some((word) => problemOfName(word, source.path) !== null) ? namesIn(source) : [];
  const functions = words.some(hasNoNoun) ? functionsIn(source) : [];
  return [
    ...(problemOfName(source.path, source.path) === null ? [] : [`${source.path}: ${problemOfName(source.path, source.path)}`]),
    ...names.flatMap(({ text, start }) => {
      const problem = problemOfName(text, source.path);
      return problem === null ? [] : [`${locationAt(start)}: ${problem}`];
    }),
    ...functions.flatMap(({ text, start }) => (hasNoNoun(text) ? [`${locationAt(start)}: ${text} (better: a verb first)`] : [])),
  ];
}

/** Returns whether a function name ends with “Of” but has no noun before it. */
const hasNoNoun = (name: string): boolean => name.endsWith('Of') && !NOUNS_OF.has(name.slice(0, -2));

/** Returns the field names in a preset that docs/style.md forbids. */
export function problemsOfKeys({ path, text }: Source): string[] {
  return [...text.matchAll(/^[ -]*(\w+):/gm)].flatMap(({ 1: name = '', index }) => {
    const problem = problemOfName(name, path);
    return problem === null ? [] : [`${path}:${lineAt(text, index)}: ${problem}`];
  });
}

function problemOfName(name: string, path: string): string | null {
  for (const word of wordsIn(name)) {
    const rule = RULE_BY_WORD.get(word);
    if (rule !== undefined && rule.except?.test(path) !== true) return `${name} (better: ${rule.instead})`;
  }
  return null;
}

/** Splits a name such as `maxInFlight`, `MAX_IN_FLIGHT` or `maximum-in-flight.ts` into its words, in lower case. */
function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Returns the texts on a Markdown page: paragraphs, items, cells and headings, without code, images and link addresses. */
export function passagesOfMarkdown({ path, text }: Source): Passage[] {
  const passages: Passage[] = [];
  let block: { readonly line: number; words: string } | undefined;
  let isCode = false;
  const closeBlock = (): void => {
    if (block !== undefined && /\p{L}/u.test(block.words))
      passages.push({ location: `${path}:${block.line}`, text: withoutMarks(block.words) });
    block = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      closeBlock();
      isCode = !isCode;
      continue;
    }
    if (isCode || /^\s*$/.test(line) || /^ {4,}\S/.test(line)) {
      if (!isCode && block !== undefined && /\S/.test(line)) block.words += ` ${line.trim()}`;
      else closeBlock();
      continue;
    }
    if (/^\s*\|/.test(line)) {
      closeBlock();
      for (const cell of line.split('|'))
        if (/\p{L}/u.test(cell)) passages.push({ location: `${path}:${index + 1}`, text: withoutMarks(cell) });
      continue;
    }
    if (/^\s*(?:[-*+]|\d+\.|#+|>)\s/.test(line)) closeBlock();
    if (block === undefined) block = { line: index + 1, words: line.trim() };
    else block.words += ` ${line.trim()}`;
    if (/^\s*#/.test(line)) closeBlock();
  }
  closeBlock();
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

/** Returns every text in a preset that is more than a single name. */
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

/**
 * Returns the violations of docs/style.md in these passages. `of` says whether they are from screens and documents, or comments and test
 * titles from code. Quotations in curly quotes are ignored.
 */
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
