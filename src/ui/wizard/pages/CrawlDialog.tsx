import type { NumberEntry } from '#ui/components/numbers.ts';
import { useEffect, useRef, useState } from 'react';
import { askKey, asksOfSingle } from '#core/review/asks/ask.ts';
import { sortBySlowness, type CrawlReport, isVisitable } from '#core/work/crawl/report.ts';
import { isPublicHost } from '#core/plan/hosts/generatorNames.ts';
import { pathOf } from '#core/plan/url.ts';
import { MAX_PAGES } from '#core/presets/pageList.ts';
import { formatCount } from '#core/base/units.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Dialog } from '#ui/components/Dialog.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { useConnection } from '#ui/shared/backend.ts';
import { type TargetEntry, wizardConnection } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { toTarget } from '../state/entries.ts';
import { agreedByProbe } from '../state/answers.ts';
import { CrawlFindings, CrawlTable } from './CrawlTable.tsx';

type CrawlState =
  | { readonly status: 'idle' }
  | { readonly status: 'crawling'; readonly visited: number; readonly known: number; readonly now: string; readonly isStopping: boolean }
  | { readonly status: 'done'; readonly report: CrawlReport }
  | { readonly status: 'failed'; readonly problem: Problem };

interface Crawl {
  readonly state: CrawlState;
  start(maxPages: number): void;
  /** Stops the crawl. The pages that were found so far are kept. */
  stop(): void;
}

/** Crawls the site of a target. The crawl stops when the component is removed. */
function useCrawl(target: TargetEntry): Crawl {
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
      setState({ status: 'crawling', visited: 0, known: 1, now: target.url, isStopping: false });
      walk.current = crypto.randomUUID();
      const single = { target: toTarget(target), ...wizardConnection(wizard) };
      leave.current = connection.open(
        'sites.crawl',
        { crawlId: walk.current, bounds: { maxPages }, ...single, agreed: agreedByProbe(wizard, asksOfSingle(single)) },
        {
          onItem: ({ visited, known, now, report }) =>
            setState((before) =>
              report === null
                ? { status: 'crawling', visited, known, now, isStopping: before.status === 'crawling' && before.isStopping }
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
      setState((now) => (now.status === 'crawling' ? { ...now, isStopping: true } : now));
      connection.call('sites.stopCrawl', { crawlId: walk.current }).catch((thrown: unknown) => {
        leave.current?.();
        leave.current = null;
        setState({ status: 'failed', problem: toProblem(thrown) });
      });
    },
  };
}

interface CrawlDialogProps {
  readonly target: TargetEntry;
  readonly onUse: (paths: readonly string[]) => void;
  readonly onClose: () => void;
}

const USUAL_PAGES = 100;
const texts = words.wizard.crawl;

/** Crawls the site and lets the user select pages. */
export function CrawlDialog({ target, onUse, onClose }: CrawlDialogProps) {
  const { agreed } = useWizard().state;
  const crawl = useCrawl(target);
  const [most, setMost] = useState<NumberEntry>(USUAL_PAGES);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const { state } = crawl;
  const host = URL.canParse(target.url) ? new URL(target.url).hostname : '';
  const mustConsent = host !== '' && isPublicHost(host);
  const isAllowed = host !== '' && (!mustConsent || agreed.includes(hostKey(host)));
  const usable = typeof most === 'number' && Number.isInteger(most) && most >= 1 && most <= 1_000;
  const chosenNames = state.status === 'done' ? chosenPaths(state.report, unticked) : [];
  const start = (): void => {
    setUnticked(new Set());
    if (typeof most === 'number') crawl.start(most);
  };
  return (
    <Dialog
      title={texts.title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          {state.status === 'crawling' ? (
            <Button isPending={state.isStopping} onPress={crawl.stop}>
              {texts.stop}
            </Button>
          ) : null}
          {state.status === 'done' ? (
            <Button
              look="primary"
              isDisabled={chosenNames.length === 0 || chosenNames.length > MAX_PAGES}
              onPress={() => onUse(chosenNames)}
            >
              {texts.use(chosenNames.length)}
            </Button>
          ) : (
            <Button look="primary" isPending={state.status === 'crawling'} isDisabled={!isAllowed || !usable} onPress={start}>
              {texts.start}
            </Button>
          )}
        </>
      }
    >
      {state.status === 'done' ? null : <p>{texts.story}</p>}
      {state.status === 'idle' || state.status === 'failed' ? (
        <>
          <NumberField
            label={texts.most}
            value={most}
            onChange={setMost}
            min={1}
            max={1_000}
            unit={texts.pages}
            error={usable ? null : texts.mostWrong}
          />
          {mustConsent ? <HostConsent host={host} /> : null}
          {host === '' ? <p>{texts.noAddress}</p> : null}
        </>
      ) : null}
      {state.status === 'failed' ? <ProblemBanner problem={state.problem} /> : null}
      {state.status === 'crawling' ? (
        <output>{texts.going(formatCount(state.visited), formatCount(state.known), pathOf(state.now))}</output>
      ) : null}
      {state.status === 'done' ? (
        <>
          <CrawlFindings report={state.report} />
          <CrawlTable
            pages={sortBySlowness(state.report.pages)}
            isTicked={(page) => isVisitable(page) && !unticked.has(page.path)}
            onTick={(path, ticked) => setUnticked(withPath(unticked, path, !ticked))}
          />
          {chosenNames.length > MAX_PAGES ? <p>{texts.tooMany(formatCount(MAX_PAGES))}</p> : null}
        </>
      ) : null}
    </Dialog>
  );
}

const hostKey = (host: string): string => askKey({ kind: 'host', name: host });

function HostConsent({ host }: { readonly host: string }) {
  const { state, dispatch } = useWizard();
  const key = hostKey(host);
  return (
    <Checkbox
      isSelected={state.agreed.includes(key)}
      onChange={(isGiven) => dispatch({ type: 'agreementChanged', keys: [key], given: isGiven })}
    >
      {words.agreement.host(host)}
    </Checkbox>
  );
}

/** Returns the selected paths in the order in which they were found. */
function chosenPaths({ pages }: CrawlReport, unticked: ReadonlySet<string>): string[] {
  return pages.filter((page) => isVisitable(page) && !unticked.has(page.path)).map(({ path }) => path);
}

function withPath(set: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(path);
  else next.delete(path);
  return next;
}
