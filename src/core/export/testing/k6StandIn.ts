import { runInNewContext } from 'node:vm';

/**
 * A small replacement for k6, which may not be installed: it runs a k6 script on its own clock, in a context with plain JavaScript, against
 * a server function. Executors start iterations at the same times as k6 (lib/executor of k6 1.x), one VU after another.
 */

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  /** Body text or form fields. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Tags of scenario and request. */
  readonly tags: Readonly<Record<string, string>>;
  /** Seconds since the start of the test. */
  readonly atSecond: number;
  readonly vu: number;
  readonly scenario: string;
  /** Cookies by name. */
  readonly cookies: Readonly<Record<string, string>>;
}

export interface GivenResponse {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set-Cookie values: `name=value`. */
  readonly cookies?: readonly string[];
}

export type Server = (request: AskedRequest) => GivenResponse;

export interface PlayedScript {
  readonly options: Readonly<Record<string, unknown>>;
  readonly requests: readonly AskedRequest[];
  /** Names of failed checks, one per failure. */
  readonly failedChecks: readonly string[];
  /** Values added to custom metrics, by metric. */
  readonly added: ReadonlyMap<string, readonly { readonly value: number; readonly tags: Readonly<Record<string, string>> }[]>;
  readonly errors: readonly string[];
  readonly iterations: number;
}

export interface PlaySettings {
  readonly server?: Server;
  /** Duration of each response in seconds. */
  readonly latencySeconds?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs one iteration per scenario instead of its load. */
  readonly onlyOne?: boolean;
  /** Files beside the script, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

type Executor = Readonly<Record<string, unknown>>;
type Tags = Readonly<Record<string, string>>;

/** Runs all scenarios of a script. */
export function playK6(script: string, settings: PlaySettings = {}): PlayedScript {
  const player = new Player(script, settings);
  player.play();
  return player;
}

class Player implements PlayedScript {
  readonly requests: AskedRequest[] = [];
  readonly failedChecks: string[] = [];
  readonly added = new Map<string, { value: number; tags: Tags }[]>();
  readonly errors: string[] = [];
  iterations = 0;
  readonly settings: PlaySettings;
  private readonly code: string;
  private readonly first: Machine;

  constructor(script: string, settings: PlaySettings) {
    this.settings = settings;
    this.code = asScript(script);
    this.first = new Machine(this, this.code, 0);
  }

  get options(): Readonly<Record<string, unknown>> {
    return this.first.exported.options ?? {};
  }

  play(): void {
    this.first.exported.setup?.();
    const scenarios = this.options['scenarios'];
    if (typeof scenarios !== 'object' || scenarios === null) throw new Error('The script has no scenarios.');
    let vus = 0;
    for (const [name, scenario] of Object.entries(scenarios)) vus = this.playScenario(name, scenario, vus);
    this.requests.sort((one, other) => one.atSecond - other.atSecond);
  }

