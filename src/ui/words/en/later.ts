import { joinNames } from '#core/plan/hosts/generatorNames.ts';

export { baseline, history, runHistory } from './history.ts';
export { compare } from './compare.ts';
export { hosts, invite, join } from './hosts.ts';
export { live } from './live.ts';
export { run } from './run.ts';

const PASTE_INTO_SHELL = 'Paste it into a Linux or macOS shell.';

export const palette = {
  field: 'Find a page, run or command',
  results: 'Found',
  none: 'Nothing found. Older runs are found by name, target or note.',
  groups: {
    recent: 'Recent',
    pages: 'Pages',
    commands: 'Commands',
    runs: 'Runs',
    series: 'Series',
    searches: 'Searches',
    presets: 'Questions',
  },
  calculator: (title: string) => `Calculate: ${title}`,
  theme: (theme: string) => `Appearance: ${theme}`,
  commands: {
    record: 'Record a journey',
    breakingPoint: 'Find the breaking point of a server',
    server: 'Characterize a server',
    versions: 'Compare two versions of a server',
    compareFiles: 'Compare result files',
    verify: 'Check a sealed file',
  },
};

export const sealed = {
  title: 'Sealed file',
  drop: 'Drop a sealed file here',
  story: 'Holdfast checks its signature and recomputes the verdict. Nothing is stored.',
  choose: 'Choose a file',
  chooseOther: 'Choose another file',
  waiting: 'the check',
  tooLarge: 'The file is larger than 5 MB.',
  smaller: 'Sealed files are smaller. Choose another file.',
  unreadable: 'The file cannot be read.',
  again: 'Choose it again.',
};

/** Texts of the comparison of files. */
export const comparedFiles = {
  choose: 'Choose result files',
  drop: 'Drop two result files here',
  story: 'Save them on the page of a result: Save, then “Full result as JSON”. Nothing is stored.',
  twice: 'Two files are of the same run.',
  twiceHint: 'Choose files of different runs.',
  noResult: (name: string) => `${name} is no result of Holdfast.`,
  noResultHint: 'Choose files that Holdfast saved as “Full result as JSON”.',
};

/** Texts of the step that runs a plan in a build. */
export const ciStep = {
  button: 'Copy the CI step',
  title: 'CI step',
  forge: 'Where builds run',
  forges: { github: 'GitHub Actions', gitlab: 'GitLab' },
  text: 'CI step',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Not copied.',
  refused: 'The browser refused to copy. Select the text and copy it by hand.',
  savePlan: 'Save the plan',
  plan: 'Save the plan as load/plan.yaml in your repository.',
  owner: 'Replace OWNER with the account from which you get Holdfast.',
  environment: {
    github: (names: readonly string[]) => `Add as secrets of the repository: ${joinNames(names)}.`,
    gitlab: (names: readonly string[]) => `Add as masked variables of the project: ${joinNames(names)}.`,
  },
  files: (names: readonly string[]) => `Add to the repository, with paths from its root: ${joinNames(names)}.`,
  entered: 'Replace secrets that you entered by { secret: env:NAME }. A build cannot ask for them.',
};

/** Texts of the menu that exports a plan for other tools. */
export const exports = {
  button: 'Export (CI, k6 …)',
  kinds: {
    k6: 'Export as k6 script',
    artillery: 'Export as Artillery script',
    curl: 'Export as curl commands',
    ab: 'Export as ab command',
  },
  titles: { k6: 'k6 script', artillery: 'Artillery script', curl: 'curl commands', ab: 'ab command (ApacheBench)' },
  refused: {
    k6: 'k6 cannot run this test.',
    artillery: 'Artillery cannot run this test.',
    curl: 'curl cannot send these requests.',
    ab: 'ab cannot run this test.',
  },
  text: 'Script',
  run: {
    k6: 'Save and run it: k6 run script.js',
    artillery: 'Save and run it: artillery run artillery.yaml',
    curl: PASTE_INTO_SHELL,
    ab: PASTE_INTO_SHELL,
  },
  environment: (names: readonly string[]) => `It contains no secrets. Set ${joinNames(names)} before you run it.`,
  feeds: (kind: string) => `It contains no rows of lists. On the command line, holdfast export ${kind} writes them next to it.`,
  beside: (name: string) => `Save ${name} as well`,
  notes: 'Differences from this test',
};
