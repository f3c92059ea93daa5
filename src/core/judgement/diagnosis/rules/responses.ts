import { capitalize } from '#core/base/text.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPart, formatShare } from '#core/base/units.ts';
import { countResponses, countWanted } from '#core/measurement/requestOutcomes.ts';
import { readErrorName, statusOfName } from '#core/base/errorNames.ts';
import { type CheckCode, formatErrorName, isCheckError } from '#core/work/bodyCheck/errorTexts.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { listRecordedRequests, redirectsName } from '#core/plan/requests.ts';
import {
  listDifferentOnPurpose,
  type Draft,
  figure,
  formatFirst,
  MAX_NEGLIGIBLE_SHARE,
  type MeasuredRun,
  MIN_NOTICEABLE_SHARE,
  sortByFrequency,
  rangeOf,
  rule,
  serverQuote,
} from '../rule.ts';
import { findMainCause } from '../causes.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { sumOf } from '#core/base/lists.ts';

/** Finds responses with a successful status but no body although the page has one. */
export const emptyBodies = rule('emptyBodies', ({ steps }) =>
  steps.flatMap((step) => {
    const { first, empty } = step.bodyLength;
    // Redirects and error pages without a body already count as failures.
    const { httpError, wrongBody } = step.requests;
    if (empty === 0 || first === null || first === 0 || httpError + wrongBody >= empty) return [];
    return {
      level: 'problem',
      sentence: `${formatCount(empty)} responses to “${step.name}” were empty although the page has ${formatBytes(first)}.`,
      evidence: [`${formatCount(empty)} empty of ${formatCount(countResponses(step.requests))} complete responses`],
      remedy: 'These failures are hidden by the status code. Check the error logs of the server and the proxy at that time.',
    };
  }),
);

/** Finds a run without any response. Its cause is the address, not the load. */
export const nothingResponded = rule('nothingResponded', ({ outcomes, errors }) => {
  const { requests } = outcomes;
  if (countWanted(requests) === 0 || countResponses(requests) > 0) return [];
  const { name, count, sentence, remedy } = findMainCause(errors);
  const evidence = [
    requests.sent === 0
      ? `None of ${formatCount(requests.notMade)} requests could be sent.`
      : `${formatCount(requests.sent)} requests sent, no response`,
  ];
  if (count > 0) evidence.push(`${formatErrorName(name)}: ${formatCount(count)} times`);
  return { level: 'problem', sentence, evidence, remedy };
});

/** Maximum time in ms of a 404 from a missing route. The slowest one that was mistaken for overload took 160 ms. */
const MAX_QUICK_MS = 200;

/**
 * Finds quick 404 responses: the program does not know the page, because another version or another program is running. Load is not the
 * cause.
 */
