import type { Draft, WrittenStep } from '../draft.ts';
import { readJsonPath } from '../placeholders.ts';
import { blocksAt, listAt, textAt } from '../reading.ts';
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
const PARSED_BODY_PATTERN = String.raw`(?:pm\.response\.json\(\)|JSON\.parse\(responseBody\))`;
const BODY_VARIABLE_PATTERN = new RegExp(String.raw`(?:const|let|var)\s+(\w+)\s*=\s*${PARSED_BODY_PATTERN}`);
/** Matches script lines without effect on the plan. */
const IGNORED_LINE_PATTERN = new RegExp(
  String.raw`^(\s*|[\s)};]*|\s*\/\/.*|\s*pm\.test\(.*[{,>(]|\s*(?:const|let|var)\s+\w+\s*=\s*${PARSED_BODY_PATTERN};?\s*|\s*console\.log\(.*)$`,
);

/** Reads test script lines in the forms that Postman suggests: captures and expectations. Never executes a script. */
export function readScripts(draft: Draft, values: Values, item: unknown, location: string): ScriptFindings {
  const captures: Capture[] = [];
  const checks: Check[] = [];
  const expectStatus: number[] = [];
  let budgetMs: number | null = null;
  const leaveOut = (what: string, instead: string): void =>
    draft.noteLeftOut(`${location}.event`, what, `Holdfast never runs code from an import. Replace ${instead}.`);
  for (const event of listAt(item, 'event')) {
    const lines = linesOf(event).filter((line) => !IGNORED_LINE_PATTERN.test(line));
    if (lines.length === 0) continue;
    if (textAt(event, 'listen') !== 'test') {
      leaveOut('A script runs before the request.', 'what it sets with a variable, a feed or a capture');
      continue;
    }
    const roots = new Set(linesOf(event).flatMap((line) => BODY_VARIABLE_PATTERN.exec(line)?.[1] ?? []));
    let unread = 0;
    for (const line of lines) {
      const read = readLine(line, roots, values);
      if (read === null) unread += 1;
      else if ('budgetMs' in read) budgetMs = read.budgetMs;
      else if ('statuses' in read) expectStatus.push(...read.statuses.filter((status) => status >= 100 && status <= 599));
      else if ('from' in read) captures.push(read);
      else checks.push(read);
    }
    const what = unread === 1 ? 'One line of the test script was' : `${unread} lines of the test script were`;
    if (unread > 0) leaveOut(`${what} not understood.`, 'them with checks and captures');
  }
  return { expectStatus, checks: checks.slice(0, 20), captures: captures.slice(0, 50), budgetMs };
}

function linesOf(event: unknown): string[] {
  return blocksAt(event, 'script', 'exec')
    .flatMap((line) =>
      typeof line === 'string' ? line.split(/\n|(?<=;)[ \t]+(?=(?:pm|client|console)\.|tests\[|(?:const|let|var)\s)/) : [],
    )
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trimEnd());
}

type ScriptCheck = Capture | Check | { statuses: number[] } | { budgetMs: number };

const SET_VALUE_PATTERN = /(?:\.set|setEnvironmentVariable|setGlobalVariable)\(\s*["'`]([\w.-]{1,60})["'`]\s*,\s*([^;]*?)\)\s*;?\s*$/;
const STATUS_PATTERN =
  /to\.have\.status\(\s*(\d{3})\s*\)|responseCode\.code\s*===?\s*(\d{3})|response\.code\)\.to\.(?:eql|equal|be\.equal)\(\s*(\d{3})\s*\)/;
const STATUS_LIST_PATTERN = /response\.code\)\.to\.be\.oneOf\(\s*\[([\d,\s]{1,200})\]/;
const RESPONSE_TIME_PATTERN = /responseTime\)\.to\.be\.(?:below|lessThan)\(\s*(\d{1,7})\s*\)/;
const BODY_TEXT_PATTERN =
  /response\.text\(\)\)\.to\.include\(\s*"([^"]{1,1000})"|response\.text\(\)\)\.to\.include\(\s*'([^']{1,1000})'|to\.have\.body\("([^"]{1,1000})"/;
const EQUAL_VALUE_PATTERN =
  /pm\.expect\(\s*([\w.()[\]]{1,200})\)\.to\.(?:eql|equal|be\.equal)\(\s*(?:"([^"]{0,1000})"|'([^']{0,1000})'|(true|false|-?\d{1,15}))\s*\)/;

function readLine(line: string, roots: ReadonlySet<string>, values: Values): ScriptCheck | null {
  /** Returns the groups of a pattern that match; null if the line does not match the pattern. */
  const matchGroups = (pattern: RegExp): string[] | null =>
    pattern
      .exec(line)
      ?.slice(1)
      .filter((group) => group !== undefined) ?? null;
  const set = matchGroups(SET_VALUE_PATTERN);
  if (set !== null) return parseCapture(set[0] ?? '', (set[1] ?? '').trim(), roots, values);
  const statuses = matchGroups(STATUS_PATTERN) ?? matchGroups(STATUS_LIST_PATTERN)?.[0]?.split(',');
  if (statuses !== undefined) return { statuses: statuses.map(Number) };
  const mostMs = Number(matchGroups(RESPONSE_TIME_PATTERN)?.[0] ?? 0);
  if (mostMs > 0) return { budgetMs: Math.min(3_600_000, mostMs) };
  const [text] = matchGroups(BODY_TEXT_PATTERN) ?? [];
  if (text !== undefined) return { kind: 'contains', text };
  const [, expression = '', double, single, bare] = EQUAL_VALUE_PATTERN.exec(line) ?? [];
  const path = pathOf(expression, roots);
  if (path === null) return null;
  const literal = bare === 'true' || bare === 'false' ? bare === 'true' : Number(bare);
  return { kind: 'json', path, equals: double ?? single ?? literal };
}

function parseCapture(name: string, expression: string, roots: ReadonlySet<string>, values: Values): Capture | null {
  const [, header] = /^pm\.response\.headers\.get\(\s*["'`]([\w-]{1,100})["'`]\s*\)$/.exec(expression) ?? [];
  if (header !== undefined) return { from: 'header', as: values.capture(name), name: header };
  const [, cookie] = /^pm\.cookies\.get\(\s*["'`]([\w.-]{1,100})["'`]\s*\)$/.exec(expression) ?? [];
  if (cookie !== undefined) return { from: 'cookie', as: values.capture(name), name: cookie };
  const path = pathOf(expression, roots);
  return path === null ? null : { from: 'json', as: values.capture(name), path };
}

/** Returns the path of `jsonData.data.id` or `pm.response.json().token`; null for any other expression. */
function pathOf(expression: string, roots: ReadonlySet<string>): string | null {
  const [, root = '', path = ''] =
    /^(pm\.response\.json\(\)|JSON\.parse\(responseBody\)|\w+)((?:[.[][\w$."'[\]-]*)?)$/.exec(expression.slice(0, 300)) ?? [];
  return root.includes('(') || roots.has(root) ? readJsonPath(`$${path}`) : null;
}
