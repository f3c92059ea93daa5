import { capitalized } from '#core/base/text.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatPart, formatBytes, formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { answeredRequests, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { type CheckCode, errorWords, isCheckError } from '#core/work/bodyCheck/words.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { recordedRequests, redirectsName } from '#core/plan/requests.ts';
import { serverQuote } from '../serverSaid.ts';
import { type MeasuredRun, figure, type Found, MIN_NOTICEABLE_SHARE, rangeOf, type Rule, firstInWords } from '../rule.ts';
import { causeOf } from '../causes.ts';

/** Finds responses with a successful status but no body although the page has one. */
export const emptyBodies: Rule = {
  id: 'emptyBodies',
  find({ steps }) {
    return steps.flatMap((step): Finding[] => {
      const { first, empty } = step.bodyLength;
      // Redirects and error pages without a body already count as failures.
      const { httpError, wrongBody } = step.requests;
      if (empty === 0 || first === null || first === 0 || httpError + wrongBody >= empty) return [];
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: `${formatCount(empty)} responses to “${step.name}” were empty although the page has ${formatBytes(first)}.`,
          evidence: [`${formatCount(empty)} empty of ${formatCount(answeredRequests(step.requests))} complete responses`],
          remedy: 'These failures are hidden by the status code. Check the error logs of the server and the proxy at that time.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

/** Finds a run without any response: the address is the cause, not the load. */
export const nothingAnswered: Rule = {
  id: 'nothingAnswered',
  find({ outcomes, errors }) {
    const { requests } = outcomes;
    if (wantedRequests(requests) === 0 || answeredRequests(requests) > 0) return [];
    const { name, count, sentence, remedy } = causeOf(errors);
    const evidence = [
      requests.sent === 0
        ? `None of ${formatCount(requests.notMade)} requests could be sent.`
        : `${formatCount(requests.sent)} requests sent, no response`,
    ];
    if (count > 0) evidence.push(`${errorWords(name)}: ${formatCount(count)} times`);
    return [{ id: this.id, level: 'problem', sentence, evidence, remedy, confidence: 'certain', range: null }];
  },
};

/** Longest time of a 404 from a missing route. The slowest one that was mistaken for overload took 160 ms. */
const MAX_QUICK_MS = 200;

/** Finds quick 404 responses: the program does not know the page, because another version or program is running. The load is not the cause. */
export const missingRoute: Rule = {
  id: 'missingRoute',
  find({ steps, plan, windows, status: ofRun }) {
    const found = steps.flatMap((step): Found[] => {
      const complete = answeredRequests(step.requests);
      const missing = step.status['404'] ?? 0;
      const inClass = Object.entries(step.status).reduce((sum, [status, count]) => sum + (status.startsWith('4') ? count : 0), 0);
      const times = step.latencyByStatusClass['4xx'];
      const good = step.latencyByStatusClass['2xx']?.p50 ?? null;
      const written = plan.journey.find(({ name }) => name === step.name);
      const isExpected = written?.expectStatus?.includes(404) === true;
      // Addresses with values may be missing one by one, which concerns the values.
      const isMadeUp = written === undefined || namesOfStep(written).length > 0;
      if (isExpected || isMadeUp || missing === 0 || missing / complete < MIN_NOTICEABLE_SHARE || missing < inClass) return [];
      if (typeof times?.p50 !== 'number' || times.p50 > Math.max(MAX_QUICK_MS, typeof good === 'number' ? good : 0)) return [];
      const hit = windows.filter(({ status }) => (status['404'] ?? 0) > 0);
      const [first] = hit;
      const always = step.requests.ok === 0;
      return [
        {
          id: `${this.id}.${step.name}`,
          level: 'problem',
          sentence: always
            ? `Every response to “${step.name}” was 404, mostly within ${formatMs(times.p50)}: the page does not exist at that address. These are not the times of the page, and this is no overload.`
            : `${formatShare(missing / complete)} of responses to “${step.name}” were 404, mostly within ${formatMs(times.p50)}${firstInWords(first)}. A missing page is no overload: a program without that page responds at this address.`,
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
        },
      ];
    });
    const explained = steps.reduce(
      (sum, { name, status }) => sum + (found.some(({ id }) => id === `${this.id}.${name}`) ? (status['404'] ?? 0) : 0),
      0,
    );
    // Otherwise other 404 responses remain, which the general finding reports.
    return explained === ofRun['404'] ? found.map((one) => ({ ...one, insteadOf: ['unexpectedStatus.404'] })) : found;
  },
};

/** Finds a step whose responses are mostly redirects, often to the login form, so that the page itself was not measured. */
export const redirectMeasured: Rule = {
  id: 'redirectMeasured',
  find({ steps, plan }) {
    return steps.flatMap((step, index): Finding[] => {
      const complete = answeredRequests(step.requests);
      const redirects = countOf(step.status, (status) => status >= 300 && status < 400 && status !== 304);
      const recorded = recordedRequests(plan).find(({ name }) => name === step.name);
      const sent = plan.journey[recorded?.step ?? index];
      if (sent?.redirects !== undefined || recorded?.resource) return [];
      const wanted = sent?.expectStatus?.some((status) => status >= 300 && status < 400) ?? false;
      if (complete === 0 || wanted || redirects / complete < 0.5) return [];
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: `“${step.name}” returned a redirect, so this test measured the redirect, not the page.`,
          evidence: [
            `${capitalized(formatPart(redirects, complete))} responses (${formatShare(redirects / complete)}) have a status from 300 to 399`,
          ],
          remedy:
            'If the page needs a login, log in on the Target page or enter the cookie. Otherwise test the address that the redirect leads to.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

function countOf(statuses: Readonly<Record<string, number>>, matches: (status: number) => boolean): number {
  let sum = 0;
  for (const [status, count] of Object.entries(statuses)) if (matches(Number(status))) sum += count;
  return sum;
}

const LOGIN_REMEDY =
  'Look at the step that logs in: whether it succeeded for these users, and whether their sessions ended early. Sites limit sessions, logins a minute, and how long a session lasts.';

/** Describes requests that got the login instead of the page; null if most failures have other causes. */
function loginSentence(name: string, errors: Readonly<Record<string, number>>, complete: number): string | null {
  const countOfCode = (code: CheckCode): number =>
    Object.entries(errors).reduce((sum, [error, count]) => sum + (readErrorName(error).code === code ? count : 0), 0);
  const [redirected, shown] = [countOfCode('LEADS_TO_LOGIN'), countOfCode('LOGIN_FORM')];
  const all = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const met = redirected + shown;
  if (met === 0 || met < all / 2) return null;
  const what = redirected >= shown ? 'redirected to the login page' : 'met with a login form';
  return met >= complete
    ? `Every request for “${name}” was ${what}: the users were not logged in.`
    : `${formatCount(met)} of ${formatCount(complete)} requests for “${name}” were ${what}: their users were not logged in.`;
}

/** Returns the step that caused the requests of this name: the step of that name, or the step whose redirects have it. */
function askedFor({ steps, plan }: MeasuredRun, name: string): MeasuredRun['steps'][number] | undefined {
  const step = plan.journey.find((one) => name === redirectsName(one.name))?.name ?? name;
  return steps.find((one) => one.name === step);
}

const MIN_WRONG_SHARE = 0.01;
const MAX_LISTED = 5;

/** Finds responses with a successful status but wrong content, as from overloaded servers or error pages with status 200. */
export const wrongContent: Rule = {
  id: 'wrongContent',
  find(facts) {
    return facts.steps.flatMap(({ name, requests, errors }) => {
      const complete = answeredRequests(requests);
      const wrong = requests.wrongBody;
      if (wrong === 0 || wrong / complete < MIN_WRONG_SHARE) return [];
      const redirected = facts.steps.find((step) => step.name === redirectsName(name))?.requests.sent ?? 0;
      const wasRedirected = wrong === complete && redirected >= complete;
      const failed = Object.entries(errors)
        .filter(([error]) => isCheckError(error))
        .sort(([, some], [, others]) => others - some)
        .slice(0, MAX_LISTED);
      const said = serverQuote(facts, name, isCheckError);
      const asked = askedFor(facts, name);
      const atLogin = loginSentence(asked?.name ?? name, errors, asked === undefined ? complete : answeredRequests(asked.requests));
      if (atLogin !== null)
        return [
          {
            id: this.id,
            level: 'problem',
            sentence: `${atLogin}${said}`,
            evidence: failed.map(([error, count]) => `${errorWords(error)}: ${formatPart(count, complete)} responses`),
            remedy: LOGIN_REMEDY,
            confidence: 'certain',
            range: null,
          },
        ];
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: wasRedirected
            ? `Every request of “${name}” was redirected to another page, probably the login page: the users were not logged in.`
            : wrong === complete
              ? `No response to “${name}” had the content that the plan requires, although the status was right.${said}`
              : `${formatShare(wrong / complete)} of responses to “${name}” had the right status but the wrong content.${said}`,
          evidence: failed.map(([error, count]) => `${errorWords(error)}: ${formatPart(count, complete)} responses`),
          remedy: wasRedirected
            ? 'Log in before this step, or enter the cookie that grants access. Send one request to see where it leads.'
            : said !== ''
              ? 'The server gives the reason: it responded, but did not do what the step asks for.'
              : wrong === complete
                ? 'Send one request and compare its content with the plan’s checks. A login page, another language or a mistyped check looks like this.'
                : 'Some pages differed under load: check the server’s error log at that time, and look for error pages with status 200.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
