import type { Plan } from '#core/plan/schema/plan.ts';
import type { Features } from './features.ts';
import { formatValue } from './javaScript.ts';

/** A function that steps share. */
export interface Helper {
  readonly text: string;
  readonly needs?: readonly string[];
  /** Imports from k6 modules. */
  readonly imports?: readonly Import[];
}

/** A name of a k6 module, or the module itself. */
export type Import =
  | 'http'
  | 'exec'
  | 'check'
  | 'sleep'
  | 'fail'
  | 'Counter'
  | 'Rate'
  | 'Trend'
  | 'SharedArray'
  | 'b64encode'
  | 'randomBytes';

export function judge({ load }: Plan, { apdexMs, countsGood }: Features): Helper {
  const lines = [
    'failedRequests.add(!good, tags);',
    ...(countsGood ? ['successfulResponses.add(good ? 1 : 0, tags);'] : []),
    ...apdexMs.map((maxMs) => `apdex${nameOfMs(maxMs)}.add(good ? satisfaction(response.timings.duration, ${maxMs}) : 0, tags);`),
  ];
  const isClosed = load.model !== 'arrivals';
  const wait = isClosed ? '\n  // Without a response, wait before the next request.\n  if (response.status === 0) sleep(0.1);' : '';
  return {
    imports: ['check', ...(isClosed ? (['sleep'] as const) : [])],
    needs: apdexMs.length > 0 ? ['satisfaction'] : [],
    text: `/** Checks a response and counts whether it passed. */
function judge(response, checks) {
  const good = check(response, checks, tags);
  count(good, response);${wait}
  return good;
}

function count(good${apdexMs.length > 0 ? ', response' : ''}) {
  ${lines.join('\n  ')}
}`,
  };
}

/** Formats milliseconds for metric names: 1500 or 0_5. */
export function nameOfMs(milliseconds: number): string {
  return String(milliseconds).replace('.', '_');
}

export function stage(_plan: Plan, { load }: Features): Helper {
  const byJourney = load.scenarios.some(({ journeys }) => journeys.length > 0);
  if (byJourney)
    return {
      imports: ['exec'],
      text: `/** The stage of the plan that this journey belongs to, by its number. */
function stage() {
  const { stage: only, journeys } = SCENARIOS[exec.scenario.name];
  return only ?? (journeys.find(({ until }) => exec.scenario.iterationInTest < until) ?? journeys.at(-1)).stage;
}`,
    };
  return {
    needs: ['elapsed'],
    text: `/** The stage of the plan that a request sent now belongs to. */
function stage() {
  const now = elapsed();
  return (STAGE_ENDS.find(({ until }) => now < until) ?? STAGE_ENDS.at(-1)).stage;
}`,
  };
}

/**
 * Returns the helper that waits for a bell. Each arrival is a new user. Other users wait for a bell only once, however often they reach its
 * step.
 */
export function waitForBell({ load }: Plan): Helper {
  const user = load.model === 'arrivals' ? 'exec.vu.iterationInScenario' : 'exec.vu.idInTest';
  return {
    imports: ['sleep', 'exec'],
    needs: ['elapsed'],
    text: `const passedBells = new Map();

/** Waits until a bell rings, by the clock of this machine. Returns whether this user was in time. */
function waitForBell(name, atSeconds) {
  if (passedBells.get(name) === ${user}) return true;
  passedBells.set(name, ${user});
  const left = atSeconds - elapsed();
  if (left > 0) sleep(left);
  return left >= 0;
}`,
  };
}

export function rest(_plan: Plan, { hasEnd, hasBackground }: Features): Helper {
  const left = hasEnd ? 'Math.min(seconds, Math.max(0, SCENARIOS[exec.scenario.name].ends - elapsed()))' : 'seconds';
  const needs = hasEnd ? (['elapsed'] as const) : [];
  const imports = ['sleep', ...(hasEnd ? (['exec'] as const) : [])] as const;
  if (!hasBackground)
    return {
      imports,
      needs,
      text: `/** A pause, no longer than the load lasts. */
function rest(seconds) {
  sleep(${left});
}`,
    };
  return {
    imports,
    needs,
    text: `/** A pause, no longer than the load lasts, during which requests beside the journey are sent. */
function rest(seconds) {
  const until = Date.now() + 1000 * ${left};
  for (;;) {
    const [next] = Object.values(besides).filter(({ dueAt }) => dueAt <= until).sort((one, other) => one.dueAt - other.dueAt);
    if (next === undefined) break;
    sleep(Math.max(0, next.dueAt - Date.now()) / 1000);
    next.dueAt += next.everyMs;
    next.send();
  }
  sleep(Math.max(0, until - Date.now()) / 1000);
}

/** Something that is sent again and again, first at a time of each user's own, so that users do not ask in step. */
function beside(everySeconds, send) {
  return {
    everyMs: 1000 * everySeconds,
    dueAt: Infinity,
    send,
    begin() {
      if (this.dueAt === Infinity) this.dueAt = Date.now() + this.everyMs * Math.random();
    },
  };
}`,
  };
}