export const missingRoute = rule('missingRoute', ({ steps, plan, windows, status: ofRun }) => {
  const found = steps.flatMap((step): Draft | [] => {
    const complete = countResponses(step.requests);
    const missing = step.status['404'] ?? 0;
    const inClass = sumOf(Object.entries(step.status), ([status, count]) => (status.startsWith('4') ? count : 0));
    const times = step.latencyByStatusClass['4xx'];
    const good = step.latencyByStatusClass['2xx']?.p50 ?? null;
    const written = plan.journey.find(({ name }) => name === step.name);
    const isExpected = written?.expectStatus?.includes(404) === true;
    // Addresses with values may be missing one by one. In that case, the values are wrong, not the route.
    const isMadeUp = written === undefined || namesOfStep(written).length > 0;
    if (isExpected || isMadeUp || missing === 0 || missing / complete < MIN_NOTICEABLE_SHARE || missing < inClass) return [];
    if (typeof times?.p50 !== 'number' || times.p50 > Math.max(MAX_QUICK_MS, typeof good === 'number' ? good : 0)) return [];
    const hit = windows.filter(({ status }) => (status['404'] ?? 0) > 0);
    const [first] = hit;
    const always = step.requests.ok === 0;
    return {
      of: step.name,
      level: 'problem',
      sentence: always
        ? `Every response to “${step.name}” was 404, mostly within ${formatMs(times.p50)}: the page does not exist at that address. These are not the times of the page, and this is no overload.`
        : `${formatShare(missing / complete)} of responses to “${step.name}” were 404, mostly within ${formatMs(times.p50)}${formatFirst(first)}. A missing page is no overload: a program without that page responds at this address.`,
      evidence: ['An overloaded server is slow, refuses connections, or returns 500 to 504. It does not lose a page.'],
      figures: [
        figure('404', `${formatCount(missing)} of ${formatCount(complete)} responses`),
        figure('Median of the 404 responses', formatMs(times.p50)),
        figure('Median of successful responses', formatMs(good)),
      ],
      remedy: always
        ? 'Correct the address or the path of the page, and look at its response on the Check page. If it is right, another program or version than expected runs there.'
        : 'Check which version runs on each server behind this address: one may have been replaced or restarted during the test, or run an older version. Then run the test again.',
      confidence: always ? 'certain' : 'likely',
      range: rangeOf(hit),
    };
  });
  const explained = sumOf(steps, ({ name, status }) => (found.some(({ of }) => of === name) ? (status['404'] ?? 0) : 0));
  // If other 404 responses remain, the general finding reports them.
  return explained === ofRun['404'] ? found.map((one) => ({ ...one, insteadOf: ['unexpectedStatus.404'] })) : found;
});

/** Finds a step whose responses are mostly redirects, often to the login form. The page itself was not measured. */
export const redirectMeasured = rule('redirectMeasured', ({ steps, plan }) =>
  steps.flatMap((step, index) => {
    const complete = countResponses(step.requests);
    const redirects = countOf(step.status, (status) => status >= 300 && status < 400 && status !== 304);
    const recorded = listRecordedRequests(plan).find(({ name }) => name === step.name);
    const sent = plan.journey[recorded?.step ?? index];
    if (sent?.redirects !== undefined || recorded?.resource) return [];
    const wanted = sent?.expectStatus?.some((status) => status >= 300 && status < 400) ?? false;
    if (complete === 0 || wanted || redirects / complete < 0.5) return [];
    return {
      level: 'problem',
      sentence: `“${step.name}” returned a redirect, so this test measured the redirect, not the page.`,
      evidence: [
        `${capitalize(formatPart(redirects, complete))} responses (${formatShare(redirects / complete)}) have a status from 300 to 399`,
      ],
      remedy:
        'If the page needs a login, log in on the Target page or enter the cookie. Otherwise test the address that the redirect leads to.',
    };
  }),
);

function countOf(statuses: Readonly<Record<string, number>>, matches: (status: number) => boolean): number {
  let sum = 0;
  for (const [status, count] of Object.entries(statuses)) if (matches(Number(status))) sum += count;
  return sum;
}

const LOGIN_REMEDY =
  'Look at the step that logs in: whether it succeeded for these users, and whether their sessions ended early. Sites limit sessions, logins a minute, and how long a session lasts.';

/** Returns a sentence about requests that got the login page instead of the page; null if most failures have other causes. */
function loginSentence(name: string, errors: Readonly<Record<string, number>>, complete: number): string | null {
  const countOfCode = (code: CheckCode): number =>
    sumOf(Object.entries(errors), ([error, count]) => (readErrorName(error).code === code ? count : 0));
  const [redirected, shown] = [countOfCode('LEADS_TO_LOGIN'), countOfCode('LOGIN_FORM')];
  const all = sumOf(Object.values(errors), (count) => count);
  const met = redirected + shown;
  if (met === 0 || met < all / 2) return null;
  const what = redirected >= shown ? 'redirected to the login page' : 'met with a login form';
  return met >= complete
    ? `Every request for “${name}” was ${what}: the users were not logged in.`
    : `${formatCount(met)} of ${formatCount(complete)} requests for “${name}” were ${what}: their users were not logged in.`;
}

