import { recordedRequests } from '#core/plan/requests.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

const LOOK_INTO_LOG = 'Look into the server’s error log at that time.';

/** What a status says about where to look; redirects have a rule of their own. */
const MEANINGS: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  '401': { what: 'the server wants a login', remedy: 'Log in on the Target page, or give the cookie or header that lets you in.' },
  '403': {
    what: 'the server refuses this visitor',
    remedy: 'Look whether the page needs a login, a token or an allowed address, and whether a firewall takes the test for an attack.',
  },
  '404': {
    what: 'there is no such page',
    remedy: 'Correct the address or the path of the page. An answer like this is quick and says nothing about load.',
  },
  '405': { what: 'the page does not take this method', remedy: 'Use the method that the page expects.' },
  '429': {
    what: 'a rate limit turns requests away',
    remedy: 'Have whatever makes the load exempted from the limit, or stay below it: beyond it the limit is measured, not the server.',
  },
  '500': { what: 'the server’s program failed', remedy: LOOK_INTO_LOG },
  '502': {
    what: 'the proxy got no proper answer from the server behind it',
    remedy: 'Look whether the servers behind the proxy run, and into its error log.',
  },
  '503': {
    what: 'the server or its proxy says that it has no capacity left',
    remedy: 'Look at limits of connections and workers, and into the proxy’s error log.',
  },
  '504': {
    what: 'the proxy waited for the server behind it until its time limit',
    remedy: 'The server is too slow for the proxy’s time limit: look at its queue and its workers.',
  },
};
const CLIENT_ERROR = {
  what: 'the server does not accept the request as it is',
  remedy: 'Send one request on the Target page and compare it with what a browser sends.',
};
const SERVER_ERROR = { what: 'the server failed', remedy: LOOK_INTO_LOG };

/** From this share on a status is what the test measured; below, it is a failure among good answers. */
const MOSTLY = 0.5;
const NOTICEABLE = 0.01;

/** Answers with a status of 400 and more: which one, how many, and what it says about where to look. */
export const unexpectedStatus: Rule = {
  id: 'unexpectedStatus',
  find({ steps, plan }) {
    return steps.flatMap((step, index): Finding[] => {
      const complete = answered(step.requests);
      const recorded = recordedRequests(plan).find(({ name }) => name === step.name);
      // What a page links to is expected with 2xx, whatever the page is.
      const expected = new Set(recorded?.resource ? [] : plan.journey[recorded?.step ?? index]?.expectStatus);
      return Object.entries(step.status).flatMap(([status, count]): Finding[] => {
        const code = Number(status);
        const share = count / complete;
        if (code < 400 || expected.has(code) || share < NOTICEABLE) return [];
        const { what, remedy } = getOwn(MEANINGS, status) ?? (code < 500 ? CLIENT_ERROR : SERVER_ERROR);
        return [
          {
            id: `${this.id}.${status}`,
            level: 'problem',
            sentence:
              share >= MOSTLY
                ? `“${step.name}” was mostly answered with status ${status}: ${what}. The times are those of this answer, not of the page.`
                : `${formatShare(share)} answers to “${step.name}” had status ${status}: ${what}.`,
            evidence: [
              `${formatCount(count)} of ${formatCount(complete)} answers`,
              `half of all answers came within ${formatMs(step.latency.service.p50)}`,
            ],
            remedy,
            confidence: 'certain',
            range: null,
          },
        ];
      });
    });
  },
};
