import { readErrorName, statusOfName } from '#core/base/errorNames.ts';
import { formatBytes, formatMs } from '#core/base/units.ts';
import { formatErrorName, NO_VALUE_CODE } from '../bodyCheck/errorTexts.ts';
import { type Sample, type SampleMessage, serverMessage, TRIED } from './schema.ts';
import type { TryReport } from './tryPlan.ts';

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

const LOGIN_HINT =
  'Check the name and the password, whether a cookie that the plan holds has expired, and whether the form carries its hidden field against forged requests ({{cookie.NAME}} or a capture).';

/** Hints for users, by error code. */
const HINTS: ReadonlyMap<string, string> = new Map([
  [
    'NOTHING_CAPTURED',
    'Compare the response with what the capture looks for: a login page, an error page or another language looks like this.',
  ],
  [
    'PATTERN_TOO_SLOW',
    'The pattern begins anew at many places of the page. Say what may stand in between, as [^;<]{1,200} in place of .*?, or capture “between” two texts.',
  ],
  ['TOO_MUCH_CAPTURED', 'Each user keeps what is captured: take less of the response, or the “first” instead of “all”.'],
  ['LEADS_TO_LOGIN', LOGIN_HINT],
  ['LEAVES_TARGET', 'Redirects are followed on the same server only. If the other one belongs to it, give it as a target of its own.'],
  ['REDIRECT_LOOP', 'Often a cookie that the server sets is not sent back: see whether “cookies” of the plan keeps them.'],
  ['NOT_REDIRECTED', 'The server sends on after success only: look for a message in the page that came instead.'],
  ['LEADS_ELSEWHERE', 'Compare it with “to” of the redirects: after a refusal, sites send people back to the form or to the first page.'],
  ['TOO_MANY_REDIRECTS', 'Check where the responses lead; “most” of the redirects says how many are followed.'],
  ['WAITED_IN_VAIN', 'What the poll waits for did not come in time: compare the last response with “until”, or wait longer (mostSeconds).'],
  [
    'NO_LAST_PAGE',
    'Check what the capture of “while” takes out of the last page: it has to be empty there. “most” of again says how many pages are read.',
  ],
  [NO_VALUE_CODE, 'Nothing has set it by then: check the responses before. A response sets a cookie, and a capture finds a value in one.'],
  ['STEP_LEAVES_TARGET', 'The captured address leads to another server. Capture the part behind the host, or the link that you mean.'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'The server speaks HTTP/2 only: set connections.protocol of the plan to h2.'],
  ['NO_HTTP2', 'The server does not offer HTTP/2: set connections.protocol of the plan to http/1.1.'],
  ['ECONNREFUSED', 'Nothing listens there: is the server running, and is the port right?'],
  ['TIMEOUT', 'No complete response came in time.'],
]);

/** Returns a hint for an unexpected status. */
function statusHint(status: number): string | undefined {
  if (status === 401 || status === 403) return LOGIN_HINT;
  if (status === 404) return 'There is no such address: look at the path as it was sent, and at what was filled in.';
  if (status >= 300 && status <= 309)
    return 'It redirects: give redirects: {follow: true}, or name the status among expectStatus if that is what you want to measure.';
  return status >= 500 && status <= 599 ? 'The server itself failed: its log says why.' : undefined;
}

/** Explains the failure of a sample. */
export function explainFailure(failure: string): Explanation {
  const status = statusOfName(failure);
  const hint = status === null ? HINTS.get(readErrorName(failure).code) : statusHint(status);
  return {
    message: status === null ? formatErrorName(failure) : `the response has the unexpected status ${status}`,
    hint: hint ?? 'Compare what was sent with what came back.',
  };
}

/** Formats a sample for a terminal. */
function sampleText(sample: Sample): string {
  const { request, failure, says, sent, received, serviceMs, captured } = sample;
  const explained = failure === null ? null : explainFailure(failure);
  const time = serviceMs === null ? '' : ` · ${formatMs(serviceMs)}`;
  return [
    `${explained === null ? '✓' : '✗'} ${request}${time}${explained === null ? '' : `: ${explained.message}`}`,
    ...(says === undefined ? [] : [`  ${serverMessage(says)}`]),
    ...(explained === null ? [] : [`  ${explained.hint}`]),
    ...captured.map(({ name, value }) => `  {{${name}}} = ${value}`),
    ...(sent === null ? [`  ${TRIED.nothingSent}`] : lines('>', sent)),
    ...(received === null ? [`  ${TRIED.nothingReceived}`] : lines('<', received)),
  ].join('\n');
}

/** Formats the failures of a run for a terminal. */
export function samplesText(samples: readonly Sample[]): string {
  if (samples.length === 0) return 'No failure was kept with this run.\n';
  return `${samples.map(sampleText).join('\n\n')}\n`;
}

/** Formats the result of a trial for a terminal. */
export function tryText({ samples, isGood, notReached, problem }: TryReport): string {
  const rest = notReached.length === 0 ? [] : [`Not reached: ${notReached.map((name) => `“${name}”`).join(', ')}.`];
  const end = isGood ? TRIED.good : TRIED.bad;
  return `${[
    ...samples.map(sampleText),
    ...(problem === null ? [] : [`✗ ${problem.message}\n  ${problem.hint}`]),
    [end, ...rest].join(' '),
  ].join('\n\n')}\n`;
}

function lines(mark: string, { head, body, bodyBytes, isCut }: SampleMessage): string[] {
  const cut = isCut ? '; this is the beginning' : '';
  const shown = body === '' ? [] : body.split('\n').map((line) => `  ${mark} ${line.trimEnd()}`);
  return [
    ...head.split('\n').map((line) => `  ${mark} ${line}`),
    ...(bodyBytes === 0 ? [] : [`  ${mark}`, ...shown, `  (${formatBytes(bodyBytes)}${cut})`]),
  ];
}
