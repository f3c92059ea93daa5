import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import {
  checkStyle,
  passagesOfCode,
  passagesOfComments,
  passagesOfMarkdown,
  passagesOfPreset,
  problemsOfKeys,
  problemsOfNames,
} from './style.ts';
import { allCode, productCode, type Source } from './texts.ts';

const root = resolve(import.meta.dirname, '..', '..');
/** Maximum median of words per sentence. */
const MEDIAN_WORDS = 14;

function medianOf(sorted: readonly number[]): number {
  return sorted.toSorted((one, other) => one - other)[sorted.length >> 1] ?? 0;
}

async function read(folder: string, names: readonly string[]): Promise<Source[]> {
  return Promise.all(names.map(async (name) => ({ path: join(folder, name), text: await readFile(join(root, folder, name), 'utf8') })));
}

async function getFiles(folder: string, ending: string): Promise<Source[]> {
  return read(folder, (await readdir(join(root, folder))).filter((name) => name.endsWith(ending) && name !== 'style.md').toSorted());
}

it('the product follows docs/style.md', { timeout: 60_000 }, async () => {
  const report = checkStyle((await productCode(root)).flatMap(passagesOfCode));
  expect(report.problems).toEqual([]);
  expect(medianOf(report.sentenceWords)).toBeLessThanOrEqual(MEDIAN_WORDS);
});

it('comments and test titles follow docs/style.md', { timeout: 120_000 }, async () => {
  const code = await allCode(root, ['src', 'workers', 'electron', 'tools', 'bench', 'e2e']);
  const report = checkStyle(code.flatMap(passagesOfComments), 'code');
  expect(report.problems).toEqual([]);
  expect(medianOf(report.sentenceWords)).toBeLessThanOrEqual(MEDIAN_WORDS);
});

it('names in code, plans and results follow the terms of docs/style.md', { timeout: 60_000 }, async () => {
  const code = await allCode(root, ['src', 'workers', 'electron', 'tools', 'bench', 'e2e']);
  expect(code.flatMap(problemsOfNames)).toEqual([]);
  expect((await getFiles('presets', '.yaml')).flatMap(problemsOfKeys)).toEqual([]);
});

it('the check of names finds forbidden words and functions whose “Of” has no noun before it', () => {
  const text = 'const SICK_SHARE = 1;\nconst { ledger } = {};\nfunction sizeOf() {}\nconst boughtOf = () => SICK_SHARE;\n';
  expect(problemsOfNames({ path: 'src/core/answers.ts', text })).toEqual([
    'src/core/answers.ts: src/core/answers.ts (better: response, reply, conclusion)',
    'src/core/answers.ts:1: SICK_SHARE (better: overloaded, overload)',
    'src/core/answers.ts:2: ledger (better: outcomes)',
    'src/core/answers.ts:4: boughtOf (better: a verb first)',
  ]);
  expect(problemsOfNames({ path: 'src/core/presets/answers.ts', text: 'const answers = 1;' })).toEqual([]);
  expect(problemsOfKeys({ path: 'presets/one.yaml', text: 'tests:\n  - objectives: []\n' })).toEqual([
    'presets/one.yaml:2: objectives (better: criterion, criteria)',
  ]);
});

it('bounds are named MAX_ or MIN_', { timeout: 60_000 }, async () => {
  const names = /\b(?:MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|DEEPEST)_[A-Z]\w*/g;
  const code = await allCode(root, ['src', 'workers', 'electron', 'bench', 'e2e']);
  expect(code.flatMap(({ path, text }) => (text.match(names) ?? []).map((name) => `${path}: ${name}`))).toEqual([]);
});

it('the check of comments and test titles finds violations, and ignores code in backticks', () => {
  const text =
    "/** Is told of `answers`. */\n// A load\n// that goes on.\nit('reports what was answered', () => {});\nit('says “told”', () => {});\n";
  const { problems } = checkStyle(passagesOfComments({ path: 'one.test.ts', text }), 'code');
  expect(problems.map((problem) => problem.split(' (')[0])).toEqual([
    'one.test.ts:1: “told”',
    'one.test.ts:2: “goes”',
    'one.test.ts:4: “answered”',
  ]);
});

it('documents and presets follow docs/style.md', async () => {
  const documents = [...(await read('.', ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'])), ...(await getFiles('docs', '.md'))];
  const report = checkStyle([...documents.flatMap(passagesOfMarkdown), ...(await getFiles('presets', '.yaml')).flatMap(passagesOfPreset)]);
  expect(report.problems).toEqual([]);
  expect(medianOf(report.sentenceWords)).toBeLessThanOrEqual(MEDIAN_WORDS);
});

it('the check of style finds violations in code, Markdown and presets, and ignores quotations, code and short names', () => {
  const code = {
    path: 'one.ts',
    text: "const a = 'The server answers late.';\nconst b = 'yet';\nconst c = 'It says “nothing yet” here.';\nconst d = `There is no run ${JSON.stringify(id)}.`;",
  };
  const page = {
    path: 'two.md',
    text: '# A title\n\nIt holds `so that` here,\nso that it breaks.\n\n```sh\nso that nothing\n```\n\n| cell | it is told |\n',
  };
  const preset = { path: 'three.yaml', text: 'title: Shall it be going?\nname: shall\n' };
  const { problems } = checkStyle([...passagesOfCode(code), ...passagesOfMarkdown(page), ...passagesOfPreset(preset)]);
  expect(problems.map((problem) => problem.split(' (')[0])).toEqual([
    'one.ts:1: “answers”',
    'one.ts:4: “"…"”',
    'two.md:3: “so that”',
    'two.md:10: “told”',
    'three.yaml:1: “going”',
    'three.yaml:1: “Shall”',
  ]);
});

it('the check of sentences counts the words of each sentence, and names long ones', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
  const { problems, sentenceWords } = checkStyle([{ location: 'here:1', text: `${words(30)}. ${words(31)}. ${words(3)}` }]);
  expect(sentenceWords).toEqual([30, 31, 3]);
  expect(problems).toEqual([`here:1: 31 words in a sentence, at most 30: ${words(31)}.`]);
});
