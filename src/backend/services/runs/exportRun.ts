import type { CallInput, CallOutput } from '#contract/api.ts';
import { formatAb } from '#core/report/abFormat.ts';
import { formatCsv } from '#core/report/csvFormat.ts';
import { formatJmeter } from '#core/report/jmeterFormat.ts';
import type { RunResult } from '#core/report/result.ts';
import { formatText } from '#core/report/textFormat.ts';

type Format = CallInput<'runs.export'>['format'];

/** The result as a file that can be saved under `fileName`. */
export function exportRun(result: RunResult, format: Format): CallOutput<'runs.export'> {
  const base = `holdfast-${fileSafe(result.run.name)}-${result.run.id}`;
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'csv':
      return { fileName: `${base}.csv`, mediaType: 'text/csv', content: formatCsv(result) };
    case 'ab':
      return { fileName: `${base}-ab.txt`, mediaType: 'text/plain', content: formatAb(result) };
    case 'jmeter':
      return { fileName: `${base}-jmeter.txt`, mediaType: 'text/plain', content: formatJmeter(result) };
    case 'text':
      return { fileName: `${base}.txt`, mediaType: 'text/plain', content: formatText(result) };
    default:
      return format satisfies never;
  }
}

/** Letters and digits of any script joined by dashes: a name that every file system takes. */
export function fileSafe(name: string): string {
  const safe = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'run' : safe;
}