  /** Runs a scenario with new VUs. Returns the total number of VUs. */
  private playScenario(name: string, scenario: Executor, vus: number): number {
    const beginsAt = seconds(scenario['startTime'] ?? '0s');
    const machine = (number: number): Machine => {
      const made = new Machine(this, this.code, number);
      made.enter(name, beginsAt, { ...(scenario['tags'] as Tags | undefined), scenario: name });
      return made;
    };
    if (this.settings.onlyOne === true) {
      machine(vus + 1).iterate(0);
      return vus + 1;
    }
    switch (scenario['executor']) {
      case 'constant-vus':
      case 'ramping-vus': {
        const { starts, endsAt } = closedLoad(scenario);
        starts.forEach((start, index) => machine(vus + index + 1).walk(beginsAt + start, beginsAt + endsAt));
        return vus + starts.length;
      }
      case 'shared-iterations': {
        const machines = Array.from({ length: Number(scenario['vus']) }, (_, index) => machine(vus + index + 1));
        machines.forEach((each) => each.setClock(beginsAt));
        for (let left = Number(scenario['iterations']); left > 0; left -= 1) {
          const [next] = machines.toSorted((one, other) => one.clockSeconds - other.clockSeconds);
          next?.iterate(Number(scenario['iterations']) - left);
        }
        return vus + machines.length;
      }
      case 'constant-arrival-rate':
      case 'ramping-arrival-rate': {
        const pool: Machine[] = [];
        arrivals(scenario).forEach((second, index) => {
          let free = pool.find(({ clockSeconds }) => clockSeconds <= beginsAt + second);
          if (free === undefined) {
            if (pool.length >= Number(scenario['maxVUs'])) return;
            free = machine(vus + pool.length + 1);
            pool.push(free);
          }
          free.setClock(beginsAt + second);
          free.iterate(index);
        });
        return vus + pool.length;
      }
      default:
        throw new Error(`The stand-in does not know the executor ${String(scenario['executor'])}.`);
    }
  }
}

/** Returns the start times of VUs within their scenario: in a ramp, VU n of N starts after n/N of the time. */
function closedLoad(scenario: Executor): { starts: number[]; endsAt: number } {
  if (scenario['executor'] === 'constant-vus')
    return { starts: Array.from({ length: Number(scenario['vus']) }, () => 0), endsAt: seconds(scenario['duration']) };
  const stages = scenario['stages'] as readonly { target: number; duration: string }[];
  const starts: number[] = [];
  let at = 0;
  for (const { target, duration } of stages) {
    const more = target - starts.length;
    for (let number = 1; number <= more; number += 1) starts.push(at + (number / more) * seconds(duration));
    at += seconds(duration);
  }
  return { starts, endsAt: at };
}

/** Returns arrival times: k6 starts a constant rate at once, other rates where the area below the rate is a whole number. */
function arrivals(scenario: Executor): number[] {
  const unit = seconds(scenario['timeUnit']);
  if (scenario['executor'] === 'constant-arrival-rate') {
    const gap = unit / Number(scenario['rate']);
    const length = seconds(scenario['duration']);
    return Array.from({ length: Math.ceil(length / gap - 1e-9) }, (_, index) => index * gap);
  }
  const found: number[] = [];
  let from = Number(scenario['startRate']) / unit;
  let at = 0;
  let area = 0;
  for (const { target, duration } of scenario['stages'] as readonly { target: number; duration: string }[]) {
    const to = target / unit;
    const length = seconds(duration);
    const slope = length === 0 ? 0 : (to - from) / length;
    const end = area + ((from + to) / 2) * length;
    const most = length > 0 ? end + 1e-9 : 0;
    for (let next = found.length + 1; next <= most; next += 1) {
      const outstanding = next - area;
      const root = Math.sqrt(Math.max(0, from * from + 2 * slope * outstanding));
      found.push(at + (2 * outstanding) / (from + root));
    }
    area = end;
    at += length;
    from = to;
  }
  return found;
}

function seconds(duration: unknown): number {
  const [, number, unit] = /^(\d+)(ms|s)$/.exec(String(duration)) ?? [];
  if (number === undefined) throw new Error(`This is no duration: ${String(duration)}`);
  return Number(number) / (unit === 'ms' ? 1_000 : 1);
}

/** Converts a module to a script, with its imports as members of one object. */
function asScript(script: string): string {
  return `'use strict';\n${script
    .replaceAll(/^import (\w+) from '([\w/]+)';$/gm, "const $1 = modules['$2'];")
    .replaceAll(/^import (\{[^}]*\}) from '([\w/]+)';$/gm, "const $1 = modules['$2'];")
    .replace(/^export const options =/m, 'exported.options =')
    .replace(/^export function setup\(/m, 'exported.setup = function (')
    .replace(/^export default function \(/m, 'exported.journey = function (')}`;
}

interface ScriptExports {
  options?: Record<string, unknown>;
  setup?: () => void;
  journey?: () => void;
}

/** One VU: an instance of the script with its own cookies and clock. */
class Machine {
  readonly exported: ScriptExports = {};
  clockSeconds = 0;
  private readonly player: Player;
  private readonly number: number;
  private readonly cookies = new Map<string, string>();
  private scenario = { name: '', beginsAt: 0, tags: {} as Tags };
  private iteration = 0;
  private iterationInTest = 0;
  private seed: number;