/** Returns the step that caused the requests with this name: the step of that name, or the step whose redirects have it. */
function findAskedStep({ steps, plan }: MeasuredRun, name: string): MeasuredRun['steps'][number] | undefined {
  const step = plan.journey.find((one) => name === redirectsName(one.name))?.name ?? name;
  return steps.find((one) => one.name === step);
}

const MIN_WRONG_SHARE = 0.01;
const MAX_LISTED = 5;

/** Finds responses with a successful status but wrong content, such as error pages with status 200, as overloaded servers send them. */
export const wrongContent = rule('wrongContent', (facts) =>
  facts.steps.flatMap(({ name, requests, errors }) => {
    const complete = countResponses(requests);
    const wrong = requests.wrongBody;
    if (wrong === 0 || wrong / complete < MIN_WRONG_SHARE) return [];
    const redirected = facts.steps.find((step) => step.name === redirectsName(name))?.requests.sent ?? 0;
    const wasRedirected = wrong === complete && redirected >= complete;
    const failed = sortByFrequency(errors)
      .filter(([error]) => isCheckError(error))
      .slice(0, MAX_LISTED);
    const quote = serverQuote(facts, name, isCheckError);
    const askedStep = findAskedStep(facts, name);
    const atLogin = loginSentence(askedStep?.name ?? name, errors, askedStep === undefined ? complete : countResponses(askedStep.requests));
    const found = {
      level: 'problem',
      evidence: failed.map(([error, count]) => `${formatErrorName(error)}: ${formatPart(count, complete)} responses`),
    } as const;
    if (atLogin !== null) return { ...found, sentence: `${atLogin}${quote}`, remedy: LOGIN_REMEDY };
    return {
      ...found,
      sentence: wasRedirected
        ? `Every request of “${name}” was redirected to another page, probably the login page: the users were not logged in.`
        : wrong === complete
          ? `No response to “${name}” had the content that the plan requires, although the status was right.${quote}`
          : `${formatShare(wrong / complete)} of responses to “${name}” had the right status but the wrong content.${quote}`,
      remedy: wasRedirected
        ? 'Log in before this step, or enter the cookie that grants access. Send one request to see where it leads.'
        : quote !== ''
          ? 'The server gives the reason: it responded, but did not do what the step asks for.'
          : wrong === complete
            ? 'Send one request and compare its content with the plan’s checks. A login page, another language or a mistyped check looks like this.'
            : 'Some pages differed under load: check the server’s error log at that time, and look for error pages with status 200.',
    };
  }),
);

const FOLLOW_SERVER_REASON = 'The server gives the reason. Look for these words in its settings and its log.';
const CHECK_LOG_REMEDY = 'Check the server’s error log at that time.';

/** Likely cause and remedy by status. Redirects have a rule of their own. */
const STATUS_MEANINGS: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  '401': { what: 'the server requires a login', remedy: 'Log in on the Target page, or enter the cookie or header that grants access.' },
  '403': {
    what: 'the server refuses this client',
    remedy: 'Check whether the page needs a login, a token or an allowed address, and whether a firewall mistakes the test for an attack.',
  },
  '404': {
    what: 'the page does not exist',
    remedy: 'Correct the address or the path of the page. Such a response is fast and says nothing about load.',
  },
  '405': { what: 'the page does not accept this method', remedy: 'Use the method that the page expects.' },
  '429': {
    what: 'a rate limit rejects requests',
    remedy: 'Exempt the load generator from the limit, or stay below it: above it, the test measures the limit, not the server.',
  },
  '500': { what: 'the server’s program failed', remedy: CHECK_LOG_REMEDY },
  '502': {
    what: 'the proxy got no valid response from the server behind it',
    remedy: 'Check that the servers behind the proxy run, and read its error log.',
  },
  '503': {
    what: 'the server or its proxy reports no capacity left, or a rate limit rejects requests',
    remedy: 'Check the limits of connections and workers, and the proxy’s error log.',
  },
  '504': {
    what: 'the proxy timed out waiting for the server behind it',
    remedy: 'The server is too slow for the proxy’s time-out: check its queue and its workers.',
  },
};
const CLIENT_ERROR_MEANING = {
  what: 'the server does not accept the request as sent',
  remedy: 'Look at its request on the Check page, and compare it with what a browser sends.',
};
const SERVER_ERROR_MEANING = { what: 'the server failed', remedy: CHECK_LOG_REMEDY };

