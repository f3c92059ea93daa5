import { apdexWord } from '#core/statistics/apdexWord.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** Fewer pages say too little for a word. */
const LEAST_PAGES = 20;

/** Single requests are called better than the pages that they make up: people wait for pages. */
export const pageApdex: Rule = {
  id: 'pageApdex',
  find({ pages }) {
    if (pages === null) return [];
    const { pageApdex: ofPages, requestApdex: ofRequests, thresholdMs } = pages.all;
    if (ofPages.value === null || ofRequests.value === null || ofPages.counted < LEAST_PAGES) return [];
    const [page, request] = [apdexWord(ofPages.value), apdexWord(ofRequests.value)];
    if (page === request || ofRequests.value <= ofPages.value) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `Whole pages are “${page}” (Apdex ${ofPages.value.toFixed(2)}) although single requests are “${request}” (${ofRequests.value.toFixed(2)}): people wait for the page, not for its pictures one by one.`,
        evidence: [
          `${formatCount(ofPages.counted)} pages and ${formatCount(ofRequests.counted)} requests, both judged by ${formatMs(thresholdMs)}`,
          'many small, quick things raise the mean of the requests, and one slow thing is enough to hold a page up',
        ],
        remedy: 'Go by the figure of the pages. Some tools print that of the requests under the name of pages.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
