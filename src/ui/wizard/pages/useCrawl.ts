import { useEffect, useRef, useState } from 'react';
import type { CrawlReport } from '#core/work/crawl/report.ts';
import { asksOfSingle } from '#core/review/asks/ask.ts';
import { problemOf, type Problem } from '#core/base/errors.ts';
import { useConnection } from '#ui/app/backend.ts';
import { toTarget } from '../state/entries.ts';
import { agreedByAsking } from '../state/agreement.ts';
import { wizardWay, type TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardContext.ts';

export type CrawlState =
  | { readonly status: 'idle' }
  | { readonly status: 'going'; readonly visited: number; readonly known: number; readonly now: string; readonly isStopping: boolean }
  | { readonly status: 'done'; readonly report: CrawlReport }
  | { readonly status: 'failed'; readonly problem: Problem };

export interface Crawl {
  readonly state: CrawlState;
  start(maxPages: number): void;
  /** What was found until then is kept. */
  stop(): void;
}

/** A walk over the site of a target. It belongs to who asks for it, and ends when that goes. */
export function useCrawl(target: TargetEntry): Crawl {
  const connection = useConnection();
  const wizard = useWizard().state;
  const [state, setState] = useState<CrawlState>({ status: 'idle' });
  const leave = useRef<(() => void) | null>(null);
  const walk = useRef('');
  useEffect(() => () => leave.current?.(), []);
  return {
    state,
    start(maxPages) {
      leave.current?.();
      setState({ status: 'going', visited: 0, known: 1, now: target.url, isStopping: false });
      walk.current = crypto.randomUUID();
      const single = { target: toTarget(target), ...wizardWay(wizard) };
      leave.current = connection.open(
        'sites.crawl',
        {
          crawlId: walk.current,
          bounds: { maxPages },
          ...single,
          agreed: agreedByAsking(wizard, asksOfSingle(single)),
        },
        {
          onItem: ({ visited, known, now, report }) =>
            setState((before) =>
              report === null
                ? { status: 'going', visited, known, now, isStopping: before.status === 'going' && before.isStopping }
                : { status: 'done', report },
            ),
          onEnd(problem) {
            leave.current = null;
            if (problem) setState({ status: 'failed', problem });
          },
        },
      );
    },
    stop() {
      setState((now) => (now.status === 'going' ? { ...now, isStopping: true } : now));
      connection.call('sites.stopCrawl', { crawlId: walk.current }).catch((thrown: unknown) => {
        leave.current?.();
        leave.current = null;
        setState({ status: 'failed', problem: problemOf(thrown) });
      });
    },
  };
}
