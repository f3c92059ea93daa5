import { countGroups } from '#core/work/journey/capturedTexts.ts';
import type { Draft, WrittenStep } from '../draft.ts';
import { readCapturePath, readJsonPath, findPatternProblem } from '../placeholders.ts';
import { type Element, isTrue, members, numberOf, textOf } from './element.ts';
import type { Values } from './values.ts';
import { FIRST_GROUP_NOTE, noteWholeBody, describeSeveralPlaces, SINGLE_LOCATION_NOTE, noteUnreadExpression } from '../notes.ts';

type Capture = NonNullable<WrittenStep['captures']>[number];
type Check = NonNullable<WrittenStep['checks']>[number];

/** Extractors and assertions of a sampler, as fields of a step. */
export interface Responses {
  readonly captures: Capture[];
  readonly checks: Check[];
  expectStatus: number[];
  budgetMs: number | null;
}

type Reader = (draft: Draft, values: Values, element: Element, responses: Responses, location: string) => void;

/** Reads an extractor or an assertion into `responses`; returns false for any other element. */
export function readResponse(draft: Draft, values: Values, element: Element, responses: Responses, location: string): boolean {
  const read = READERS.get(element.kind);
  read?.(draft, values, element, responses, location);
  return read !== undefined;
}

function readBoundaryExtractor(draft: Draft, values: Values, element: Element, responses: Responses, location: string): void {
  const which = readWhich(textOf(element.xml, 'BoundaryExtractor.match_number'));
  const [after, before] = [textOf(element.xml, 'BoundaryExtractor.lboundary'), textOf(element.xml, 'BoundaryExtractor.rboundary')];
  if (after === '' || before === '' || after.length > 1_000 || before.length > 1_000)
    draft.noteLeftOut(location, 'A boundary of the extractor is empty or too long.');
  else
    responses.captures.push({
      from: 'between',
      as: values.captured(textOf(element.xml, 'BoundaryExtractor.refname')),
      after,
      before,
      ...which,
    });
}

function readJsonAssertion(draft: Draft, values: Values, element: Element, responses: Responses, location: string): void {
  const path = readJsonPath(textOf(element.xml, 'JSON_PATH'));
  if (path === null) draft.noteLeftOut(location, describeSeveralPlaces(textOf(element.xml, 'JSON_PATH')));
  else
    responses.checks.push({
      kind: 'json',
      path,
      ...(isTrue(element.xml, 'JSONVALIDATION') ? { equals: values.write(textOf(element.xml, 'EXPECTED_VALUE').slice(0, 10_000)) } : {}),
      ...(isTrue(element.xml, 'INVERT') ? { not: true } : {}),
    });
  if (path !== null && isTrue(element.xml, 'ISREGEX'))
    draft.noteChanged(location, 'It compares the value with a regular expression.', 'The plan compares it as plain text.');
}

function readDuration(draft: Draft, values: Values, element: Element, responses: Responses, location: string): void {
  const limit = numberOf(values.plain(textOf(element.xml, 'DurationAssertion.duration')));
  if (limit === null || limit <= 0) draft.noteLeftOut(location, 'The time limit is invalid.');
  else {
    responses.budgetMs = Math.min(3_600_000, limit);
    draft.noteChanged(
      location,
      'A slower response is a failure.',
      'The plan judges the percentage of responses within this time (budgetMs).',
    );
  }
}

function readSize(draft: Draft, _values: Values, element: Element, responses: Responses, location: string): void {
  const size = numberOf(textOf(element.xml, 'SizeAssertion.size'));
  const operator = textOf(element.xml, 'SizeAssertion.operator').trim();
  const whole = size !== null && Number.isInteger(size) && size >= 0 ? size : null;
  const check: Check | null =
    whole === null
      ? null
      : operator === '1'
        ? { kind: 'size', minBytes: whole, maxBytes: whole }
        : operator === '3' || operator === '5'
          ? { kind: 'size', minBytes: operator === '3' ? whole + 1 : whole }
          : operator === '4' || operator === '6'
            ? { kind: 'size', maxBytes: operator === '4' ? Math.max(0, whole - 1) : whole }
            : null;
  if (check === null) draft.noteLeftOut(location, 'This size comparison has no equivalent.');
  else {
    responses.checks.push(check);
    draft.noteChanged(location, 'JMeter can include headers in the size.', 'The plan checks the body size.');
  }
}

function readWhich(number: string): { which?: 'all' | 'random' } {
  const match = numberOf(number);
  if (match === -1) return { which: 'all' };
  return match === 0 ? { which: 'random' } : {};
}

function noteMatch(draft: Draft, number: string, location: string): void {
  const match = numberOf(number);
  if (match !== null && match > 1) draft.noteChanged(location, `Of several matches it uses number ${match}.`, 'The plan uses the first.');
}

/** Splits leading flags such as `(?s)` from a Java pattern. */
function splitFlags(pattern: string): { pattern: string; flags: string } {
  const [whole = '', flags = ''] = /^\(\?([imsux]{1,5})\)/.exec(pattern) ?? [];
  return { pattern: pattern.slice(whole.length), flags: [...new Set(flags)].filter((flag) => 'ims'.includes(flag)).join('') };
}

