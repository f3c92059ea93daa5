import { formatCount, formatMs, formatPercent, formatPortion, formatShare } from '#core/base/units.ts';
import { apdexWord } from '#core/statistics/apdex.ts';
import { figure, type Found, type Rule } from '../rule.ts';

const MIN_RESPONSES = 100;
const MIN_MEAN_MS = 10;

/** Finds a mean above the 90th percentile, which describes no typical wait. */
export const averageHides: Rule = {
  id: 'averageHides',
  find({ steps }) {
    return steps.flatMap((step): Found[] => {
      const { mean, p50, p90, p99, count } = step.latency.service;
      if (typeof mean !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || count < MIN_RESPONSES) return [];
      if (mean <= p90 || mean < 2 * p50 || mean - p50 < MIN_MEAN_MS) return [];
      return [
        {
          id: `${this.id}.${step.name}`,
          level: 'info',
          sentence: `The average of “${step.name}”, ${formatMs(mean)}, is misleading: half of the responses took ${formatMs(p50)} or less, and ${formatPortion(90)} took less than the average. A few very long ones raise it.`,
          evidence: ['Two servers with the same median can differ widely in such an average, and even more in an average of percentiles.'],
          figures: [
            figure('Average', formatMs(mean)),
            figure('Median', formatMs(p50)),
            figure('p90', formatMs(p90)),
            figure('p99', formatMs(p99)),
          ],
          remedy: 'Compare medians and percentiles of all responses, not averages or averages of percentiles.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

/** Smallest ratio of the maximum to the 99th percentile, and smallest maximum, of a separate tail. */
const MIN_TAIL_RATIO = 10;
const MIN_TAIL_MS = 500;

/**
 * Finds a few responses far from all others: a retry, a lock or a time-out, rather than a slow server. Their share is f = (sd / (max − median))², which is
 * exact if all of them lie at the maximum.
 */
export const slowTail: Rule = {
  id: 'slowTail',
  find({ latency }) {
    const { p50, p99, max, stddev, count } = latency.service;
    if (typeof p50 !== 'number' || typeof p99 !== 'number' || typeof max !== 'number' || typeof stddev !== 'number') return [];
    if (count < 1_000 || max < MIN_TAIL_MS || max < MIN_TAIL_RATIO * p99) return [];
    const share = (stddev / (max - p50)) ** 2;
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `About ${formatShare(share)} of responses took far longer than all others: up to ${formatMs(max)}, while ${formatPortion(99)} came within ${formatMs(p99)}.`,
        evidence: [`median ${formatMs(p50)}, standard deviation ${formatMs(stddev)}, slowest ${formatMs(max)}`],
        remedy:
          'Look for something that waits and retries: a packet lost in a full queue (1, 3 or 5 s), a lock, a pool without a free connection, a proxy time-out.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};

/** Fewest pages for an Apdex rating. */
const MIN_PAGES = 20;

/** Finds requests with a better Apdex rating than the pages that they belong to. */
export const pageApdex: Rule = {
  id: 'pageApdex',
  find({ pages }) {
    if (pages === null) return [];
    const { pageApdex: ofPages, requestApdex: ofRequests, thresholdMs } = pages.all;
    if (ofPages.value === null || ofRequests.value === null || ofPages.counted < MIN_PAGES) return [];
    const [page, request] = [apdexWord(ofPages.value), apdexWord(ofRequests.value)];
    if (page === request || ofRequests.value <= ofPages.value) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `Whole pages are “${page}” (Apdex ${ofPages.value.toFixed(2)}) although single requests are “${request}” (${ofRequests.value.toFixed(2)}): users wait for the page, not for each of its images.`,
        evidence: [
          `${formatCount(ofPages.counted)} pages and ${formatCount(ofRequests.counted)} requests, both with a threshold of ${formatMs(thresholdMs)}`,
          'many small, fast requests improve the score of the requests, and one slow request is enough to delay a page',
        ],
        remedy: 'Use the figure of the pages. Some tools report that of the requests as if it were of pages.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

const MIN_REQUESTS_EACH = 20;
/** Smallest multiple of an even share that counts as uneven. */
const MIN_UNEVEN_RATIO = 1.5;

/** Finds a name with several addresses if one address got most of the requests. */
export const unevenAddresses: Rule = {
  id: 'unevenAddresses',
  find({ server, plan }) {
    const all = Object.entries(server.addresses).toSorted(([, one], [, other]) => other - one);
    const total = all.reduce((sum, [, count]) => sum + count, 0);
    const [most] = all;
    // Several targets are asked in turn, each at its own address.
    if (most === undefined || all.length < 2 || plan.targets.length > 1 || total < MIN_REQUESTS_EACH * all.length) return [];
    const [address, count] = most;
    if (count < (MIN_UNEVEN_RATIO * total) / all.length) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${address} got ${formatPercent(count / total)} of requests, although “${server.host}” has ${formatCount(all.length)} addresses: an even share is ${formatPercent(1 / all.length)}.`,
        evidence: [
          'A client that resolves a name keeps one of its addresses, often the first. Many clients spread over all of them; a few computers do not.',
        ],
        figures: all.map(([name, requests]) => figure(name, `${formatCount(requests)} requests`)),
        remedy: 'To test all addresses, make each a target of its own, or send the load from more computers.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
