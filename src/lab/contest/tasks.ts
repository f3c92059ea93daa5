/**
 * The languages that a contest offers, in the order of the submission form, with their file extensions. If the map is empty, any file is
 * accepted.
 */
export type Languages = ReadonlyMap<string, readonly string[]>;

/** Languages by their name in the practice server's option. */
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

/** The kinds of solution, by their value in the practice server's option. */
export const TASK_FILES = {
  one: 'one program in a file',
  kinds: 'by task: one file, two files in one language, or the outputs of a program',
} as const;

const NAMES_BY_KIND: ReadonlyMap<string, readonly string[]> = new Map([
  ['lanterns', ['first.%l', 'second.%l']],
  ['harbour', ['output_000.txt', 'output_001.txt']],
]);

/** Returns the form fields for a solution's files. A name that ends in `.%l` is for a program. */
export type TaskFiles = (task: Task) => readonly string[];

/** Returns the file names for a kind of solution. `option` is a key of {@link TASK_FILES}. */
export function taskFiles(option: string): TaskFiles {
  return ({ name }) => (option === 'kinds' ? NAMES_BY_KIND.get(name) : undefined) ?? [`${name}.%l`];
}

const isProgram = (field: string): boolean => field.endsWith('.%l');

/** Returns the reason why a solution is refused, in the words of CMS; null if all its files are present and its language is clear. */
export function formatProblem(
  languages: Languages,
  files: readonly { readonly field: string; readonly fileName: string | null }[],
  language: string,
): string | null {
  const programs = files.filter(({ field }) => isProgram(field));
  // A task without a program allows no language.
  if (files.some(({ fileName }) => fileName === null) || (programs.length === 0 && language !== '')) return WRONG_FILES;
  if (languages.size === 0 || programs.length === 0) return null;
  const matching = [...languages]
    .filter(([, endings]) => programs.every(({ fileName }) => endings.some((ending) => fileName?.endsWith(ending))))
    .map(([name]) => name);
  const isKnown = language === '' ? matching.length > 0 : matching.includes(language);
  if (!isKnown) return WRONG_FILES;
  return language !== '' || matching.length === 1 ? null : 'There is more than one language that matches all the files.';
}

const WRONG_FILES = 'Please select the correct files.';

/**
 * Returns the part of a task's form that is about languages: the extensions for the page's script, and a selection list if the task takes
 * programs.
 */
export function languageFields(languages: Languages, files: readonly string[]): string {
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
${files.some(isProgram) ? `<select name="language">\n${options.join('\n')}\n</select>\n` : ''}`;
}

const PAGE = { widthPoints: 595, heightPoints: 842, marginPoints: 56, lineHeightPoints: 18, fontSizePoints: 12 };

/** Builds a PDF of one A4 page that shows these lines (ISO 8859-1 only) in Helvetica. */
function buildPdf(lines: readonly string[]): Buffer {
  const shownText = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const top = PAGE.heightPoints - PAGE.marginPoints;
  const content = `BT\n/F1 ${PAGE.fontSizePoints} Tf\n${PAGE.lineHeightPoints} TL\n${PAGE.marginPoints} ${top} Td\n${shownText}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.widthPoints} ${PAGE.heightPoints}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const tableOffset = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

export interface Task {
  readonly name: string;
  readonly title: string;
  /** Paragraphs of the statement. */
  readonly statement: readonly string[];
  readonly timeLimitSeconds: number;
  readonly memoryLimitMebibytes: number;
  readonly pdf: Buffer;
}

function task(name: string, title: string, timeLimitSeconds: number, statement: readonly string[]): Task {
  const lines = [title, '', ...statement.flatMap((paragraph) => [...wrap(paragraph, 80), ''])];
  return { name, title, statement, timeLimitSeconds, memoryLimitMebibytes: 256, pdf: buildPdf(lines) };
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export const TASKS: readonly Task[] = [
  task('coprobber', 'Coprobber', 1.5, [
    'A town has N corners, joined by streets. An officer and a thief take turns: each walks along one street to a neighbouring corner or waits.',
    'The officer chooses her corner first, the thief sees it and chooses his. He is caught when both stand on the same corner.',
    'Decide whether the officer can always catch the thief, and if she can, play her part against any thief.',
  ]),
  task('lanterns', 'Lanterns', 1, [
    'Along a mountain path stand N lanterns at known heights. The lantern at i lights the part of the path from A to B while you stand between them.',
    'You start at one of the lanterns with nothing and may buy any lantern within your reach for its price.',
    'For each lantern, find the least you have to spend to light the whole path.',
  ]),
  task('harbour', 'Harbour', 2, [
    'Ships arrive at a harbour with M berths. Each ship names the day on which it comes, the day on which it leaves and how many berths it takes.',
    'The harbour master may turn ships away, but never one that has moored.',
    'Choose the ships that together use as many berth-days as possible.',
  ]),
];