function readRegexExtractor(draft: Draft, values: Values, { xml }: Element, responses: Responses, location: string): void {
  const { pattern, flags } = splitFlags(textOf(xml, 'RegexExtractor.regex'));
  const problem = findPatternProblem(pattern, flags);
  if (problem !== null) return draft.noteLeftOut(location, noteUnreadExpression(problem));
  const name = textOf(xml, 'RegexExtractor.refname');
  const field = textOf(xml, 'RegexExtractor.useHeaders').trim();
  if (field === 'true') {
    const [, header, rest] = /^([\w-]{1,100}):\s*(.*)$/s.exec(pattern) ?? [];
    if (header === undefined || rest === undefined || rest === '')
      return draft.noteLeftOut(
        location,
        'A regular expression searches all response headers.',
        'Add a capture from one header by its name.',
      );
    responses.captures.push({ from: 'header', as: values.captured(name), name: header, pattern: rest });
    return;
  }
  if (field !== '' && field !== 'false' && field !== 'unescaped' && field !== 'as_document')
    return draft.noteLeftOut(location, `The extractor reads “${field.slice(0, 40)}”.`, 'Captures read bodies, headers and cookies.');
  const group = /^\$(\d)\$$/.exec(textOf(xml, 'RegexExtractor.template').trim())?.[1];
  if (group === undefined && textOf(xml, 'RegexExtractor.template').trim() !== '')
    draft.noteChanged(location, 'The template combines several groups.', FIRST_GROUP_NOTE);
  noteMatch(draft, textOf(xml, 'RegexExtractor.match_number'), location);
  const groups = countGroups(pattern, flags);
  const chosen = Number(group ?? Math.min(1, groups));
  responses.captures.push({
    from: 'body',
    as: values.captured(name),
    pattern,
    ...(flags === '' ? {} : { flags }),
    ...(chosen <= groups && chosen !== Math.min(1, groups) ? { group: chosen } : {}),
    ...readWhich(textOf(xml, 'RegexExtractor.match_number')),
    ...(field === 'unescaped' ? { html: true } : {}),
  });
}

function readJsonExtractor(draft: Draft, values: Values, { xml, kind }: Element, responses: Responses, location: string): void {
  const own = kind === 'JMESPathExtractor' ? 'JMESExtractor' : 'JSONPostProcessor';
  const names = textOf(xml, `${own}.${own === 'JMESExtractor' ? 'referenceName' : 'referenceNames'}`).split(';');
  const paths = textOf(xml, `${own}.${own === 'JMESExtractor' ? 'jmesPathExpr' : 'jsonPathExprs'}`).split(';');
  const numbers = textOf(xml, `${own}.${own === 'JMESExtractor' ? 'matchNumber' : 'match_numbers'}`).split(';');
  for (const [index, written] of paths.entries()) {
    const name = names[index] ?? '';
    const which = readWhich(numbers[index] ?? '');
    const read = readCapturePath(written);
    noteMatch(draft, numbers[index] ?? '', location);
    if (read !== null && !read.isList) responses.captures.push({ from: 'json', as: values.captured(name), path: read.path, ...which });
    else if (read !== null)
      responses.captures.push({ from: 'json', as: values.captured(name), path: read.path, which: which.which ?? 'first' });
    else
      draft.noteLeftOut(location, `The path ${written.slice(0, 80)} can match several places, or compares values.`, SINGLE_LOCATION_NOTE);
  }
}

function readResponseAssertion(draft: Draft, values: Values, { xml }: Element, responses: Responses, location: string): void {
  // “Asserion” is JMeter’s own spelling.
  const listed = [...members(xml, 'Asserion.test_strings'), ...members(xml, 'Assertion.test_strings')].map((one) => one.text);
  const field = textOf(xml, 'Assertion.test_field').trim();
  const type = numberOf(textOf(xml, 'Assertion.test_type')) ?? 16;
  const isNot = (type & 4) !== 0;
  if ((type & 32) !== 0 && listed.length > 1) draft.noteChanged(location, 'It needs one of several texts.', 'The plan needs all of them.');
  if (field === 'Assertion.response_code') {
    const codes = listed.map(Number).filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
    if (codes.length === 0 || isNot) return draft.noteLeftOut(location, 'It compares the response status with a pattern, or excludes one.');
    responses.expectStatus = [...new Set([...responses.expectStatus, ...codes])].slice(0, 50);
    return;
  }
  if (field !== 'Assertion.response_data' && field !== 'Assertion.response_data_as_document' && field !== '')
    return draft.noteLeftOut(
      location,
      `The assertion tests ${field.replace('Assertion.', '').replaceAll('_', ' ').slice(0, 60)}.`,
      'Checks test bodies and statuses.',
    );
  for (const text of listed) {
    if (text === '' || text.length > 10_000) continue;
    if ((type & 16) !== 0) responses.checks.push({ kind: 'contains', text: values.write(text), ...(isNot ? { not: true } : {}) });
    else if ((type & 8) !== 0) {
      responses.checks.push({ kind: 'contains', text: values.write(text), ...(isNot ? { not: true } : {}) });
      noteWholeBody(draft, location);
    } else {
      const { pattern, flags } = splitFlags((type & 1) !== 0 ? `^(?:${text})$` : text);
      const problem = findPatternProblem(pattern, flags);
      if (problem === null)
        responses.checks.push({ kind: 'matches', pattern, ...(flags === '' ? {} : { flags }), ...(isNot ? { not: true } : {}) });
      else draft.noteLeftOut(location, `The pattern of the assertion is invalid: ${problem}.`);
    }
  }
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['RegexExtractor', readRegexExtractor],
  ['JSONPostProcessor', readJsonExtractor],
  ['JMESPathExtractor', readJsonExtractor],
  ['BoundaryExtractor', readBoundaryExtractor],
  ['ResponseAssertion', readResponseAssertion],
  ['JSONPathAssertion', readJsonAssertion],
  ['DurationAssertion', readDuration],
  ['SizeAssertion', readSize],
]);
