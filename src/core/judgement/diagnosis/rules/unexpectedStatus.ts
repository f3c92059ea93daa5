import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatMs, formatPart, formatShare } from '#core/base/units.ts';
import { capitalized } from '#core/base/text.ts';
import { statusOfName } from '#core/base/errorNames.ts';
import { serverQuote } from '../serverSaid.ts';
import type { Rule } from '../rule.ts';

const FOLLOW_THE_WORDS = 'The server gives the reason. Look for these words in its settings and its log.';
const LOOK_INTO_LOG = 'Check the server’s error log at that time.';

/** Likely cause and remedy by status. Redirects have a rule of their own. */
const MEANINGS: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
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
  '500': { what: 'the server’s program failed', remedy: LOOK_INTO_LOG },
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
const CLIENT_ERROR = {
  what: 'the server does not accept the request as sent',
  remedy: 'Look at its request on the Check page, and compare it with what a browser sends.',
};
const SERVER_ERROR = { what: 'the server failed', remedy: LOOK_INTO_LOG };

/** From this share on, the status is what the test measured; below it is a failure among successes. */
const MIN_MAIN_SHARE = 0.5;
const MIN_STATUS_SHARE = 0.01;

/** Finds responses with a status of 400 or more: status, number and likely cause. */
export const unexpectedStatus: Rule = {
  id: 'unexpectedStatus',
  find(facts) {
    const { steps, plan } = facts;
    return steps.flatMap((step, index): Finding[] => {
      const complete = answeredRequests(step.requests);
      const recorded = recordedRequests(plan).find(({ name }) => name === step.name);
      // Resources of a page are expected with 2xx, whatever the page's status.
      const expected = new Set(recorded?.resource ? [] : plan.journey[recorded?.step ?? index]?.expectStatus);
      return Object.entries(step.status).flatMap(([status, count]): Finding[] => {
        const code = Number(status);
        const share = count / complete;
        if (code < 400 || expected.has(code) || share < MIN_STATUS_SHARE) return [];
        const said = serverQuote(facts, step.name, (failure) => statusOfName(failure) === code);
        const { what, remedy } = getOwn(MEANINGS, status) ?? (code < 500 ? CLIENT_ERROR : SERVER_ERROR);
        return [
          {
            id: `${this.id}.${status}`,
            level: 'problem',
            sentence:
              share >= MIN_MAIN_SHARE
                ? `“${step.name}” mostly returned status ${status}: ${what}. The times are those of this response, not of the page.${said}`
                : `${formatShare(share)} of responses to “${step.name}” had status ${status}: ${what}.${said}`,
            evidence: [
              `${capitalized(formatPart(count, complete))} responses`,
              `median of all responses ${formatMs(step.latency.service.p50)}`,
            ],
            remedy: said !== '' && remedy === LOOK_INTO_LOG ? FOLLOW_THE_WORDS : remedy,
            // Rate limits and overloaded servers also send 503.
            confidence: status === '503' ? 'likely' : 'certain',
            range: null,
          },
        ];
      });
    });
  },
};