/** Share from which the status is what the test measured. Below it, the status is a failure among successes. */
const MIN_MAIN_SHARE = 0.5;
const MIN_STATUS_SHARE = 0.01;

/** Finds responses with a status of 400 or more: status, number and likely cause. */
export const unexpectedStatus = rule('unexpectedStatus', (facts) => {
  const { steps, plan } = facts;
  // A response whose status leads to a new login is no failure, unless the status comes again.
  const renewing = new Set(plan.journey.flatMap(({ renew }) => renew?.onStatus ?? []));
  return steps.flatMap((step, index) => {
    const complete = countResponses(step.requests);
    const recorded = listRecordedRequests(plan).find(({ name }) => name === step.name);
    // Resources of a page are expected to respond with 2xx, whatever status the page has.
    const expected = new Set(recorded?.resource ? [] : plan.journey[recorded?.step ?? index]?.expectStatus);
    return Object.entries(step.status).flatMap(([status, received]) => {
      const code = Number(status);
      const count = renewing.has(code) ? Math.min(received, step.requests.httpError) : received;
      const share = count / complete;
      if (code < 400 || expected.has(code) || share < MIN_STATUS_SHARE) return [];
      const quote = serverQuote(facts, step.name, (failure) => statusOfName(failure) === code);
      const { what, remedy } = getOwn(STATUS_MEANINGS, status) ?? (code < 500 ? CLIENT_ERROR_MEANING : SERVER_ERROR_MEANING);
      return {
        of: status,
        level: 'problem',
        sentence:
          share >= MIN_MAIN_SHARE
            ? `“${step.name}” mostly returned status ${status}: ${what}. The times are those of this response, not of the page.${quote}`
            : `${formatShare(share)} of responses to “${step.name}” had status ${status}: ${what}.${quote}`,
        evidence: [`${capitalize(formatPart(count, complete))} responses`, `median of all responses ${formatMs(step.latency.service.p50)}`],
        remedy: quote !== '' && remedy === CHECK_LOG_REMEDY ? FOLLOW_SERVER_REASON : remedy,
        // A 503 may also come from a rate limit or an overloaded server.
        confidence: status === '503' ? 'likely' : 'certain',
      };
    });
  });
});

/** Maximum mean difference, as a share of the page, that a changing number or date explains. Above it, the page may be truncated. */
const MAX_BENIGN_SHARE = 0.02;
/** Minimum ratio of failures to responses of another length at which failures explain the difference. */
const MIN_ERROR_PAGE_RATIO = 0.5;
/** Share of differing responses from which the first response is the exception. */
const MIN_DIFFERING_SHARE = 0.5;
/** Minimum tolerance in bytes that is granted for a changing number. */
const MIN_BENIGN_BYTES = 16;

/** Returns whether the plan checks or captures content in the body of a successful response. */
function looksInside({ checks, captures = [] }: Plan['journey'][number]): boolean {
  return (
    checks.some((check) => check.kind !== 'size' && check.kind !== 'page' && !check.not) ||
    captures.some((capture) => (capture.from === 'body' || capture.from === 'json' || capture.from === 'between') && !capture.mayBeEmpty)
  );
}

/**
 * Returns whether failures explain the different lengths. This is so if most differing responses are failures, if a few failures differ by
 * whole pages, or if the first response, the reference, was a failure.
 */
