import { inARow } from '#core/plan/hosts/places.ts';

/** Words of the button that writes a plan as other tools are told it. */
export const exports = {
  button: 'Repeat elsewhere',
  kinds: {
    k6: 'As a script of k6',
    artillery: 'As a script of Artillery',
    curl: 'As commands of curl',
    ab: 'As a command of ab',
  },
  titles: {
    k6: 'The same test in k6',
    artillery: 'The same test in Artillery',
    curl: 'Its requests by curl',
    ab: 'The same test by ab (ApacheBench)',
  },
  refused: {
    k6: 'k6 cannot run this test.',
    artillery: 'Artillery cannot run this test.',
    curl: 'curl cannot send these requests.',
    ab: 'ab cannot run this test.',
  },
  text: 'What to run',
  run: {
    k6: 'Save it, and run it: k6 run script.js',
    artillery: 'Save it, and run it: artillery run artillery.yaml',
    curl: 'Paste it into a shell of Linux or macOS.',
    ab: 'Paste it into a shell of Linux or macOS.',
  },
  environment: (names: readonly string[]) => `Secrets are not in it. Before you run it, set ${inARow(names)}.`,
  feeds: (kind: string) => `Rows of lists are not in it. On the command line, holdfast export ${kind} writes them beside it.`,
  beside: (name: string) => `Save ${name}, too`,
  notes: 'What is otherwise than here',
  saved: (fileName: string) => `${fileName} was saved.`,
};
