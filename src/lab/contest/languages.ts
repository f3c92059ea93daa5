/** Languages that a contest offers for solutions, with the endings of their files, in the order of the form. */
export const LANGUAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  any: {},
  one: { 'C++17 / g++': ['.cpp', '.cc'], 'C11 / gcc': ['.c'], 'Python 3 / CPython': ['.py'] },
  'four-cpp': Object.fromEntries(['C++11 / g++', 'C++14 / g++', 'C++17 / g++', 'C++20 / g++'].map((name) => [name, ['.cpp', '.cc']])),
};

export type Languages = Readonly<Record<string, readonly string[]>>;

/** Why a solution is refused, in the words of CMS; null when its language is clear. */
export function languageProblem(languages: Languages, fileName: string, given: string): string | null {
  const names = Object.keys(languages);
  if (names.length === 0) return null;
  const matching = names.filter((name) => languages[name]?.some((ending) => fileName.endsWith(ending)) === true);
  if (given !== '') return matching.includes(given) ? null : 'Please select the correct files.';
  if (matching.length === 1) return null;
  return matching.length === 0 ? 'Please select the correct files.' : 'There is more than one language that matches all the files.';
}

/** What the form of a task holds of them: a list to choose from, and which endings belong to which, for its script. */
export function languageFields(languages: Languages): string {
  const names = Object.keys(languages);
  if (names.length === 0) return '';
  const endings = names.map(
    (name) => `    '${name}': {\n${(languages[name] ?? []).map((ending) => `        '${ending}': true,`).join('\n')}\n    },`,
  );
  const options = names.map((name) => `<option value="${name}">${name}</option>`);
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