function isOfErrorPages(
  { httpError, ok }: Parameters<typeof countResponses>[0],
  { different, deviationBytes, first, benignBytes }: Record<'different' | 'deviationBytes' | 'first' | 'benignBytes', number>,
): boolean {
  if (httpError === 0) return false;
  if (httpError >= MIN_ERROR_PAGE_RATIO * different || different >= ok) return true;
  const others = Math.max(0, different - httpError);
  return others * benignBytes < deviationBytes && deviationBytes <= httpError * first + others * benignBytes;
}

/**
 * Finds bodies of different lengths, which ApacheBench counts as failures. The mean difference distinguishes a page with a changing number
 * (harmless) from a page that is sometimes truncated.
 */
export const lengthVaries = rule('lengthVaries', ({ steps, plan }) => {
  const onPurpose = listDifferentOnPurpose(plan);
  const seenTo = new Set(plan.journey.filter(looksInside).map(({ name }) => name));
  return steps.flatMap((step) => {
    if (onPurpose.has(step.name)) return [];
    const { first, differs, deviationBytes, empty } = step.bodyLength;
    const complete = countResponses(step.requests);
    const different = differs - empty;
    if (first === null || first === 0 || complete === 0 || different / complete < MAX_NEGLIGIBLE_SHARE) return [];
    const meanDeviation = (deviationBytes + empty * first) / different;
    // Error pages have another length, but other rules report them.
    const benignBytes = Math.max(MIN_BENIGN_BYTES, first * MAX_BENIGN_SHARE);
    if (isOfErrorPages(step.requests, { different, deviationBytes: Math.abs(meanDeviation * different), first, benignBytes })) return [];
    const benign = Math.abs(meanDeviation) <= benignBytes;
    // If some of the differing responses are failures, the statement “no failure” would contradict another finding.
    if (benign && step.requests.wrongBody >= MIN_ERROR_PAGE_RATIO * different) return [];
    // The plan's checks would fail for a truncated page or one with an error text.
    const isSeenTo = seenTo.has(step.name) && step.requests.wrongBody === 0;
    // A list that grows during the run makes nearly every response longer than the first. A truncated page is shorter.
    const isGrowing = !benign && meanDeviation > 0 && different >= MIN_DIFFERING_SHARE * complete;
    const bytes = Math.abs(meanDeviation) === 1 ? 'byte' : 'bytes';
    const difference = `${formatNumber(Math.abs(meanDeviation))} ${bytes} ${meanDeviation < 0 ? 'shorter' : 'longer'}`;
    return {
      level: benign || isSeenTo || isGrowing ? 'info' : 'warning',
      sentence: benign
        ? `Responses to “${step.name}” vary in length; the different ones are ${difference} on average. A page with a changing number or date does that; it is no failure.`
        : `${formatShare(different / complete)} of responses to “${step.name}” differ widely in length: on average they are ${difference} than the first.${isGrowing ? ' The page probably shows a list that grew during the run.' : isSeenTo ? ' All of them passed the plan’s content checks.' : ''}`,
      evidence: [
        `${formatCount(different)} of ${formatCount(complete)} responses differ from the first one of ${formatBytes(first)}`,
        `mean difference ${meanDeviation < 0 ? '−' : ''}${formatNumber(Math.abs(meanDeviation))} ${bytes}`,
      ],
      remedy: benign
        ? 'No action needed. ApacheBench lists these under “Failed requests (Length)”; its option -l accepts them.'
        : isGrowing
          ? 'No action needed if it shows what users add. A list without an end is slower from week to week: limit its length, and test with as many rows as there will be.'
          : isSeenTo
            ? 'No action needed if each user sees something else.'
            : 'Open the page a few times and compare. An error text in a page with status 200, or a truncated page, looks like this.',
      confidence: benign ? 'certain' : 'possible',
    };
  });
});