export function pageEnded(_plan: Plan, { pageApdexMs }: Features): Helper {
  const lines = pageApdexMs.map((maxMs) => `  pageApdex${nameOfMs(maxMs)}.add(isComplete ? satisfaction(tookMs, ${maxMs}) : 0, ofPage);`);
  return {
    needs: pageApdexMs.length > 0 ? ['satisfaction'] : [],
    text: `/** Counts a page that has loaded with all its files, or has failed to. */
function pageEnded(isComplete, began, ofPage) {
  const tookMs = Date.now() - began;
  if (isComplete) pageDuration.add(tookMs, ofPage);
  incompletePages.add(!isComplete, ofPage);${lines.length === 0 ? '' : `\n${lines.join('\n')}`}
}`,
  };
}

export function fetchAll({ targets, namedTargets }: Plan, { keeps }: Features): Helper {
  const ofLoad = targets.length === 1 ? `originOf(${formatValue(targets[0]?.url ?? '')})` : 'originOf(server.url)';
  const origin = namedTargets === undefined ? ofLoad : 'originOf(page.url)';
  const jar = keeps === 'ignore' ? ', jar: new http.CookieJar()' : '';
  return {
    imports: ['http'],
    needs: ['resolve', 'originOf', 'judge'],
    text: `/** Where a page links to files that a browser fetches with it. */
const LINKS = {
  css: ['link[rel~="stylesheet"] href', 'link[rel~="preload"][as="style"] href'],
  script: ['script[src] src', 'link[rel~="modulepreload"] href', 'link[rel~="preload"][as="script"] href'],
  image: ['img[src] src', 'input[type="image"] src', 'link[rel~="preload"][as="image"] href'],
  icon: ['link[rel~="icon"] href'],
  font: ['link[rel~="preload"][as="font"] href'],
};

/** Asks for what a page links to, all at once or one after the other, and for what that has moved to. What this visitor has already, they keep. */
function fetchAll(page, { kinds, isSerial, otherHosts, headers }) {
  const doc = page.html();
  const base = resolve(page.url, doc.find('base[href]').first().attr('href') ?? '') ?? page.url;
  const home = ${origin};
  const mayAsk = (url) => originOf(url) === home || otherHosts.includes(originOf(url).replace(/^https?:\\/\\//, ''));
  // Headers are meant for the target alone. The query of the page may hold what is nobody's business.
  const asking = (url, step, name) => {
    const own = originOf(url) === home ? { ...headers, Referer: page.url.replace(/[?#].*$/s, '') } : {};
    return ['GET', url, null, params(step, name, { headers: own, responseType: 'none'${jar} })];
  };
  let due = [];
  for (const [kind, step, name] of kinds) {
    for (const link of LINKS[kind]) {
      const [selector, attribute] = link.split(' ');
      doc.find(selector).each((_, element) => {
        const type = kind === 'script' ? (element.getAttribute('type') ?? '') : '';
        const url = resolve(base, element.getAttribute(attribute) ?? '');
        if (url === null || fetched.has(url) || !/^(|module|(text|application)\\/(x-)?(java|ecma)script.*)$/i.test(type)) return;
        if (!mayAsk(url)) return;
        fetched.add(url);
        due.push({ url, step, name });
      });
    }
  }
  let isComplete = true;
  for (let hop = 0; due.length > 0; hop += 1) {
    const requests = due.map(({ url, step, name }) => asking(url, step, name));
    const responses = isSerial ? requests.map((request) => http.request(...request)) : http.batch(requests);
    const asked = due;
    due = [];
    responses.forEach((response, index) => {
      const { url, step, name } = asked[index];
      const isMoved = hop < 5 && [301, 302, 303, 307, 308].includes(response.status);
      const to = isMoved ? resolve(url, response.headers['Location'] ?? '') : null;
      const isGood = to !== null || (response.status >= 200 && response.status <= 299);
      tags = requests[index][3].tags;
      count(isGood, response);
      if (to !== null && mayAsk(to)) due.push({ url: to, step, name });
      if (isGood) return;
      fetched.delete(url);
      isComplete = false;
    });
  }
  return isComplete;
}`,
  };
}
