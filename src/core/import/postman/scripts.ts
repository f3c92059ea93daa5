import type { Draft, WrittenStep } from '../draft.ts';
import { jsonPathOf } from '../patterns.ts';
import { at, listAt, textAt } from '../reading.ts';
import type { Values } from './values.ts';

type Capture = NonNullable<WrittenStep['captures']>[number];
type Check = NonNullable<WrittenStep['checks']>[number];

export interface ScriptFindings {
  readonly captures: Capture[];
  readonly checks: Check[];
  readonly expectStatus: number[];
  readonly budgetMs: number | null;
}

const MAX_LINE_LENGTH = 2_000;
/** Lines of a script without effect on the plan. */
const IGNORED_LINE =
  /^(\s*|[\s)};]*|\s*\/\/.*|\s*pm\.test\(.*|\s*(?:const|let|var)\s+\w+\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(responseBody\));?\s*|\s*console\.log\(.*)$/;

/** Reads test script lines in the forms that Postman suggests: captures and expectations. Never executes a script. */
export function readScripts(draft: Draft, values: Values, item: unknown, place: string): ScriptFindings {
  const found: ScriptFindings & { budgetMs: number | null } = { captures: [], checks: [], expectStatus: [], budgetMs: null };
  let budgetMs: number | null = null;
  for (const event of listAt(item, 'event')) {
    const listen = textAt(event, 'listen') ?? '';
    const lines = linesOf(event);
    if (lines.every((line) => IGNORED_LINE.test(line))) continue;
    if (listen !== 'test') {
      draft.leftOut(
        `${place}.event`,
        'A script runs before the request.',
        'Holdfast never runs code from an import. Replace what it sets with a variable, a feed or a capture.',
      );
      continue;
    }
    const roots = new Set(
      lines.flatMap(
        (line) => /(?:const|let|var)\s+(\w+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(responseBody\))/.exec(line)?.[1] ?? [],
      ),
    );
    let unread = 0;
    for (const line of lines) {
      if (IGNORED_LINE.test(line)) continue;
      const read = readLine(line, roots, values);
      if (read === null) unread += 1;
      else if ('budgetMs' in read) budgetMs = read.budgetMs;
      else if ('statuses' in read) found.expectStatus.push(...read.statuses);
      else if ('from' in read) found.captures.push(read);
      else found.checks.push(read);
    }
    if (unread > 0)
      draft.leftOut(
        `${place}.event`,
        `${unread === 1 ? 'One line of the test script was' : `${unread} lines of the test script were`} not understood.`,
        'Holdfast never runs code from an import. Replace them with checks and captures.',
      );
  }
  return { ...found, captures: found.captures.slice(0, 50), checks: found.checks.slice(0, 20), budgetMs };
}

function linesOf(event: unknown): string[] {
  const exec = at(event, 'script', 'exec');
  const lines = Array.isArray(exec)
    ? exec.flatMap((line) => (typeof line === 'string' ? [line] : []))
    : [textAt(event, 'script', 'exec') ?? ''];
  return lines.flatMap((line) => line.split('\n')).map((line) => line.slice(0, MAX_LINE_LENGTH).replace(/\r$/, ''));
}

type Read = Capture | Check | { statuses: number[] } | { budgetMs: number };

function readLine(line: string, roots: ReadonlySet<string>, values: Values): Read | null {
  const set = /(?:\.set|setEnvironmentVariable|setGlobalVariable)\(\s*["'`]([\w.-]{1,60})["'`]\s*,\s*([^;]*?)\)\s*;?\s*$/.exec(line);
  if (set !== null) return captureOf(set[1] ?? '', (set[2] ?? '').trim(), roots, values);
  const status =
    /to\.have\.status\(\s*(\d{3})\s*\)|responseCode\.code\s*===?\s*(\d{3})|response\.code\)\.to\.(?:eql|equal|be\.equal)\(\s*(\d{3})\s*\)/.exec(
      line,
    );
  if (status !== null) return statusesOf([status[1] ?? status[2] ?? status[3] ?? '']);
  const several = /response\.code\)\.to\.be\.oneOf\(\s*\[([\d,\s]{1,200})\]/.exec(line);
  if (several !== null) return statusesOf((several[1] ?? '').split(','));
  const time = /responseTime\)\.to\.be\.(?:below|lessThan)\(\s*(\d{1,7})\s*\)/.exec(line);
  if (time !== null && Number(time[1]) > 0) return { budgetMs: Math.min(3_600_000, Number(time[1])) };
  const text =
    /response\.text\(\)\)\.to\.include\(\s*"([^"]{1,1000})"|response\.text\(\)\)\.to\.include\(\s*'([^']{1,1000})'|to\.have\.body\("([^"]{1,1000})"/.exec(
      line,
    );
  if (text !== null) return { kind: 'contains', text: text[1] ?? text[2] ?? text[3] ?? '' };
  const equal =
    /pm\.expect\(\s*([\w.()[\]]{1,200})\)\.to\.(?:eql|equal|be\.equal)\(\s*(?:"([^"]{0,1000})"|'([^']{0,1000})'|(true|false|-?\d{1,15}))\s*\)/.exec(
      line,
    );
  const path = equal === null ? null : pathOf(equal[1] ?? '', roots);
  if (equal === null || path === null) return null;
  const bare = equal[4];
  return {
    kind: 'json',
    path,
    equals: bare === undefined ? (equal[2] ?? equal[3] ?? '') : bare === 'true' || bare === 'false' ? bare === 'true' : Number(bare),
  };
}

function statusesOf(texts: readonly string[]): { statuses: number[] } {
  return { statuses: texts.map(Number).filter((status) => status >= 100 && status <= 599) };
}

function captureOf(name: string, expression: string, roots: ReadonlySet<string>, values: Values): Capture | null {
  const header = /^pm\.response\.headers\.get\(\s*["'`]([\w-]{1,100})["'`]\s*\)$/.exec(expression)?.[1];
  if (header !== undefined) return { from: 'header', as: values.capture(name), name: header };
  const cookie = /^pm\.cookies\.get\(\s*["'`]([\w.-]{1,100})["'`]\s*\)$/.exec(expression)?.[1];
  if (cookie !== undefined) return { from: 'cookie', as: values.capture(name), name: cookie };
  const path = pathOf(expression, roots);
  return path === null ? null : { from: 'json', as: values.capture(name), path };
}

/** Returns the path of `jsonData.data.id` or `pm.response.json().token`; null for any other expression. */
function pathOf(expression: string, roots: ReadonlySet<string>): string | null {
  const whole = /^(pm\.response\.json\(\)|JSON\.parse\(responseBody\)|\w+)((?:[.[][\w$."'[\]-]*)?)$/.exec(expression.slice(0, 300));
  if (whole === null) return null;
  const root = whole[1] ?? '';
  return root.includes('(') || roots.has(root) ? jsonPathOf(`$${(whole[2] ?? '').replaceAll('?.', '.')}`) : null;
}
