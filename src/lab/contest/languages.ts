/** The endings of the files of each language that a contest offers, in the order of its form; none: any file is taken. */
export type Languages = ReadonlyMap<string, readonly string[]>;

/** What a contest may offer, by the names of the practice server's option. */
export const LANGUAGES: ReadonlyMap<string, Languages> = new Map([
  ['any', new Map()],
  [
    'one',
    new Map([
      ['C++17 / g++', ['.cpp', '.cc']],
      ['C11 / gcc', ['.c']],
      ['Python 3 / CPython', ['.py']],
    ]),
  ],
  ['four-cpp', new Map(['C++11 / g++', 'C++14 / g++', 'C++17 / g++', 'C++20 / g++'].map((name) => [name, ['.cpp', '.cc']]))],
]);

/** Why a solution is refused, in the words of CMS; null when its language is clear. */
export function languageProblem(languages: Languages, fileName: string, given: string): string | null {
  if (languages.size === 0) return null;
  const matching = [...languages].filter(([, endings]) => endings.some((ending) => fileName.endsWith(ending))).map(([name]) => name);
  if (given !== '') return matching.includes(given) ? null : 'Please select the correct files.';
  if (matching.length === 1) return null;
  return matching.length === 0 ? 'Please select the correct files.' : 'There is more than one language that matches all the files.';
}

/** What the form of a task holds of them: a list to choose from, and which endings belong to which, for its script. */
export function languageFields(languages: Languages): string {
  if (languages.size === 0) return '';
  const endings = [...languages].map(
    ([name, own]) => `    '${name}': {\n${own.map((ending) => `        '${ending}': true,`).join('\n')}\n    },`,
  );
  const options = [...languages.keys()].map((name) => `<option value="${name}">${name}</option>`);
  return `<script>
var TASK_LANGUAGES = {
${endings.join('\n')}
};
</script>
<select name="language">
${options.join('\n')}
</select>
`;
}
