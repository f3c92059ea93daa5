import { CookieJar } from '#core/work/journey/cookieJar.ts';
import { isRedirect } from '#core/work/journey/loginRedirect.ts';
import { isSameOrigin, refererFor } from '#core/base/origins.ts';
import { singleRequest, type SingleAnswer, NoAnswer } from '../targets/singleRequest.ts';
import type { TargetConnection } from '../targets/targetConnection.ts';

const MAX_REDIRECTS = 10;

export interface VisitorOptions {
  readonly start: URL;
  /** Sent to the site only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: TargetConnection;
  readonly timeoutMs: number;
}

/** The result of visiting an address. */
export interface Visited {
  readonly landedOn: URL;
  /** null if there was no response, or redirects led away from the site or in a loop. */
  readonly answer: SingleAnswer | null;
  readonly problem: string | null;
  /** Total time of all requests without opening connections. */
  readonly ms: number;
}

/** One visitor of one site: sends one request after the other, follows redirects on the site and keeps cookies. */
export class SiteVisitor {
  private readonly options: VisitorOptions;
  private readonly jar = new CookieJar();

  constructor(options: VisitorOptions) {
    this.options = options;
  }

  async get(address: string, referer: string | null, leftMs: number): Promise<Visited> {
    let url = new URL(address);
    let ms = 0;
    try {
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const answer = await this.ask(url, referer, leftMs - ms);
        ms += answer.totalMs - answer.connectMs;
        this.jar.take(answer.headers['set-cookie'] ?? [], url, Date.now());
        const { location } = answer.headers;
        if (!isRedirect(answer.status) || location === undefined || !URL.canParse(location, url.href))
          return { landedOn: url, answer, problem: null, ms };
        const to = new URL(location, url);
        to.hash = '';
        if (!isSameOrigin(this.options.start, to)) return { landedOn: to, answer: null, problem: `sends on to ${to.host}`, ms };
        url = to;
      }
      return { landedOn: url, answer: null, problem: `more than ${MAX_REDIRECTS} redirects`, ms };
    } catch (thrown) {
      if (thrown instanceof NoAnswer) return { landedOn: url, answer: null, problem: thrown.code, ms };
      throw thrown;
    }
  }

  private ask(url: URL, referer: string | null, leftMs: number): Promise<SingleAnswer> {
    const { headers, connection, timeoutMs } = this.options;
    const from = referer === null ? null : refererFor(url, new URL(referer));
    const cookies = this.jar.header(url, Date.now()) ?? '';
    const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie');
    const own = new Set(cookies.split('; ').map((pair) => pair.split('=')[0]));
    const kept = (given?.[1] ?? '').split(/;\s*/).filter((pair) => pair !== '' && !own.has(pair.split('=')[0]));
    const cookie = [...kept, ...(cookies === '' ? [] : [cookies])].join('; ');
    const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== given?.[0]));
    return singleRequest({
      url,
      method: 'GET',
      headers: { ...others, ...(cookie === '' ? {} : { Cookie: cookie }), ...(from === null ? {} : { Referer: from }) },
      connection,
      demandsTrust: connection.tls.verify,
      timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)),
    });
  }
}