  constructor(player: Player, code: string, number: number) {
    this.player = player;
    this.number = number;
    this.seed = number + 1;
    const { environment = {}, files = {} } = player.settings;
    const clock = (): number => 1_000 * this.clockSeconds;
    const random = (): number => {
      this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
      return this.seed / 4_294_967_296;
    };
    runInNewContext(code, {
      exported: this.exported,
      modules: this.modules(),
      __ENV: environment,
      open: (path: string) => {
        const content = files[path.replace(/^\.\//, '')];
        if (content === undefined) throw new Error(`There is no file ${path} beside the script.`);
        return content;
      },
      crypto: {
        randomUUID: () =>
          `00000000-0000-4000-8000-${Math.floor(random() * 1e12)
            .toString()
            .padStart(12, '0')}`,
      },
      Date: Object.assign(
        class {
          toISOString(): string {
            return new Date(clock()).toISOString();
          }
        },
        { now: clock },
      ),
      Math: Object.assign(Object.create(Math) as Math, { random }),
    });
  }

  enter(name: string, beginsAt: number, tags: Tags): void {
    this.scenario = { name, beginsAt, tags };
    this.clockSeconds = beginsAt;
  }

  setClock(second: number): void {
    this.clockSeconds = second;
  }

  /** Runs iterations until the time is over; an iteration that has started finishes. */
  walk(from: number, until: number): void {
    this.clockSeconds = from;
    for (let guard = 0; this.clockSeconds < until; guard += 1) {
      const before = this.clockSeconds;
      this.iterate(this.player.iterations);
      // The clock advances, because iterations of zero duration would never end.
      if (this.clockSeconds === before) this.clockSeconds += 0.001;
      if (guard > 100_000) throw new Error('The script begins more iterations than anybody wants to look at.');
    }
  }

  iterate(iterationInTest: number): void {
    this.iterationInTest = iterationInTest;
    if (this.player.options['noCookiesReset'] !== true) this.cookies.clear();
    this.player.iterations += 1;
    try {
      this.exported.journey?.();
    } catch (thrown) {
      this.player.errors.push(thrown instanceof Error ? thrown.message : String((thrown as { message?: unknown }).message ?? thrown));
    }
    this.iteration += 1;
  }

  private modules(): Record<string, unknown> {
    const { player } = this;
    // oxlint-disable-next-line typescript/no-this-alias -- getters and classes of the modules look at this machine
    const machine = this;
    class Metric {
      private readonly name: string;
      constructor(name: string) {
        this.name = name;
      }
      add(value: number | boolean, tags: Tags): void {
        const list = player.added.get(this.name) ?? [];
        list.push({ value: Number(value), tags: { ...machine.scenario.tags, ...tags } });
        player.added.set(this.name, list);
      }
    }
    return {
      k6: {
        check: (response: unknown, checks: Record<string, (response: unknown) => boolean>) => {
          const failed = Object.entries(checks).filter(([, check]) => !check(response));
          player.failedChecks.push(...failed.map(([name]) => name));
          return failed.length === 0;
        },
        sleep: (length: number) => {
          this.clockSeconds += length;
        },
        fail: (message: string) => {
          throw new Error(message);
        },
      },
      'k6/execution': {
        vu: {
          idInTest: this.number,
          get iterationInScenario() {
            return machine.iteration;
          },
        },
        scenario: {
          get name() {
            return machine.scenario.name;
          },
          get startTime() {
            return 1_000 * machine.scenario.beginsAt;
          },
          get iterationInTest() {
            return machine.iterationInTest;
          },
        },
      },
      'k6/metrics': { Counter: Metric, Rate: Metric, Trend: Metric },
      'k6/data': {
        SharedArray: function (_name: string, make: () => unknown) {
          return make();
        },
      },
      'k6/encoding': { b64encode: (text: string) => Buffer.from(text, 'utf8').toString('base64') },
      'k6/crypto': { randomBytes: (length: number) => new Uint8Array(length).buffer },
      'k6/http': this.http(),
    };
  }

  private http(): Record<string, unknown> {
    const withBody =
      (method: string) =>
      (url: string, body: unknown, params: object): object =>
        this.request(method, url, body, params);
    const without =
      (method: string) =>
      (url: string, params: object): object =>
        this.request(method, url, null, params);
    return {
      setResponseCallback: () => {},
      expectedStatuses: (...statuses: unknown[]) => statuses,
      cookieJar: () => ({
        cookiesForURL: () => Object.fromEntries([...this.cookies].map(([name, value]) => [name, [value]])),
        clear: () => this.cookies.clear(),
      }),
      CookieJar: function () {
        return {};
      },
      file: (data: unknown, fileName: string, type: string) => ({ data, fileName, type }),
      get: without('GET'),
      head: without('HEAD'),
      post: withBody('POST'),
      put: withBody('PUT'),
      patch: withBody('PATCH'),
      del: withBody('DELETE'),
      options: withBody('OPTIONS'),
      request: (method: string, url: string, body: unknown, params: object) => this.request(method, url, body, params),
      batch: (requests: [string, string, unknown, object][]) => {
        const before = this.clockSeconds;
        const responses = requests.map((request) => {
          this.clockSeconds = before;
          return this.request(...request);
        });
        return responses;
      },
    };
  }

  private request(method: string, url: string, body: unknown, params: object): object {
    const { headers = {}, tags = {}, jar } = params as { headers?: Record<string, string>; tags?: Tags; jar?: object };
    const request: AskedRequest = {
      method,
      url,
      body,
      headers: { ...headers },
      tags: { ...this.scenario.tags, ...tags },
      atSecond: this.clockSeconds,
      vu: this.number,
      scenario: this.scenario.name,
      cookies: jar === undefined ? Object.fromEntries(this.cookies) : {},
    };
    this.player.requests.push(request);
    const { server, latencySeconds = 0.01 } = this.player.settings;
    const { status = 200, body: text = '', headers: given = {}, cookies = [] } = server?.(request) ?? {};
    this.clockSeconds += latencySeconds;
    if (jar === undefined)
      for (const line of cookies) {
        const equals = line.indexOf('=');
        this.cookies.set(line.slice(0, equals), line.slice(equals + 1));
      }
    return { status, body: text, headers: given, url, timings: { duration: 1_000 * latencySeconds }, html: () => linksOf(text) };
  }
}

/** The part of k6's HTML support that tests need: elements by name and one attribute. */
function linksOf(html: string): object {
  const found = (selector: string): { getAttribute: (name: string) => string | undefined }[] => {
    const [, name = '', condition = ''] = /^(\w+)(.*)$/.exec(selector) ?? [];
    const conditions = [...condition.matchAll(/\[(\w+)(?:~?="([^"]*)")?\]/g)].map(([, key = '', value]) => ({ key, value }));
    return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'g'))].flatMap(([, written = '']) => {
      const attributes = new Map([...written.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
      const fits = conditions.every(
        ({ key, value }) => attributes.has(key) && (value === undefined || attributes.get(key)?.split(' ').includes(value)),
      );
      return fits ? [{ getAttribute: (key: string) => attributes.get(key) }] : [];
    });
  };
  return {
    find: (selector: string) => ({
      first: () => ({ attr: (name: string) => found(selector)[0]?.getAttribute(name) }),
      each: (use: (index: number, element: unknown) => void) => found(selector).forEach((element, index) => use(index, element)),
    }),
  };
}
