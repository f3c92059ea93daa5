import { beginsCommand, holdsTool } from './shellText.ts';

const LONGEST_LINE = 20_000;
/** Between ticks, asterisks or quotes of a sentence. */
const MARKED_OUT = /(?:`{1,3}|\*\*|["“‘'])([^`*"“”‘’]{5,2000})(?:`{1,3}|\*\*|["”’'])/g;
/** A program with an option or an address behind it: its name alone may be any word. */
const IN_SENTENCE =
  /(?:^|[\s(:>,;"'“‘`])((?:[\w./~-]{0,60}\/)?(?:ab|abs|wrk2?|hey|oha|autocannon|curl)(?:\.exe)?\s+(?:-{1,2}[A-Za-z]|["']?https?:\/\/).{1,5000})/;

/** The commands that stand within sentences, each as a line of its own. */
export function commandsInProse(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length > LONGEST_LINE || !holdsTool(line)) return [];
    const marked = [...line.matchAll(MARKED_OUT)].map(([, inside = '']) => inside.trim());
    const commands = marked.filter((inside) => beginsCommand(inside) && /\s-{1,2}[A-Za-z]|https?:\/\//.test(inside));
    if (commands.length > 0) return commands;
    const [, found] = IN_SENTENCE.exec(line) ?? [];
    return found === undefined ? [] : [untilSentence(found)];
  });
}

/** Without the words that go on behind the command's address: what is neither an option nor the value of one. */
function untilSentence(text: string): string {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const address = words.findIndex((word) => /^["']?https?:\/\//i.test(word));
  if (address < 0) return text;
  let end = address + 1;
  const isOption = (index: number): boolean => words[index]?.startsWith('-') === true;
  while (end < words.length && (isOption(end) || (isOption(end - 1) && end - 1 > address))) end += 1;
  return words
    .slice(0, end)
    .map((word, index) => (index === end - 1 ? word.replace(/[.,;:!?)”’]+$/, '') : word))
    .join(' ');
}
