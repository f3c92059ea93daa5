import { readAddress } from '../address.ts';
import { Draft, type WrittenLoad } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { ONE_USER_IS_TAKEN } from '../notes.ts';

const MOST_CYCLES = 200;
const MOST_USERS = 20_000;
const MOST_SECONDS = 604_800;

/** As `fl-run-bench` has them where a configuration says nothing. */
const DURATION_SECONDS = 10;
const STARTUP_DELAY_SECONDS = 0.01;
const OK_CODES = [200, 301, 302];

/** Settings by the name of their section: [main] and [bench] of an INI file. */
type Sections = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Whether a text is the configuration of a FunkLoad test: it has cycles of users in a section [bench]. */
export function isFunkload(text: string): boolean {
  return /^\[bench\]/m.test(text) && /^cycles?[ \t]*[=:]/m.test(text);
}

/** Makes a plan of the configuration of a FunkLoad test. Its steps stand in a test of Python, which is not in it: the plan asks for the main page. */
export function importFunkload(text: string): ImportResult {
  const draft = new Draft('funkload');
  const sections = readIni(text);
  const main = sections.get('main');
  const url = main?.get('url') ?? '';
  const address = readAddress(url);
  if (address === null)
    return refuse(
      'NO_ADDRESS',
      'main.url',
      url === '' ? 'The configuration names no server.' : 'Its url is not an http or https address.',
      'Add url=http://… to the section [main].',
    );
  const tests = [...sections.keys()].filter((name) => name.startsWith('test_'));
  draft.leftOut(
    tests
      .map((name) => `[${name}]`)
      .join(' ')
      .slice(0, 120),
    'The requests are in a Python test outside this file.',
    'The plan requests the main page. Add steps, record them with a browser, or find the pages on the site.',
  );
  for (const name of ['monitor', 'credential'])
    if (sections.has(name))
      draft.leftOut(`[${name}]`, name === 'monitor' ? 'FunkLoad’s own monitors watch hosts.' : 'Accounts come from a FunkLoad server.');
  const agent = main?.get('user_agent');
  const load = loadOf(draft, sections);
  draft.addStep({ name: 'Main page', path: address.path, resources: {}, expectStatus: okCodes(sections) }, 'main.url');
  return draft.finish({
    name: main?.get('title') ?? 'FunkLoad test',
    story: main?.get('description') ?? '',
    targets: [{ url: `${address.origin}/`, ...(agent === undefined ? {} : { headers: { 'User-Agent': agent } }) }],
    load,
    settings: { cookies: 'journey' },
  });
}

/** A stage for each cycle: all its users run before anything counts, and all end before the next one begins. */
function loadOf(draft: Draft, sections: Sections): WrittenLoad {
  const bench = sections.get('bench');
  const seconds = (name: string, otherwise: number): number => numberOf(bench?.get(name)) ?? otherwise;
  const cycles = (bench?.get('cycles') ?? bench?.get('cycle') ?? '').split(':').flatMap((users) => {
    const count = numberOf(users);
    return count === null || count < 1 ? [] : [Math.min(MOST_USERS, Math.floor(count))];
  });
  if (cycles.length > MOST_CYCLES)
    draft.leftOut('bench.cycles', `There are ${cycles.length} cycles.`, `A plan has at most ${MOST_CYCLES} stages. The rest was left out.`);
  if (cycles.length === 0) draft.assumed('bench.cycles', 'No valid number of users was found.', ONE_USER_IS_TAKEN);
  if ((bench?.get('sleep_time') ?? '') !== '')
    draft.changed(
      'bench.sleep_time',
      'Threads pause between two tests.',
      'Users pause after each request, by sleep_time_min and sleep_time_max.',
    );
  const rest = seconds('cycle_time', 1);
  const delay = seconds('startup_delay', STARTUP_DELAY_SECONDS);
  const stages = (cycles.length === 0 ? [1] : cycles.slice(0, MOST_CYCLES)).map((users, index) => ({
    name: `${index + 1}: ${users} users`,
    users,
    ...(index === 0 || rest === 0 ? {} : { restSeconds: rest }),
    ...(delay === 0 ? {} : { startUpSeconds: Math.min(MOST_SECONDS, Math.round(users * delay * 1_000) / 1_000) }),
    seconds: Math.max(1, seconds('duration', DURATION_SECONDS)),
  }));
  const [fromSeconds, toSeconds] = [seconds('sleep_time_min', 0), seconds('sleep_time_max', 0)];
  return {
    model: 'users',
    ...(toSeconds > 0 && toSeconds >= fromSeconds ? { thinkTime: { kind: 'uniform' as const, fromSeconds, toSeconds } } : {}),
    stages,
  };
}

function okCodes(sections: Sections): number[] {
  const written = sections.get('bench')?.get('ok_codes') ?? sections.get('ftest')?.get('ok_codes') ?? '';
  const codes = written
    .split(':')
    .map(Number)
    .filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
  return codes.length === 0 ? OK_CODES : [...new Set(codes)].slice(0, 50);
}

function numberOf(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,9}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Sections and settings as Python’s ConfigParser reads them: `name = value` or `name: value`, # and ; begin comments, indented lines go on. */
function readIni(text: string): Sections {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | null = null;
  let last = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || /^[#;]/.test(line)) continue;
    const name = /^\[([^\]]{1,120})\]/.exec(line)?.[1];
    if (name !== undefined) {
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      last = '';
      continue;
    }
    if (section === null) continue;
    const goesOn = /^\s/.test(line) && last !== '';
    const at = line.search(/[=:]/);
    if (goesOn) section.set(last, `${section.get(last) ?? ''}\n${line.trim()}`.slice(0, 2_000));
    else if (at > 0) {
      last = line.slice(0, at).trim().toLowerCase();
      // A blank and a semicolon begin a comment behind a value.
      section.set(last, (line.slice(at + 1).split(/\s;/, 1)[0] ?? '').trim().slice(0, 2_000));
    }
  }
  return sections;
}
