import type { z } from 'zod';
import type { CallName, Calls, StreamName, Streams } from '#contract/api.ts';
import type { Handlers } from '#contract/rpc/server.ts';
import { type AskSource, recordingAsking, askingOfRequest } from '#core/review/asks/ask.ts';
import { askingOfSearch } from '#core/search/result.ts';
import type { Store } from '#backend/store/store.ts';
import type { Agreements } from './agreements.ts';
import { wrapHandlers } from '../guarded.ts';

/** The parts of an input that decide what is contacted or opened. */
type PartOfPlan = { plan: unknown } | { document: unknown } | { target: unknown } | { tls: unknown };
type CallInput<N extends CallName> = z.output<Calls[N]['input']>;
type StreamInput<N extends StreamName> = z.output<Streams[N]['input']>;
type CallsWithPlan = { [N in CallName]: CallInput<N> extends PartOfPlan ? N : never }[CallName];
type StreamsWithPlan = { [N in StreamName]: StreamInput<N> extends PartOfPlan ? N : never }[StreamName];

type Documents = Pick<Store, 'series'>;
type Rule<Input> = (input: Input, store: Documents) => { readonly asking: AskSource; readonly agreed: readonly string[] } | null;
type CallRules = {
  readonly [N in CallsWithPlan | 'series.resume' | 'databases.rights' | 'recordings.start' | 'recordings.walkHar']: Rule<CallInput<N>>;
};
type StreamRules = { readonly [N in StreamsWithPlan]: Rule<StreamInput<N>> };

const opensNothing = (): null => null;

/**
 * What each call asks for. Calls with a plan, a target or connection options must be listed, or the code does not compile. Calls that
 * resume a stored document are listed too. Calls that only read, or that check permissions themselves, ask for nothing.
 */
const CALLS: CallRules = {
  'plans.asks': opensNothing,
  'plans.try': ({ plan, agreed }) => ({ asking: { plan }, agreed }),
  'targets.probe': ({ target, tls, connections, agreed }) => ({ asking: askingOfRequest({ target, tls, connections }), agreed }),
  'targets.login': ({ url, tls, connections, agreed }) => ({
    asking: askingOfRequest({ target: { url, headers: {} }, tls, connections }),
    agreed,
  }),
  // The user controls this browser and sees where it navigates.
  'recordings.start': ({ url, verify, accountsFile, agreed }) => ({ asking: recordingAsking({ url, verify, accountsFile }), agreed }),
  'recordings.walkHar': ({ url, accountsFile, agreed }) => ({ asking: recordingAsking({ url, verify: true, accountsFile }), agreed }),
  'databases.rights': ({ connection, agreed }) => ({ asking: { plan: { monitors: [{ kind: 'postgres', connection }] } }, agreed }),
  // The parts of a check that access targets or files wait until the user has agreed: see CheckService.
  'checks.machine': opensNothing,
  'checks.apply': opensNothing,
  'checks.path': ({ plan, agreed }) => (plan === null ? null : { asking: { plan }, agreed }),
  'runs.start': ({ plan, on, agreed }) => ({ asking: { plan, on }, agreed }),
  // The plan is only shown to the invited computers. The run that they send is started by another call.
  'invites.open': opensNothing,
  // The plan is only stored, together with what another program has measured.
  'runs.importK6': opensNothing,
  'series.start': ({ document, agreed }) => ({ asking: document, agreed }),
  'series.resume': ({ seriesId, agreed }, store) => ({ asking: store.series.find(seriesId).document, agreed }),
  'searches.start': ({ document, agreed }) => ({ asking: askingOfSearch(document), agreed }),
  'populate.preview': ({ plan, agreed }) => ({ asking: { plan }, agreed }),
  'populate.reuseRows': ({ plan, agreed }) => ({ asking: { plan }, agreed }),
  'populate.start': ({ plan, agreed }) => ({ asking: { plan }, agreed }),
};

const STREAMS: StreamRules = {
  'sites.crawl': ({ target, tls, connections, agreed }) => ({ asking: askingOfRequest({ target, tls, connections }), agreed }),
};

/**
 * Wraps handlers so that they run only once the user has agreed to everything that a plan asks for. Calls from all shells pass through
 * here: desktop, web mode, command line.
 */
export function requireAgreements(handlers: Handlers, agreements: Agreements, store: Documents): Handlers {
  const requireAgreement = (rule: Rule<never> | undefined, input: never): void => {
    const asked = rule?.(input, store) ?? null;
    if (asked !== null) agreements.require(asked.asking, asked.agreed);
  };
  const callRules = new Map<string, Rule<never>>(Object.entries(CALLS));
  const streamRules = new Map<string, Rule<never>>(Object.entries(STREAMS));
  return wrapHandlers(
    handlers,
    (name, handler) => (input) => {
      requireAgreement(callRules.get(name), input);
      return handler(input);
    },
    (name, handler) => (input, sink) => {
      requireAgreement(streamRules.get(name), input);
      return handler(input, sink);
    },
  );
}
