import { wordsOnly, type ShellText } from './shellText.ts';

/**
 * The words of each command of a text for Windows' cmd, as browsers copy them: `^` before a letter keeps cmd from reading it, and what is left
 * is split by the rules of programs' arguments (quotes, `\"`).
 */
export function cmdCommands(text: string): ShellText {
  return {
    commands: wordsOnly(
      withoutCarets(text)
        .map(splitArguments)
        .filter((words) => words.length > 0),
    ),
    unfilled: [],
  };
}

/** Marks a quote or a blank that came behind a caret as what it is for the program: cmd hands both on alike. */
function withoutCarets(text: string): string[] {
  const commands: string[] = [];
  let current = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"') isQuoted = !isQuoted;
    if (letter === '^' && !isQuoted) {
      const [broken] = /^\r?\n/.exec(text.slice(at + 1, at + 3)) ?? [];
      if (broken === undefined) {
        current += text.charAt((at += 1));
        continue;
      }
      at += broken.length;
      const [second] = /^\r?\n/.exec(text.slice(at + 1, at + 3)) ?? [];
      // Two line ends behind a caret are one that is meant.
      if (second !== undefined) {
        current += '\n';
        at += second.length;
      }
      continue;
    }
    const next = text.charAt(at + 1);
    if (!isQuoted && letter === '&' && (next === '' || /\s|&/.test(next))) {
      commands.push(current);
      current = '';
      if (next === '&') at += 1;
    } else current += letter;
  }
  return [...commands, current];
}

function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (letter === '\\' && line.charAt(at + 1) === '\\' && /^\\+"/.test(line.slice(at, at + 40))) {
      word = `${word ?? ''}\\`;
      at += 1;
    } else if (letter === '\\' && line.charAt(at + 1) === '"') {
      word = `${word ?? ''}"`;
      at += 1;
    } else if (letter === '"' && isQuoted && line.charAt(at + 1) === '"') {
      word = `${word ?? ''}"`;
      at += 1;
    } else if (letter === '"') {
      isQuoted = !isQuoted;
      word ??= '';
    } else if (!isQuoted && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  return word === null ? words : [...words, word];
}
