import { hostSchema } from '#core/plan/schema/url.ts';
import { asHost } from '#core/review/asks/fields.ts';
import { MultiTextSearch } from '#core/base/manyTexts.ts';
import { Passwords } from '#backend/browser/passwords.ts';
import { resolverRules } from '#backend/visits/browser.ts';
import { PatternCost } from '#workers/bodyCheck/patternCost.ts';
import { assertPromise, type Subject } from '../subject.ts';

const MIN_JUDGED_STEPS = 2_000_000;
/** Maximum CPU time in ms of a search with MIN_JUDGED_STEPS steps, which is 50 times the usual time. */
const MIN_JUDGED_MS = 500;

/** Splits an input into its first line and the rest. */
function splitFirstLine(input: string): readonly [first: string, rest: string] {
  const end = input.indexOf('\n');
  return end < 0 ? [input, ''] : [input.slice(0, end), input.slice(end + 1)];
}

function compilePattern(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'g');
  } catch {
    return null;
  }
}

/** Subjects in which two things must agree: two parsers for the same input, or a parser and the limit that it promises. */
export const AGREEMENTS: readonly Subject[] = [
  {
    name: 'cost of a pattern',
    seeds: [
      'token=([^;]*);\ntoken=token=a17;',
      'csrf.*?value="([^"]*)"\ncsrf value="1"',
      '(a|aa)+$\naaaaaaaa!',
      '<input(?=[^>]{0,2000}\\sname=x)[^>]{0,2000}\\svalue=(\\d+)\n<input name=x value=5>',
      '^(\\w+\\s?)*$\nab ab ab!',
    ],
    tokens: [
      '(',
      ')',
      '(?:',
      '(?=',
      '*',
      '+',
      '?',
      '{2,9}',
      '{0,2000}',
      '.',
      '[^"]',
      '\\w',
      '\\s',
      '|',
      '^',
      '$',
      'a',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '\n',
    ],
    inputs: 200_000,
    longest: 4_000,
    // Matching may take MIN_JUDGED_STEPS steps (two million) even if the input is short.
    msPerMb: 1_000_000,
    read(input) {
      const [source, text] = splitFirstLine(input);
      const pattern = compilePattern(source);
      const cost = new PatternCost(source, '').of(text, MIN_JUDGED_STEPS);
      if (pattern === null || cost > MIN_JUDGED_STEPS) return cost;
      const before = process.threadCpuUsage();
      const found = [...text.matchAll(pattern)].length;
      const { user, system } = process.threadCpuUsage(before);
      assertPromise((user + system) / 1_000 < MIN_JUDGED_MS, `a search that is free takes ${(user + system) / 1_000} ms`);
      return found;
    },
  },
  {
    name: 'passwords of a recording',
    seeds: ['hunter-22\npassword=hunter-22&a=b', 'p&ss "w"\n{"password":"p&ss \\"w\\""} p%26ss%20%22w%22'],
    tokens: ['=', '&', '"', ':', '%20', '+', 'password=', '\r\n\r\n', 'name="x"'],
    inputs: 200_000,
    // All encodings of the password, and their placeholders, stay in memory.
    fixedBytes: 400_000,
    read(input) {
      const [password, text] = splitFirstLine(input);
      const passwords = new Passwords();
      passwords.learn({ password, userName: 'u', userField: 'user', passwordField: 'pw' });
      const clean = passwords.cleanSent(text);
      if (password.length >= 4 && password.toLowerCase() !== 'u' && !'{{holdfast-password-1}}'.includes(password))
        assertPromise(!clean.includes(password) || !text.includes(password), 'a password is left');
      const search = new MultiTextSearch();
      if (password !== '') search.add(password);
      assertPromise(
        search.find(text).length > 0 === (password !== '' && text.includes(password)),
        'a text is found, or not, as it should be',
      );
      return clean;
    },
  },
  {
    name: 'host of a plan',
    seeds: ['shop.example', 'cdn.example:8443', '[::1]:80', 'bücher.example', '*,.localhost', '0x7f.1'],
    tokens: [
      '*',
      ',',
      '.',
      ':',
      '[',
      ']',
      '%2a',
      '%2c',
      '/',
      '@',
      '#',
      '?',
      '\\',
      ' ',
      '\t',
      '。',
      'xn--',
      '~NOTFOUND',
      'EXCLUDE ',
      'localhost',
    ],
    read(input) {
      if (!hostSchema.safeParse(input).success) return null;
      const { hostname } = new URL(`http://${input}/`);
      assertPromise(resolverRules([hostname]).split(',').length === 2, 'a host is one rule');
      assertPromise(asHost(input)?.name === hostname, 'who is asked about is who is dialled');
      return hostname;
    },
  },
];
